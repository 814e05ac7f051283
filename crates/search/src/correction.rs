//! Correction histories: how far the search moved away from the static evaluation in positions
//! that share a part, such as the pawn structure
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use crate::depth::Depth;
use crate::history::{PieceTo, learn};
use crate::parameters::{
    correction_bonus_divisor, correction_continuation_weight, correction_minor_weight,
    correction_non_pawn_weight, correction_pawn_weight,
};
use kaiyo_chess::{Colour, Position};
use kaiyo_memory::Zeroable;

/// Entries of one table; a power of two, so that keys are cut by a mask.
const TABLE_LEN: usize = 16_384;
/// No entry exceeds this.
const LIMIT: i32 = 1_024;
/// The most that one search moves an entry by.
const BONUS_MAX: i32 = LIMIT / 4;
/// What the sum of weighted entries is divided by to give centipawns.
const WEIGHT_UNIT: i32 = 1_024;

type Table = [[i16; TABLE_LEN]; 2];
/// By the man moved last and its to-square; the mover tells the side to move.
type LastMoveTable = [i16; PieceTo::COUNT + 1];

/// The moves before a position that its corrections depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecentMoves {
    /// The move that led to the position.
    pub last: PieceTo,
    /// The moves two and four plies back.
    pub earlier: [PieceTo; 2],
}

/// The correction tables of one search thread, those of partial keys also by side to move.
pub(crate) struct Corrections {
    pawn: Table,
    minor: Table,
    /// By the colour of the men.
    non_pawn: [Table; 2],
    /// By an earlier move, then the last one.
    continuation: [LastMoveTable; PieceTo::COUNT + 1],
}

// SAFETY: arrays of integers.
unsafe impl Zeroable for Corrections {}

impl Corrections {
    /// Centipawns to add to the static evaluation of `position`, reached by `moves`.
    #[inline]
    pub fn centipawns(&self, position: &Position, moves: &RecentMoves) -> i32 {
        let side = position.side_to_move().index();
        let keys = position.keys();
        let pawn = i32::from(self.pawn[side][index(keys.pawn)]);
        let minor = i32::from(self.minor[side][index(keys.minor)]);
        let non_pawn: i32 = Colour::ALL
            .iter()
            .map(|colour| {
                let table = &self.non_pawn[colour.index()];
                i32::from(table[side][index(keys.non_pawn[colour.index()])])
            })
            .sum();
        let continuation: i32 = moves
            .earlier
            .iter()
            .map(|earlier| i32::from(self.continuation[earlier.index()][moves.last.index()]))
            .sum();
        (correction_pawn_weight() * pawn
            + correction_minor_weight() * minor
            + correction_non_pawn_weight() * non_pawn
            + correction_continuation_weight() * continuation)
            / WEIGHT_UNIT
    }

    /// Learns that a search of `depth` found `error` centipawns more than the static evaluation.
    pub fn update(&mut self, position: &Position, moves: &RecentMoves, error: i32, depth: Depth) {
        let side = position.side_to_move().index();
        let keys = position.keys();
        let bonus = error * depth.plies() / correction_bonus_divisor();
        let bonus = bonus.clamp(-BONUS_MAX, BONUS_MAX);
        learn(&mut self.pawn[side][index(keys.pawn)], bonus, LIMIT);
        learn(&mut self.minor[side][index(keys.minor)], bonus, LIMIT);
        for colour in Colour::ALL {
            let key = keys.non_pawn[colour.index()];
            learn(&mut self.non_pawn[colour.index()][side][index(key)], bonus, LIMIT);
        }
        for earlier in moves.earlier {
            learn(&mut self.continuation[earlier.index()][moves.last.index()], bonus, LIMIT);
        }
    }
}

#[inline(always)]
const fn index(key: u64) -> usize {
    key as usize & (TABLE_LEN - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::{Piece, PieceType, Square};
    use kaiyo_memory::HugeBox;

    const NO_MOVES: RecentMoves = RecentMoves { last: PieceTo::NONE, earlier: [PieceTo::NONE; 2] };

    #[test]
    fn errors_are_learnt_for_positions_that_share_a_part() {
        let mut corrections = HugeBox::<Corrections>::zeroed();
        let position = Position::start();
        assert_eq!(corrections.centipawns(&position, &NO_MOVES), 0);
        for _ in 0..100 {
            corrections.update(&position, &NO_MOVES, 60, Depth::new(8));
        }
        let learnt = corrections.centipawns(&position, &NO_MOVES);
        assert!(learnt > 20, "{learnt}");
        // The same pawns and the same black men, but not the same white ones.
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
        let related = corrections.centipawns(&Position::from_fen(fen).unwrap(), &NO_MOVES);
        assert!(related > 0 && related < learnt, "{related}");
        // The same position after another move.
        let knight = PieceTo::new(Piece::new(Colour::Black, PieceType::Knight), Square::G8);
        let moves = RecentMoves { last: knight, ..NO_MOVES };
        let other_way = corrections.centipawns(&position, &moves);
        assert!(other_way > 0 && other_way < learnt, "{other_way}");
        // For the other side to move, after another move, nothing is known.
        assert_eq!(corrections.centipawns(&position.make_null(), &moves), 0);
    }

    #[test]
    fn corrections_stay_bounded() {
        let mut corrections = HugeBox::<Corrections>::zeroed();
        let position = Position::start();
        for _ in 0..10_000 {
            corrections.update(&position, &NO_MOVES, -30_000, Depth::new(60));
        }
        assert!(corrections.pawn[0][index(position.keys().pawn)] >= -LIMIT as i16);
        assert!(corrections.centipawns(&position, &NO_MOVES) < -50);
    }
}
