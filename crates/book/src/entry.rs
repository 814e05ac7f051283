//! Entries of a book.

use kaiyo_chess::{File, Move, MoveList, PieceType, Position, Square};

/// Bytes of an entry.
pub const ENTRY_LEN: usize = 16;

/// A move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Key of the position.
    pub key: u64,
    /// The move: from bit 0 in steps of three bits file and rank of the target, file and rank of
    /// the origin, and what a pawn becomes, from 1 for a knight to 4 for a queen.
    pub code: u16,
    /// How good the move is, compared with others of the position.
    pub weight: u16,
    /// Kept for programs that learn.
    pub learn: u32,
}

impl Entry {
    /// Reads an entry.
    pub fn from_bytes(bytes: &[u8; ENTRY_LEN]) -> Self {
        let [a, b, c, d, e, f, g, h, code @ .., w0, w1, l0, l1, l2, l3] = *bytes;
        Self {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            code: u16::from_be_bytes(code),
            weight: u16::from_be_bytes([w0, w1]),
            learn: u32::from_be_bytes([l0, l1, l2, l3]),
        }
    }

    /// Writes an entry.
    pub fn to_bytes(self) -> [u8; ENTRY_LEN] {
        let mut bytes = [0; ENTRY_LEN];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.code.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }
}

/// The code of a move. Castling is the king taking its rook, as in [`Move`].
pub fn encode(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |man| man.index() - PieceType::Pawn.index());
    let square = |square: Square| square.index() as u16;
    square(mv.to()) | square(mv.from()) << 6 | (promotion as u16) << 12
}

/// The move with this code among the `legal` ones of a position, if there is one.
///
/// Some programs write castling as the king's own two steps; from its start square this means
/// the same, since no king goes two squares otherwise.
pub fn decode(position: &Position, legal: &MoveList, code: u16) -> Option<Move> {
    let matching = legal.iter().copied().find(|&mv| encode(mv) == code);
    matching.or_else(|| {
        legal.iter().copied().find(|&mv| mv.is_castling() && king_steps(position, mv) == code)
    })
}

/// The code of castling as the king's own step from e to c or g.
fn king_steps(position: &Position, mv: Move) -> u16 {
    let back_rank = position.side_to_move().back_rank();
    let file = if mv.from().file() < mv.to().file() { File::G } else { File::C };
    if mv.from() != Square::new(File::E, back_rank) {
        return encode(mv);
    }
    let target = Square::new(file, back_rank);
    target.index() as u16 | (mv.from().index() as u16) << 6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn text(position: &Position, code: u16) -> Option<String> {
        decode(position, &position.legal_moves(), code).map(|mv| position.san(mv))
    }

    #[test]
    fn entries_keep_their_bytes() {
        let entry =
            Entry { key: 0x0102_0304_0506_0708, code: 0x090a, weight: 0x0b0c, learn: 0x0d0e_0f10 };
        let bytes = entry.to_bytes();
        assert_eq!(bytes, core::array::from_fn(|index| index as u8 + 1));
        assert_eq!(Entry::from_bytes(&bytes), entry);
    }

    #[test]
    fn all_moves_have_codes_of_their_own() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1",
        ] {
            let position = position(fen);
            let legal = position.legal_moves();
            for &mv in &legal {
                assert_eq!(decode(&position, &legal, encode(mv)), Some(mv), "{fen} {mv:?}");
            }
        }
    }

    #[test]
    fn castling_and_what_looks_like_it() {
        let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        // e1h1 and e1a1, then the king's own steps.
        assert_eq!(text(&castling, 0x0107).as_deref(), Some("O-O"));
        assert_eq!(text(&castling, 0x0100).as_deref(), Some("O-O-O"));
        assert_eq!(text(&castling, 0x0106).as_deref(), Some("O-O"));
        assert_eq!(text(&castling, 0x0102).as_deref(), Some("O-O-O"));
        let rook = position("3k4/8/8/8/8/8/3K4/4R3 w - - 0 1");
        assert_eq!(text(&rook, 0x0100).as_deref(), Some("Ra1"));
    }

    #[test]
    fn codes_of_no_legal_move_are_nothing() {
        let start = Position::start();
        for code in [0, 0xffff, 0x0100, 0x7000] {
            assert_eq!(text(&start, code), None, "{code:#x}");
        }
    }

    #[test]
    fn promotions_are_distinguished() {
        let position = position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        let base = 56 | 48 << 6;
        for (man, expected) in [(1, "a8=N"), (2, "a8=B"), (3, "a8=R"), (4, "a8=Q")] {
            assert_eq!(text(&position, base | man << 12).as_deref(), Some(expected));
        }
        assert_eq!(text(&position, base), None);
    }
}
