//! Searches that speak for or against the moves of a book.

use super::scores::Scores;
use super::searcher::Searcher;
use crate::about;
use crate::bench::{self, BenchSettings};
use anyhow::{Context, Result};
use kaiyo_book::Candidate;
use kaiyo_chess::Position;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Stack of the threads that wait for searches, in bytes.
const STACK_SIZE: usize = 1 << 20;

/// Depth of the bench that tells versions of the search apart.
const IDENTITY_DEPTH: u32 = 9;

/// A search that a move can pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Nodes of the search of the position after the move.
    pub nodes: u64,
    /// The score in centipawns for the player of the move from which on the move is taken.
    pub limit: i32,
}

impl FromStr for Stage {
    type Err = String;

    /// Reads `NODES:CENTIPAWNS`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected NODES:CENTIPAWNS".to_owned();
        let (nodes, limit) = text.split_once(':').ok_or_else(expected)?;
        let nodes = nodes.parse().ok().filter(|&nodes| nodes > 0).ok_or_else(expected)?;
        Ok(Self { nodes, limit: limit.parse().map_err(|_| expected())? })
    }
}

/// How moves are verified.
#[derive(Clone, Debug, clap::Args)]
pub struct Verification {
    /// Search the position after each move with so many nodes, and take the move if the score
    /// for its player is at least so many centipawns. Several stages make the search of good
    /// moves cheap: a move that fails one is searched by the next, and the last one decides.
    #[arg(long, value_name = "NODES:CENTIPAWNS", value_delimiter = ',')]
    verify: Vec<Stage>,
    /// Leave out moves whose score is so many centipawns below that of the best one taken.
    #[arg(long, requires = "verify", value_name = "CENTIPAWNS",
          value_parser = clap::value_parser!(i32).range(0..))]
    max_loss: Option<i32>,
    /// Threads that search; the outcome is the same with any number.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Keep the scores in this file, so that another run need not search again.
    #[arg(long, value_name = "FILE")]
    scores: Option<PathBuf>,
}

/// Decides about moves by searches.
pub struct Judge<'a> {
    options: &'a Verification,
    searchers: Vec<Searcher>,
    scores: Scores,
}

impl<'a> Judge<'a> {
    /// A judge, who takes every move when there is no stage.
    ///
    /// # Errors
    /// The engines or the file of scores cannot be had.
    pub fn new(options: &'a Verification) -> Result<Self> {
        if options.verify.is_empty() {
            return Ok(Self { options, searchers: Vec::new(), scores: Scores::default() });
        }
        let searchers = searchers(options.threads)?;
        let open = |path: &Path| {
            let network = searchers[0].network_checksum().unwrap_or_default();
            let nodes = search_identity()?;
            let name = about::NAME;
            Scores::open(path, &format!("{name} with network {network:08x}, bench {nodes}"))
        };
        let scores = options.scores.as_deref().map(open).transpose()?.unwrap_or_default();
        Ok(Self { options, searchers, scores })
    }

    /// Which of the candidates to take. Those of one position stand side by side.
    ///
    /// # Errors
    /// A search failed or the scores cannot be written.
    pub fn judge(&mut self, ply: usize, candidates: &[Candidate]) -> Result<Vec<bool>> {
        if self.options.verify.is_empty() {
            return Ok(vec![true; candidates.len()]);
        }
        let children: Vec<(Position, u64)> = candidates.iter().map(Candidate::child).collect();
        // The score for the player of each move that has passed.
        let mut passed: Vec<Option<i32>> = vec![None; candidates.len()];
        for (number, stage) in (1..).zip(&self.options.verify) {
            let open: Vec<usize> =
                (0..candidates.len()).filter(|&index| passed[index].is_none()).collect();
            let mut unknown: Vec<(Position, u64)> = open
                .iter()
                .map(|&index| children[index])
                .filter(|&(_, key)| self.scores.get(key, stage.nodes).is_none())
                .collect();
            unknown.sort_by_key(|&(_, key)| key);
            unknown.dedup_by_key(|(_, key)| *key);
            self.search(&unknown, stage.nodes, &format!("half-move {}, stage {number}", ply + 1))?;
            for index in open {
                let score = self.scores.get(children[index].1, stage.nodes).map(|score| -score);
                passed[index] = score.filter(|&score| score >= stage.limit);
            }
        }
        if let Some(max_loss) = self.options.max_loss {
            drop_losing(candidates, &mut passed, max_loss);
        }
        Ok(passed.iter().map(Option::is_some).collect())
    }

    /// Searches all positions, which have different keys, and keeps their scores.
    fn search(&mut self, positions: &[(Position, u64)], nodes: u64, what: &str) -> Result<()> {
        let bar = kaiyo_progress::bar(
            Some(positions.len() as u64),
            "{wide_bar}",
            "{msg}, {pos}/{len}, {eta} left",
        );
        bar.set_message(what.to_owned());
        let scores = &mut self.scores;
        let after = positions.iter().map(|(position, _)| *position);
        search_all(&mut self.searchers, after, nodes, |index, score| {
            bar.inc(1);
            scores.insert(positions[index].1, nodes, score)
        })?;
        bar.finish_and_clear();
        Ok(())
    }
}

