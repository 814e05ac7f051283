//! Keys of positions.

use crate::random64::RANDOM64;
use kaiyo_chess::{Colour, File, Move, MoveFlag, PieceType, Position, Square};

/// Where the numbers of each kind begin in the table.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key of a position that `last_move` has led to, if there was one.
///
/// The move matters for en passant: the file counts when a pawn stands beside the one that has
/// made a double step, even if it is pinned and cannot capture, which a [`Position`] does not
/// remember.
pub fn key(position: &Position, last_move: Option<Move>) -> u64 {
    let mut key = 0;
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            let white = usize::from(piece.colour() == Colour::White);
            let kind = 2 * piece.piece_type().index() + white;
            key ^= RANDOM64[64 * kind + square.index()];
        }
    }
    for rook in position.castling_rooks() {
        let colour =
            if rook.rank() == Colour::White.back_rank() { Colour::White } else { Colour::Black };
        let queen_side = usize::from(rook.file() < position.king(colour).file());
        let black = usize::from(colour == Colour::Black);
        key ^= RANDOM64[CASTLING + 2 * black + queen_side];
    }
    if let Some(file) = en_passant_file(position, last_move) {
        key ^= RANDOM64[EN_PASSANT + file.index()];
    }
    if position.side_to_move() == Colour::White {
        key ^= RANDOM64[WHITE_TO_MOVE];
    }
    key
}

/// The file of a pawn that has just made a double step and has a pawn of the other side beside.
fn en_passant_file(position: &Position, last_move: Option<Move>) -> Option<File> {
    if let Some(square) = position.en_passant() {
        return Some(square.file());
    }
    let mv = last_move.filter(|mv| mv.flag() == MoveFlag::DoublePush)?;
    let pawns = position.pieces(position.side_to_move(), PieceType::Pawn);
    let beside = [-1, 1].into_iter().filter_map(|step| {
        let file = mv.to().file().index().checked_add_signed(step)?;
        Some(Square::new(*File::ALL.get(file)?, mv.to().rank()))
    });
    beside.into_iter().any(|square| pawns.contains(square)).then_some(mv.to().file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Game;

    fn key_after(moves: &str) -> u64 {
        let mut game = Game::default();
        moves.split_whitespace().for_each(|mv| game.play_uci(mv).unwrap());
        key(game.position(), game.moves().last().copied())
    }

    /// The keys that the description of the format publishes.
    #[test]
    fn published_keys() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key_after(moves), expected, "{moves}");
        }
    }

    #[test]
    fn a_pinned_pawn_beside_counts() {
        let start = Position::from_fen("8/8/8/K2pP2q/8/8/8/4k3 w - - 0 1").unwrap();
        let before = Position::from_fen("8/3p4/8/K3P2q/8/8/8/4k3 b - - 0 1").unwrap();
        let mv = before.parse_uci_move("d7d5").unwrap();
        let after = before.make(mv);
        assert_eq!(after.en_passant(), None);
        assert_eq!(key(&after, Some(mv)), key(&start, None) ^ RANDOM64[EN_PASSANT + 3]);
    }

    #[test]
    fn castling_rights_count_one_by_one() {
        let with = |rights: &str| {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
            key(&Position::from_fen(&fen).unwrap(), None)
        };
        for (index, right) in ["K", "Q", "k", "q"].into_iter().enumerate() {
            assert_eq!(with(right) ^ with("-"), RANDOM64[CASTLING + index], "{right}");
        }
    }
}
