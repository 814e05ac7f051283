//! The end of a mate line.
//!
//! A principal variation ends where the hash table answered. The moves from there to the mate are looked
//! up in the table, and proven by a search for mate where entries have been lost.

use kaiyo_chess::{Move, Position};
use std::collections::HashMap;

/// Positions between two looks at the time.
const LATENESS_INTERVAL: u64 = 64;

/// A line to a mate.
pub(super) struct CompleteLine {
    pub moves: Vec<Move>,
    /// Whether the mate does not come later after the first move, whatever the defender plays.
    pub is_proven: bool,
}

/// Finds the moves from a position to a mate that is known to be there.
pub(super) struct MateLine<F, L> {
    /// The move that the search knows of a position.
    known_move: F,
    /// Whether there is no more time.
    is_late: L,
    /// Positions that may still be visited.
    nodes_left: u64,
    /// Whether the attacker tries checks and known moves alone.
    only_checks: bool,
    /// Half-moves within which the attacker does not mate, by the keys of positions.
    refuted: HashMap<u64, usize>,
}

impl<F: Fn(&Position) -> Option<Move>, L: Fn() -> bool> MateLine<F, L> {
    /// A prover that visits at most `max_nodes` positions, and no more once it is late.
    pub fn new(known_move: F, is_late: L, max_nodes: u64) -> Self {
        let refuted = HashMap::new();
        Self { known_move, is_late, nodes_left: max_nodes, only_checks: true, refuted }
    }

    /// Positions that may still be visited.
    pub const fn nodes_left(&self) -> u64 {
        self.nodes_left
    }

    /// `line` from `root` on, continued to a mate `plies` half-moves from `root`, or else to a sooner one;
    /// `None` if there is none.
    pub fn complete(
        &mut self,
        root: &Position,
        line: &[Move],
        plies: usize,
    ) -> Option<CompleteLine> {
        let mut moves = line.to_vec();
        let mut positions = vec![*root];
        for &mv in line {
            positions.push(positions[positions.len() - 1].make(mv));
        }
        while let Some(position) = positions.last()
            && moves.len() < plies
            && let Some(mv) = (self.known_move)(position).filter(|&mv| position.is_legal(mv))
        {
            positions.push(position.make(mv));
            moves.push(mv);
        }
        // Known moves may go astray, but the further they are right, the less is left to prove. Where those of the
        // defender are not the best, the mate comes too soon.
        let first = line.len().min(1);
        let mut sooner = None;
        for (played, position) in positions.iter().enumerate().skip(first).rev() {
            let Some(rest) = self.prove(position, plies - played) else { continue };
            let moves = moves[..played].iter().chain(rest.iter().rev()).copied().collect();
            let complete = CompleteLine { moves, is_proven: played == first };
            if complete.is_proven || complete.moves.len() == plies {
                return Some(complete);
            }
            sooner.get_or_insert(complete);
        }
        sooner
    }

    /// The moves to the soonest mate within `plies`, last one first.
    fn prove(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        if self.nodes_left == 0 {
            return None;
        }
        for only_checks in [true, false] {
            self.only_checks = only_checks;
            self.refuted.clear();
            for plies in (plies % 2..=plies).step_by(2) {
                let attacks = plies % 2 == 1;
                let line = if attacks {
                    self.attack(position, plies)
                } else {
                    self.defend(position, plies)
                };
                if line.is_some() {
                    return line;
                }
            }
        }
        None
    }

    /// Moves to a mate by the side to move within `plies`, last one first.
    fn attack(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        if self.refuted.get(&position.key()).is_some_and(|&refuted| refuted >= plies) {
            return None;
        }
        let known = (self.known_move)(position);
        let legal = position.legal_moves();
        let is_known = |mv: &Move| known == Some(*mv);
        let (checks, others): (Vec<Move>, Vec<Move>) =
            legal.iter().filter(|mv| !is_known(mv)).partition(|mv| position.gives_check(**mv));
        let others = if self.only_checks || plies == 1 { Vec::new() } else { others };
        let known = legal.iter().copied().find(is_known);
        for mv in known.into_iter().chain(checks).chain(others) {
            if let Some(mut line) = self.defend(&position.make(mv), plies - 1) {
                line.push(mv);
                return Some(line);
            }
        }
        if self.nodes_left > 0 {
            self.refuted.insert(position.key(), plies);
        }
        None
    }