/// A number that tells the searches of versions apart: the nodes of a short bench.
fn search_identity() -> Result<u64> {
    let settings = BenchSettings { depth: IDENTITY_DEPTH, ..BenchSettings::STANDARD };
    let result = bench::run(settings, &AtomicBool::new(false), |_| {})?;
    Ok(result.context("the bench was stopped")?.nodes)
}

/// Searchers, one for each thread.
///
/// # Errors
/// An engine cannot be had.
pub fn searchers(threads: usize) -> Result<Vec<Searcher>> {
    (0..threads.max(1)).map(|_| Searcher::new()).collect()
}

/// Searches positions with all searchers at once, and hands each score to `found` with the
/// number of its position, in the order in which they come.
///
/// # Errors
/// A search failed, or `found` did.
pub fn search_all(
    searchers: &mut [Searcher],
    positions: impl Iterator<Item = Position>,
    nodes: u64,
    mut found: impl FnMut(usize, kaiyo_search::Score) -> Result<()>,
) -> Result<()> {
    let positions: Vec<Position> = positions.collect();
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for searcher in searchers {
            let (sender, next, positions) = (sender.clone(), &next, &positions);
            let wait_for_searches = move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(index) else { break };
                    let result = searcher.search(position, nodes);
                    if sender.send((index, result)).is_err() {
                        break;
                    }
                }
            };
            let thread = thread::Builder::new().stack_size(STACK_SIZE);
            thread.spawn_scoped(scope, wait_for_searches).context("cannot start a thread")?;
        }
        drop(sender);
        // Returning early drops the receiver, which ends the threads.
        for (index, result) in results {
            let score = result.with_context(|| format!("at {}", positions[index]))?;
            found(index, score)?;
        }
        Ok(())
    })
}

/// Refuses moves that lose too much against the best one of their position.
fn drop_losing(candidates: &[Candidate], passed: &mut [Option<i32>], max_loss: i32) {
    let mut rest = passed;
    for siblings in candidates.chunk_by(|one, other| one.key == other.key) {
        let (scores, after) = rest.split_at_mut(siblings.len());
        let best = scores.iter().flatten().max().copied().unwrap_or_default();
        for score in scores {
            *score = score.filter(|&score| score >= best - max_loss);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_book::MoveStatistics;

    fn candidates(fen: &str) -> Vec<Candidate> {
        let position = Position::from_fen(fen).unwrap();
        let statistics = MoveStatistics::default();
        let moves = position.legal_moves();
        moves.iter().map(|&mv| Candidate { position, key: 1, mv, statistics }).collect()
    }

    fn taken(candidates: &[Candidate], options: &Verification) -> Vec<String> {
        let verdicts = Judge::new(options).unwrap().judge(0, candidates).unwrap();
        let taken = candidates.iter().zip(verdicts).filter(|(_, taken)| *taken);
        taken.map(|(candidate, _)| candidate.position.san(candidate.mv)).collect()
    }

    /// White can save or lose its queen.
    const FEN: &str = "4k3/8/8/3r4/8/8/3Q4/3K4 w - - 0 1";

    #[test]
    fn stages_are_read() {
        assert_eq!("5000:-45".parse(), Ok(Stage { nodes: 5000, limit: -45 }));
        for bad in ["", "5000", "0:1", "x:1", "1:x"] {
            assert!(bad.parse::<Stage>().is_err(), "{bad}");
        }
    }

    #[test]
    fn searches_refuse_bad_moves() {
        let candidates = candidates(FEN);
        let stages = |verify: &[Stage], max_loss| Verification {
            verify: verify.to_vec(),
            max_loss,
            threads: 2,
            scores: None,
        };
        assert_eq!(taken(&candidates, &stages(&[], None)).len(), candidates.len());
        let good = Stage { nodes: 2000, limit: 100 };
        let winning = taken(&candidates, &stages(&[good], None));
        assert!(winning.contains(&"Qxd5".to_owned()), "{winning:?}");
        assert!(!winning.contains(&"Kc1".to_owned()), "{winning:?}");
        // The first stage is too strict for all, the second for none.
        let nobody = Stage { nodes: 500, limit: 40_000 };
        let all = Stage { nodes: 500, limit: -40_000 };
        assert_eq!(taken(&candidates, &stages(&[nobody, all], None)).len(), candidates.len());
        assert!(taken(&candidates, &stages(&[nobody], None)).is_empty());
        let best = taken(&candidates, &stages(&[all], Some(100)));
        assert_eq!(best, ["Qxd5"]);
    }
}
