//! The board as inputs of the transformer: rows of a table that are summed.

use kaiyo_chess::{Colour, Position};

/// Rows of the board table:
///
/// | rows | meaning |
/// |---|---|
/// | 0-383 | a man of the side to move: type (pawn, knight, bishop, rook, queen, king) x square |
/// | 384-767 | a man of the other side, likewise |
/// | 768-771 | castling: own king side, own queen side, the other's king side, queen side |
/// | 772-779 | file on which an en passant capture is legal |
/// | 780 | the side to move is the second player of the sequence |
///
/// Squares are seen from the side to move, as in tokens.
pub const BOARD_FEATURES: usize = 781;

const OTHER_SIDE: usize = 6 * 64;
const CASTLING: usize = 2 * OTHER_SIDE;
const EN_PASSANT: usize = CASTLING + 4;
const SECOND_PLAYER: usize = EN_PASSANT + 8;

/// 32 men, 4 castling rights, en passant, second player.
const MAX_ACTIVE: usize = 38;

/// The rows of the board table that a position sums, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct BoardFeatures {
    rows: [u16; MAX_ACTIVE],
    len: u8,
}

impl BoardFeatures {
    /// Those of a position. `first_player` is the colour that moves first in the sequence.
    pub fn new(position: &Position, first_player: Colour) -> Self {
        let us = position.side_to_move();
        let mut features = Self { rows: [0; MAX_ACTIVE], len: 0 };
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            let seen = if us == Colour::White { square } else { square.flip_rank() };
            let side = if piece.colour() == us { 0 } else { OTHER_SIDE };
            features.push(side + 64 * piece.piece_type().index() + seen.index());
        }
        for rook in position.castling_rooks() {
            let colour = if position.colour(us).contains(rook) { us } else { !us };
            let queen_side = usize::from(rook < position.king(colour));
            features.push(CASTLING + 2 * usize::from(colour != us) + queen_side);
        }
        if let Some(square) = position.en_passant() {
            features.push(EN_PASSANT + square.file().index());
        }
        if us != first_player {
            features.push(SECOND_PLAYER);
        }
        // One order of additions for both colours.
        features.rows[..usize::from(features.len)].sort_unstable();
        features
    }

    /// Positions have at most 32 men, so that nothing is dropped.
    fn push(&mut self, row: usize) {
        if let Some(slot) = self.rows.get_mut(usize::from(self.len)) {
            *slot = row as u16;
            self.len += 1;
        }
    }

    /// The rows, each below [`BOARD_FEATURES`].
    pub fn rows(&self) -> &[u16] {
        &self.rows[..usize::from(self.len)]
    }
}

impl PartialEq for BoardFeatures {
    fn eq(&self, other: &Self) -> bool {
        self.rows() == other.rows()
    }
}

impl Eq for BoardFeatures {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn rows(fen: &str, first_player: Colour) -> BTreeSet<usize> {
        let position = Position::from_fen(fen).expect(fen);
        let features = BoardFeatures::new(&position, first_player);
        let rows: BTreeSet<usize> = features.rows().iter().map(|&row| row.into()).collect();
        assert_eq!(rows.len(), features.rows().len());
        assert!(rows.iter().all(|&row| row < BOARD_FEATURES));
        rows
    }

    #[test]
    fn rows_are_those_of_the_table() {
        let fen = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1";
        let expected = [
            4 * 8 + 4,             // pawn e5
            3 * 64 + 7,            // rook h1
            5 * 64 + 4,            // king e1
            384 + 4 * 8 + 3,       // pawn d5
            384 + 3 * 64 + 56,     // rook a8
            384 + 5 * 64 + 56 + 4, // king e8
            768,                   // own king side
            771,                   // the other's queen side
            772 + 3,               // d file
        ];
        assert_eq!(rows(fen, Colour::White), BTreeSet::from(expected));
        let second = rows(fen, Colour::Black);
        assert_eq!(second.len(), expected.len() + 1);
        assert!(second.contains(&780));
    }

    #[test]
    fn exchanged_colours_have_the_same_rows() {
        let white = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1";
        let black = "4k2r/8/8/8/3Pp3/8/8/R3K3 b Qk d3 0 1";
        assert_eq!(rows(white, Colour::White), rows(black, Colour::Black));
    }

    #[test]
    fn castling_rooks_of_chess960_are_told_by_side() {
        let rows = rows("1r1k1r2/8/8/8/8/8/8/1RK2R2 w BFbf - 0 1", Colour::White);
        assert!((768..772).all(|row| rows.contains(&row)));
    }
}
