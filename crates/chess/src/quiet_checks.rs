//! Generation of quiet moves that give check.

use crate::attacks::{between, bishop_attacks, knight_attacks, line, pawn_attacks, rook_attacks};
use crate::bitboard::Bitboard;
use crate::movegen::MoveSink;
use crate::moves::{Move, MoveFlag};
use crate::piece::PieceType;
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// Sends the legal quiet moves that give check to `sink`, promotions left out.
    pub fn generate_quiet_checks(&self, sink: &mut impl MoveSink) {
        self.generate_quiet(&mut ChecksOnly {
            position: self,
            king: self.king(!self.side_to_move()),
            check_squares: self.check_squares(),
            hiders: self.hiders(),
            sink,
        });
    }

    /// The squares from which each type of man of the side to move would check the enemy king.
    pub fn check_squares(&self) -> [Bitboard; 6] {
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied();
        let diagonal = bishop_attacks(king, occupied);
        let straight = rook_attacks(king, occupied);
        let pawn = pawn_attacks(!us, king);
        [pawn, knight_attacks(king), diagonal, straight, diagonal | straight, Bitboard::EMPTY]
    }

    /// Men of the side to move that alone stand between a slider of theirs and the enemy king.
    fn hiders(&self) -> Bitboard {
        let us = self.side_to_move();
        let king = self.king(!us);
        let none = Bitboard::EMPTY;
        let sliders = rook_attacks(king, none) & self.straight_sliders(us)
            | bishop_attacks(king, none) & self.diagonal_sliders(us);
        let mut hiders = none;
        for slider in sliders {
            let blockers = between(king, slider) & self.occupied();
            if !blockers.more_than_one() {
                hiders |= blockers & self.colour(us);
            }
        }
        hiders
    }
}

/// Passes on only the moves that give check.
struct ChecksOnly<'a, S> {
    position: &'a Position,
    /// Of the other side.
    king: Square,
    check_squares: [Bitboard; 6],
    /// See [`Position::hiders`].
    hiders: Bitboard,
    sink: &'a mut S,
}

impl<S: MoveSink> MoveSink for ChecksOnly<'_, S> {
    #[inline(always)]
    fn targets(&mut self, from: Square, targets: Bitboard, flag: MoveFlag) {
        if flag == MoveFlag::Quiet {
            let Some(piece) = self.position.piece_on(from) else { return };
            let mut checking = self.check_squares[piece.piece_type().index()];
            if self.hiders.contains(from) {
                checking |= !line(self.king, from);
            }
            self.sink.targets(from, targets & checking, flag);
        } else {
            // Castling.
            for to in targets {
                if self.position.gives_check(Move::new(from, to, flag)) {
                    self.sink.targets(from, Bitboard::from(to), flag);
                }
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8, flag: MoveFlag) {
        if !matches!(flag, MoveFlag::Quiet | MoveFlag::DoublePush) {
            return;
        }
        let mut checking = self.check_squares[PieceType::Pawn.index()];
        for from in self.hiders & self.position.piece_type(PieceType::Pawn) {
            // A push that stays on the line still hides.
            let to = from.step(step);
            if !line(self.king, from).contains(to) {
                checking |= Bitboard::from(to);
            }
        }
        self.sink.pawns(targets & checking, step, flag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::MoveList;
    use crate::random::split_mix;

    fn checks(position: &Position) -> Vec<u16> {
        let mut list = MoveList::new();
        position.generate_quiet_checks(&mut list);
        let mut codes: Vec<u16> = list.iter().map(|mv| mv.bits()).collect();
        codes.sort_unstable();
        codes
    }

    /// The same by asking of every move whether it gives check.
    fn expected(position: &Position) -> Vec<u16> {
        let moves = position.legal_moves();
        let is_wanted =
            |mv: &&Move| !mv.is_noisy() && !mv.is_promotion() && position.gives_check(**mv);
        let mut codes: Vec<u16> = moves.iter().filter(is_wanted).map(|mv| mv.bits()).collect();
        codes.sort_unstable();
        codes
    }

    #[test]
    fn checks_are_the_quiet_moves_that_give_check() {
        let mut found = 0;
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            // Men of all kinds uncover sliders; pawns along the line and off it; castling checks.
            "8/6k1/8/8/3N4/2B5/8/4K2R w K - 0 1",
            "3k4/8/8/8/8/8/3P4/3RK3 w - - 0 1",
            "8/8/1k6/8/3P4/4B3/8/4K3 w - - 0 1",
            "8/8/8/4k3/8/2P5/1B6/4K3 w - - 0 1",
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            "8/8/8/8/k2PK2R/8/8/8 w - - 0 1",
            "8/6k1/8/8/8/8/1K6/B7 w - - 0 1",
        ] {
            let mut seed = 7;
            for _ in 0..30 {
                let mut position = Position::from_fen(fen).unwrap();
                for _ in 0..60 {
                    assert_eq!(checks(&position), expected(&position), "{position}");
                    found += checks(&position).len();
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    position = position.make(moves[split_mix(&mut seed) as usize % moves.len()]);
                }
            }
        }
        assert!(found > 1_000, "only {found} checks were tried");
    }
}
