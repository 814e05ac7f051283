//! Printing what a search thinks.

use crate::uci::{Event, NoiseFilter, Output};
use kaiyo_chess::{Game, Move};
use kaiyo_search::{BestMove, CurrentMove, Iteration, ScoreBound, ScoreKind, SearchListener};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the client may ask for while a search runs, and say about it.
#[derive(Default)]
pub struct Progress {
    /// The client does not want to see this search.
    pub silent: AtomicBool,
    latest: Mutex<(Option<Iteration>, Option<CurrentMove>)>,
}

impl Progress {
    /// The best line of the last iteration, and the current root move.
    pub fn latest(&self) -> MutexGuard<'_, (Option<Iteration>, Option<CurrentMove>)> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Prints the thinking of one search, and hands its outcome to the main loop.
pub struct Thinking {
    output: Output,
    events: Sender<Event>,
    /// The game up to the root of the search.
    game: Game,
    number: u64,
    progress: Arc<Progress>,
    noise: NoiseFilter,
    /// The last iteration, if it said nothing new and came too soon after the one before.
    held: Vec<String>,
}

impl Thinking {
    /// For the search with this number, of the last position of `game`.
    pub fn new(
        output: Output,
        events: Sender<Event>,
        game: Game,
        number: u64,
        progress: Arc<Progress>,
    ) -> Self {
        let noise = NoiseFilter::default();
        Self { output, events, game, number, progress, noise, held: Vec::new() }
    }

    /// Shows what was held back, unless the client does not want to see it.
    fn show_held(&mut self) {
        let silent = self.progress.silent.load(Ordering::Relaxed);
        for line in self.held.drain(..).filter(|_| !silent) {
            self.output.line(line);
        }
    }
}

impl SearchListener for Thinking {
    fn iteration(&mut self, lines: &[Iteration]) {
        self.held = lines.iter().map(|report| line(&self.game, report)).collect();
        if !self.progress.silent.load(Ordering::Relaxed) && self.noise.passes(lines) {
            self.show_held();
        }
        self.progress.latest().0 = lines.first().cloned();
    }

    fn current_move(&mut self, report: &CurrentMove) {
        self.progress.latest().1 = Some(*report);
    }

    fn fault(&mut self, message: &str) {
        self.output.line(format_args!("# {message}"));
    }

    fn best_move(&mut self, report: &BestMove) {
        self.show_held();
        // If the main loop is gone, the program is ending.
        let _ = self.events.send(Event::Found(self.number, *report));
    }
}

/// Depth, score, centiseconds and nodes, then selective depth, speed and tablebase hits, and
/// after a tab the line in the words of people.
fn line(game: &Game, report: &Iteration) -> String {
    let score = match report.score.kind() {
        ScoreKind::Centipawns(value) => value,
        ScoreKind::Mate(moves) if moves > 0 => 100_000 + moves,
        ScoreKind::Mate(moves) => -100_000 + moves,
    };
    let speed = u128::from(report.nodes) * 1_000_000 / report.elapsed.as_micros().max(1);
    let mut text = format!(
        "{} {score} {} {} {} {speed} {}\t",
        report.depth,
        report.elapsed.as_millis() / 10,
        report.nodes,
        report.selective_depth,
        report.tablebase_hits,
    );
    text.push_str(&variation(game, &report.line));
    text.push_str(match report.bound {
        ScoreBound::Exact => "",
        ScoreBound::Lower => "!",
        ScoreBound::Upper => "?",
    });
    text
}

/// A line in standard algebraic notation, as far as it is legal.
fn variation(game: &Game, line: &[Move]) -> String {
    let mut position = *game.position();
    let mut text = String::new();
    for &mv in line {
        if !position.is_legal(mv) {
            break;
        }
        let separator = if text.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{separator}{}", position.san(mv));
        position = position.make(mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_search::Score;
    use std::time::Duration;

    #[test]
    fn lines_have_the_numbers_that_interfaces_read() {
        let mut game = Game::default();
        game.play_uci("e2e4").unwrap();
        game.play_uci("e7e5").unwrap();
        let report = Iteration {
            depth: 9,
            selective_depth: 14,
            multi_pv: 1,
            score: Score::centipawns(-31),
            bound: ScoreBound::Exact,
            nodes: 2000,
            elapsed: Duration::from_millis(1000),
            hashfull: 0,
            tablebase_hits: 7,
            line: game.moves().to_vec(),
        };
        let start = Game::default();
        assert_eq!(line(&start, &report), "9 -31 100 2000 14 2000 7\te4 e5");
        let lower = Iteration { bound: ScoreBound::Lower, score: Score::mate_in(5), ..report };
        assert_eq!(line(&start, &lower), "9 100003 100 2000 14 2000 7\te4 e5!");
        let mated = Iteration { score: Score::mated_in(4), bound: ScoreBound::Exact, ..lower };
        assert_eq!(line(&start, &mated), "9 -100002 100 2000 14 2000 7\te4 e5");
    }
}
