//! The values of positions: what tables store, completed by the captures that they leave out.
//!
//! To be small, tables hold any value for positions in which a capture, or for distances a winning
//! pawn move, is best; and they know of no en passant. So these moves are tried out.

use crate::set::Tablebases;
use crate::table::{Distance, TableKind};
use crate::value::{Dtz, Wdl};
use kaiyo_chess::{Move, MoveList, PieceType, Position};

/// A result, and whether a capture or pawn move reaches it.
#[derive(Clone, Copy)]
struct Resolved {
    wdl: Wdl,
    /// The distance to zero follows from it then, and the table need not hold it.
    by_zeroing: bool,
}

/// Whether the positions after each move may be looked up where a table is for the other side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherSide {
    IsAsked,
    IsNotAsked,
}

impl Tablebases {
    /// The result of best play, as if the fifty-move clock stood at zero. `None` if there is no
    /// table for it, or with castling rights, of which tables know nothing.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        if position.castling_rooks().any() {
            return None;
        }
        self.resolve_captures(position)
    }

    /// The distance to zero. `None` if there is no table for it, or with castling rights.
    pub fn probe_dtz(&self, position: &Position) -> Option<Dtz> {
        self.dtz(position, OtherSide::IsAsked)
    }

    /// The distance to zero for the side to move if it plays this legal move.
    pub fn probe_move(&self, position: &Position, mv: Move) -> Option<Dtz> {
        self.dtz_of_move(position, mv, OtherSide::IsAsked)
    }

    fn dtz_of_move(&self, position: &Position, mv: Move, other_side: OtherSide) -> Option<Dtz> {
        let next = position.make(mv);
        if is_zeroing(position, mv) {
            return Some((-self.probe_wdl(&next)?).distance_by_zeroing());
        }
        if next.is_checkmate() {
            return Some(Wdl::Win.distance_by_zeroing());
        }
        Some(self.dtz(&next, other_side)?.before_quiet_move())
    }

    /// The better of the table and the captures.
    fn resolve_captures(&self, position: &Position) -> Option<Wdl> {
        let mut best = None;
        let mut captures = MoveList::new();
        position.generate_noisy(&mut captures);
        for &mv in captures.iter().filter(|mv| mv.is_capture()) {
            let wdl = -self.resolve_captures(&position.make(mv))?;
            best = best.max(Some(wdl));
            if wdl == Wdl::Win {
                return best;
            }
        }
        // The table takes a side whose only move is en passant for mated or stalemated.
        if let Some(best) = best
            && position.en_passant().is_some()
            && position.legal_moves().iter().all(|mv| mv.is_capture())
        {
            return Some(best);
        }
        best.max(Some(self.wdl_entry(position)?))
    }

    /// The result, and whether a capture or pawn move is best.
    fn resolve_zeroing(&self, position: &Position) -> Option<Resolved> {
        let moves = position.legal_moves();
        let mut best = None;
        let mut only_zeroing = !moves.is_empty();
        for &mv in moves.iter() {
            if !is_zeroing(position, mv) {
                only_zeroing = false;
                continue;
            }
            let wdl = -self.resolve_captures(&position.make(mv))?;
            best = best.max(Some(wdl));
            if wdl == Wdl::Win {
                return Some(Resolved { wdl, by_zeroing: true });
            }
        }
        let stored = if only_zeroing { None } else { Some(self.wdl_entry(position)?) };
        let by_zeroing = best.filter(|&wdl| Some(wdl) >= stored);
        Some(match (by_zeroing, stored) {
            (Some(wdl), _) => Resolved { wdl, by_zeroing: wdl > Wdl::Draw || only_zeroing },
            (None, stored) => Resolved { wdl: stored?, by_zeroing: false },
        })
    }

    fn dtz(&self, position: &Position, other_side: OtherSide) -> Option<Dtz> {
        if position.castling_rooks().any() {
            return None;
        }
        let Resolved { wdl, by_zeroing } = self.resolve_zeroing(position)?;
        if wdl == Wdl::Draw {
            return Some(Dtz::DRAW);
        }
        if by_zeroing {
            return Some(wdl.distance_by_zeroing());
        }
        match self.dtz_entry(position, wdl)? {
            Distance::Known(dtz) => Some(dtz),
            Distance::OtherSide if other_side == OtherSide::IsAsked => {
                self.dtz_by_moves(position, wdl)
            }
            // Only a damaged table is for neither side.
            Distance::OtherSide => None,
        }
    }

    /// The distance from those after each move: the shortest win or the longest loss.
    fn dtz_by_moves(&self, position: &Position, wdl: Wdl) -> Option<Dtz> {
        let mut best: Option<Dtz> = None;
        for &mv in position.legal_moves().iter() {
            let dtz = self.dtz_of_move(position, mv, OtherSide::IsNotAsked)?;
            let better =
                best.is_none_or(|best| (dtz.plies, dtz.longest) < (best.plies, best.longest));
            if dtz.plies.signum() == i32::from(wdl.number().signum()) && better {
                best = Some(dtz);
            }
        }
        // Without a move that keeps the result, the side is mated.
        Some(best.unwrap_or(Wdl::Loss.distance_by_zeroing()))
    }

    fn wdl_entry(&self, position: &Position) -> Option<Wdl> {
        if position.occupied().len() == 2 {
            return Some(Wdl::Draw);
        }
        self.with_table(position, TableKind::Wdl, |table| table.wdl_entry(position))
    }

    fn dtz_entry(&self, position: &Position, wdl: Wdl) -> Option<Distance> {
        self.with_table(position, TableKind::Dtz, |table| table.dtz_entry(position, wdl))
    }
}

/// Whether a move sets the fifty-move clock to zero.
fn is_zeroing(position: &Position, mv: Move) -> bool {
    mv.is_capture() || position.piece_type(PieceType::Pawn).contains(mv.from())
}