    /// The longest defence of the side to move, last move first, if every one is mated within `plies`.
    fn defend(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if self.nodes_left.is_multiple_of(LATENESS_INTERVAL) && (self.is_late)() {
            self.nodes_left = 0;
            return None;
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.in_check().then(Vec::new);
        }
        if plies == 0 || position.is_fifty_move_draw() {
            return None;
        }
        let mut longest = Vec::new();
        for &mv in &*moves {
            let mut line = self.attack(&position.make(mv), plies - 1)?;
            if line.len() >= longest.len() {
                line.push(mv);
                longest = line;
            }
        }
        Some(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("a valid FEN")
    }

    /// What is proven of a position of which nothing is known.
    fn prove(fen: &str, plies: usize, nodes: u64) -> Option<Vec<Move>> {
        let nothing = |_: &Position| None;
        let line = MateLine::new(nothing, || false, nodes).complete(&position(fen), &[], plies)?;
        assert!(line.is_proven);
        Some(line.moves)
    }

    fn ends_in_mate(fen: &str, line: &[Move]) -> bool {
        let mut position = position(fen);
        line.iter().all(|&mv| {
            let legal = position.is_legal(mv);
            position = position.make(mv);
            legal
        }) && position.is_checkmate()
    }

    /// Morphy's problem, whose key is no check; the end of his opera game, by checks alone; a defender to
    /// move.
    #[test]
    fn mates_are_proven_to_their_end() {
        for (fen, plies) in [
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
            ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 0", 3),
            ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", 2),
        ] {
            let line = prove(fen, plies, 100_000).unwrap_or_default();
            assert!(ends_in_mate(fen, &line), "{fen}: {line:?}");
        }
    }

    #[test]
    fn no_mate_is_claimed_that_is_not_forced() {
        assert_eq!(prove("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1, 100_000), None);
        assert_eq!(prove("7k/8/8/8/8/8/R7/K7 w - - 0 1", 5, 100_000), None);
        // The mating move would come after the fifty-move rule has ended the game.
        assert_eq!(prove("kbK5/pp6/1P6/8/8/8/8/R7 w - - 99 60", 3, 100_000), None);
    }

    #[test]
    fn the_proof_ends_with_its_nodes() {
        assert_eq!(prove("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 0", 3, 2), None);
    }

    #[test]
    fn the_proof_ends_when_it_is_late() {
        let nothing = |_: &Position| None;
        let mut late = MateLine::new(nothing, || true, 100_000);
        assert!(late.complete(&position("7k/8/8/8/8/8/R7/K7 w - - 0 1"), &[], 15).is_none());
        assert_eq!(late.nodes_left(), 0);
        assert!(late.refuted.len() < 1000, "nodes were visited after it was late");
    }

    #[test]
    fn known_moves_that_go_astray_are_taken_back() {
        let fen = "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 0";
        let start = position(fen);
        let astray = start.legal_moves().iter().copied().find(|mv| !start.gives_check(*mv));
        let known = |at: &Position| astray.filter(|_| at.key() == start.key());
        let mut mate_line = MateLine::new(known, || false, 100_000);
        let line = mate_line.complete(&start, &[], 3).expect("a line").moves;
        assert!(ends_in_mate(fen, &line), "{line:?}");
    }

    /// A score may promise a later mate than there is.
    #[test]
    fn lines_are_as_long_as_the_best_defence() {
        let fen = "8/8/8/8/8/1k6/7r/K7 b - - 0 1";
        let start = position(fen);
        let mate = start.parse_uci_move("h2h1").unwrap();
        let slow = start.parse_uci_move("h2g2").unwrap();
        let nothing = |_: &Position| None;
        // A mate in three, says the score; it is one in two, and in one.
        for (first, plies) in [(slow, 3), (mate, 1)] {
            let mut mate_line = MateLine::new(nothing, || false, 100_000);
            let line = mate_line.complete(&start, &[first], 5).expect("a line");
            assert!(line.is_proven && line.moves.len() == plies, "{:?}", line.moves);
            assert!(ends_in_mate(fen, &line.moves));
        }
    }
}
