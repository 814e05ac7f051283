//! Choosing the moves of a book.

use crate::collection::Collection;
use crate::entry::{Entry, encode};
use crate::key::key;
use crate::statistics::MoveStatistics;
use core::cmp::Reverse;
use kaiyo_chess::{Move, Position};
use std::collections::HashSet;

/// Which moves a book takes from games.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Half-moves from the start position.
    pub max_plies: usize,
    /// Games in which the move was played.
    pub min_games: u32,
    /// Share of the games with the position in which the move was played, from 0 to 1.
    pub min_share: f64,
    /// Share of points that the player of the move has made, from 0 to 1.
    pub min_score: f64,
    /// Moves of a position, the most played ones.
    pub max_moves: usize,
}

/// A move that games recommend.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The position it is played in.
    pub position: Position,
    /// The key of that position.
    pub key: u64,
    /// The move.
    pub mv: Move,
    /// How its games went.
    pub statistics: MoveStatistics,
}

impl Candidate {
    /// The position after the move, with its key.
    pub fn child(&self) -> (Position, u64) {
        let position = self.position.make(self.mv);
        (position, key(&position, Some(self.mv)))
    }
}

/// The entries of a book from the start position on, one half-move after the other: only
/// positions that chosen moves lead to are looked at.
///
/// `judge` is shown all candidates of a half-move, those of a position side by side, and says
/// which of them to take.
///
/// # Errors
/// Those of `judge`.
pub fn select<E>(
    collection: &Collection,
    selection: &Selection,
    mut judge: impl FnMut(usize, &[Candidate]) -> Result<Vec<bool>, E>,
) -> Result<Vec<Entry>, E> {
    let start = Position::start();
    let mut frontier = vec![(start, key(&start, None))];
    let mut seen: HashSet<u64> = frontier.iter().map(|&(_, key)| key).collect();
    let mut entries = Vec::new();
    for ply in 0..selection.max_plies {
        let candidates: Vec<Candidate> = frontier
            .iter()
            .flat_map(|&(position, key)| candidates(collection, selection, position, key))
            .collect();
        if candidates.is_empty() {
            break;
        }
        let verdicts = judge(ply, &candidates)?;
        let mut chosen = candidates;
        let mut verdict = verdicts.into_iter();
        chosen.retain(|_| verdict.next().unwrap_or(false));
        frontier.clear();
        for candidate in &chosen {
            let (position, key) = candidate.child();
            if seen.insert(key) {
                frontier.push((position, key));
            }
        }
        for siblings in chosen.chunk_by(|one, other| one.key == other.key) {
            entries.extend(weigh(siblings));
        }
    }
    Ok(entries)
}

/// The moves of a position that pass the selection, the most played ones first.
fn candidates(
    collection: &Collection,
    selection: &Selection,
    position: Position,
    key: u64,
) -> Vec<Candidate> {
    let mut known: Vec<Candidate> = position
        .legal_moves()
        .iter()
        .filter_map(|&mv| {
            let statistics = collection.get(key, mv)?;
            Some(Candidate { position, key, mv, statistics })
        })
        .collect();
    let games: u64 = known.iter().map(|candidate| u64::from(candidate.statistics.games)).sum();
    known.retain(|candidate| {
        let statistics = candidate.statistics;
        statistics.games >= selection.min_games
            && f64::from(statistics.games) >= selection.min_share * games as f64
            && statistics.score() >= selection.min_score
    });
    known.sort_by_key(|candidate| (Reverse(candidate.statistics.games), candidate.mv.bits()));
    known.truncate(selection.max_moves);
    known
}

/// Entries with weights proportional to the points made, which are the largest that fit when
/// they do not fit as half points.
fn weigh(siblings: &[Candidate]) -> impl Iterator<Item = Entry> {
    let most = siblings.iter().map(|candidate| candidate.statistics.half_points).max();
    let divisor = f64::from(most.unwrap_or(0)) / f64::from(u16::MAX);
    siblings.iter().map(move |candidate| {
        let points = f64::from(candidate.statistics.half_points) / divisor.max(1.0);
        Entry {
            key: candidate.key,
            code: encode(candidate.mv),
            weight: points.round().max(1.0) as u16,
            learn: candidate.statistics.to_learn(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::convert::Infallible;
    use kaiyo_chess::Game;

    /// Games with White's half points.
    const GAMES: [(&str, u32); 6] = [
        ("e2e4 e7e5 g1f3", 2),
        ("e2e4 e7e5 g1f3", 2),
        ("e2e4 c7c5 g1f3", 0),
        ("d2d4 d7d5 c2c4", 1),
        ("c2c4 e7e5 b1c3", 0),
        ("g1f3 d7d5 d2d4", 1),
    ];
    const ALL: Selection =
        Selection { max_plies: 9, min_games: 1, min_share: 0.0, min_score: 0.0, max_moves: 9 };

    fn collection() -> Collection {
        let mut collection = Collection::new(1000);
        for (moves, white_half_points) in GAMES {
            let mut game = Game::default();
            moves.split_whitespace().for_each(|mv| game.play_uci(mv).unwrap());
            collection.add(*game.start(), game.moves().iter().copied(), white_half_points);
        }
        collection
    }

    /// The chosen moves in their order, where `refused` ones are not taken.
    fn chosen(selection: &Selection, refused: &[&str]) -> Vec<String> {
        let mut texts = Vec::new();
        let judge = |_, candidates: &[Candidate]| -> Result<Vec<bool>, Infallible> {
            let sans = candidates.iter().map(|candidate| candidate.position.san(candidate.mv));
            let sans: Vec<String> = sans.collect();
            let verdicts = sans.iter().map(|san| !refused.contains(&san.as_str())).collect();
            texts.extend(sans.into_iter().filter(|san| !refused.contains(&san.as_str())));
            Ok(verdicts)
        };
        let entries = select(&collection(), selection, judge).unwrap();
        assert_eq!(entries.len(), texts.len());
        texts
    }

    #[test]
    fn everything_is_taken_that_nothing_speaks_against() {
        assert_eq!(chosen(&ALL, &[]).len(), 4 + 5 + 5);
    }

    #[test]
    fn the_selection_is_kept() {
        let two = Selection { min_games: 2, ..ALL };
        assert_eq!(chosen(&two, &[]), ["e4", "e5", "Nf3"]);
        let played = Selection { min_share: 0.4, max_plies: 1, ..ALL };
        assert_eq!(chosen(&played, &[]), ["e4"]);
        let good = Selection { min_score: 0.5, max_plies: 1, ..ALL };
        assert_eq!(chosen(&good, &[]).len(), 3);
        let first = Selection { max_moves: 1, ..ALL };
        assert_eq!(chosen(&first, &[]), ["e4", "e5", "Nf3"]);
    }

    #[test]
    fn nothing_follows_a_move_that_is_not_taken() {
        let rest = chosen(&ALL, &["e4", "d4", "c4"]);
        assert_eq!(rest, ["Nf3", "d5"]);
    }

    #[test]
    fn weights_are_points_and_fit() {
        let candidate = |half_points| Candidate {
            position: Position::start(),
            key: 1,
            mv: Position::start().legal_moves()[0],
            statistics: MoveStatistics { games: half_points, half_points },
        };
        let weights = |points: &[u32]| -> Vec<u16> {
            let siblings: Vec<_> = points.iter().map(|&points| candidate(points)).collect();
            weigh(&siblings).map(|entry| entry.weight).collect()
        };
        assert_eq!(weights(&[10, 3, 0]), [10, 3, 1]);
        assert_eq!(weights(&[2 * 65535, 65535, 2]), [65535, 32768, 1]);
    }
}
