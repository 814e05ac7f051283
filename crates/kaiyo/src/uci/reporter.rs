//! Printing what a search reports.

use super::noise::NoiseFilter;
use super::output::Output;
use super::settings::Settings;
use super::statistics;
use super::{Event, Finished};
use kaiyo_chess::{Game, Move};
use kaiyo_search::{
    BestMove, ChancesModel, CurrentMove, Iteration, MoveStatistics, ScoreBound, SearchListener,
};
use std::fmt::Write;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// Some clients read depths as eight-bit numbers.
const MAX_SHOWN_DEPTH: u32 = 255;
/// How often statistics are shown during a search.
const LIVE_INTERVAL: Duration = Duration::from_millis(250);

/// Prints the reports of one search, and hands the last line to the main loop.
pub struct Reporter {
    output: Output,
    events: Sender<Event>,
    settings: Settings,
    /// The game up to the root of the search.
    game: Game,
    noise: NoiseFilter,
    /// The last iteration, if it said nothing new and came too soon after the one before.
    held: Vec<String>,
    statistics: Vec<MoveStatistics>,
    /// When live statistics were shown last.
    statistics_shown: Option<Instant>,
}

impl Reporter {
    /// A reporter for a search of the last position of `game`.
    pub fn new(output: Output, events: Sender<Event>, settings: Settings, game: Game) -> Self {
        Self {
            output,
            events,
            settings,
            game,
            noise: NoiseFilter::default(),
            held: Vec::new(),
            statistics: Vec::new(),
            statistics_shown: None,
        }
    }

    fn iteration_line(&self, report: &Iteration) -> String {
        let line = playable(&self.game, &report.line);
        if line.is_empty() {
            return format!("info depth 0 score {}", report.score);
        }
        let depth = report.depth.min(MAX_SHOWN_DEPTH);
        let selective_depth = report.selective_depth.clamp(depth, MAX_SHOWN_DEPTH);
        let bound = match report.bound {
            ScoreBound::Exact => "",
            ScoreBound::Lower => " lowerbound",
            ScoreBound::Upper => " upperbound",
        };
        let chances = if self.settings.show_wdl {
            let chances = ChancesModel::KAIYO.chances(report.score, self.game.position());
            let [win, draw, loss] = chances.per_mille();
            format!(" wdl {win} {draw} {loss}")
        } else {
            String::new()
        };
        let nodes_per_second =
            u128::from(report.nodes) * 1_000_000 / report.elapsed.as_micros().max(1);
        let mut text = format!(
            "info depth {depth} seldepth {selective_depth} multipv {} score {}{bound}{chances} \
             nodes {} nps {nodes_per_second} hashfull {} tbhits {} time {} pv",
            report.multi_pv,
            report.score,
            report.nodes,
            report.hashfull,
            report.tablebase_hits,
            report.elapsed.as_millis(),
        );
        let mut position = *self.game.position();
        for &mv in line {
            let notation = self.settings.castling_notation();
            // Writing to a string cannot fail.
            let _ = write!(text, " {}", position.uci_text(mv, notation));
            position = position.make(mv);
        }
        text
    }

    fn show_held(&mut self) {
        for line in self.held.drain(..) {
            self.output.line(line);
        }
    }

    fn show_statistics(&mut self) {
        let notation = self.settings.castling_notation();
        for line in statistics::lines(&self.statistics, self.game.position(), notation) {
            self.output.info(line);
        }
        self.statistics_shown = Some(Instant::now());
    }

    fn best_move_line(&self, report: &BestMove) -> String {
        let root = self.game.position();
        let notation = self.settings.castling_notation();
        let Some(best) = report.best else { return "bestmove (none)".to_owned() };
        let mut text = format!("bestmove {}", root.uci_text(best, notation));
        let expected: Vec<Move> = [Some(best), report.ponder].into_iter().flatten().collect();
        if let &[best, ponder] = playable(&self.game, &expected) {
            text.push_str(" ponder ");
            text.push_str(&root.make(best).uci_text(ponder, notation));
        }
        text
    }
}

impl SearchListener for Reporter {
    fn iteration(&mut self, lines: &[Iteration]) {
        self.held = lines.iter().map(|report| self.iteration_line(report)).collect();
        if self.noise.passes(lines) {
            self.show_held();
        }
    }

    fn statistics(&mut self, moves: &[MoveStatistics]) {
        self.statistics = moves.to_vec();
        let due = self.statistics_shown.is_none_or(|shown| shown.elapsed() >= LIVE_INTERVAL);
        if self.settings.live_statistics && due {
            self.show_statistics();
        }
    }

    fn current_move(&mut self, report: &CurrentMove) {
        let mv = self.game.position().uci_text(report.mv, self.settings.castling_notation());
        let depth = report.depth.min(MAX_SHOWN_DEPTH);
        self.output.line(format_args!(
            "info depth {depth} currmove {mv} currmovenumber {}",
            report.number
        ));
    }

    fn fault(&mut self, message: &str) {
        self.output.info(message);
    }

    fn best_move(&mut self, report: &BestMove) {
        self.show_held();
        if self.settings.move_statistics && !self.statistics.is_empty() {
            self.show_statistics();
        }
        // The main loop prints it, so that all input after it finds the search ended. If the
        // main loop is gone, the program is ending.
        let _ = self.events.send(Event::Finished(Finished {
            last_line: Some(self.best_move_line(report)),
            failed: false,
        }));
    }
}

/// The part of `line` that can be played from the end of `game`: legal moves up to the end of
/// the game by mate, stalemate, repetition, the fifty-move rule or lack of material.
fn playable<'a>(game: &Game, line: &'a [Move]) -> &'a [Move] {
    let mut game = game.clone();
    for (played, &mv) in line.iter().enumerate() {
        if game.play(mv).is_err() {
            return &line[..played];
        }
        if game.end().is_some() {
            return &line[..=played];
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Position;
    use kaiyo_search::Score;
    use std::sync::mpsc;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(Position::from_fen(fen).expect(fen));
        for mv in moves {
            game.play_uci(mv).expect(mv);
        }
        game
    }

    fn line(start: &Game, moves: &[&str]) -> Vec<Move> {
        let mut game = start.clone();
        for mv in moves {
            game.play_uci(mv).expect(mv);
        }
        game.moves()[start.moves().len()..].to_vec()
    }

    fn reporter(game: Game, settings: Settings) -> Reporter {
        Reporter::new(Output::new(std::io::sink()), mpsc::channel().0, settings, game)
    }

    fn iteration(line: Vec<Move>) -> Iteration {
        Iteration {
            depth: 3,
            selective_depth: 5,
            multi_pv: 1,
            score: Score::centipawns(20),
            bound: ScoreBound::Exact,
            nodes: 3000,
            elapsed: Duration::from_millis(2),
            hashfull: 1,
            tablebase_hits: 0,
            line,
        }
    }

    #[test]
    fn a_line_has_all_fields_and_the_variation_last() {
        let start = Game::default();
        let mut report = iteration(line(&start, &["e2e4", "e7e5"]));
        let plain = reporter(start.clone(), Settings::default());
        assert_eq!(
            plain.iteration_line(&report),
            "info depth 3 seldepth 5 multipv 1 score cp 20 nodes 3000 nps 1500000 hashfull 1 \
             tbhits 0 time 2 pv e2e4 e7e5"
        );
        report.bound = ScoreBound::Lower;
        let [win, draw, loss] =
            ChancesModel::KAIYO.chances(report.score, start.position()).per_mille();
        let with_chances = reporter(start, Settings { show_wdl: true, ..Settings::default() });
        let text = with_chances.iteration_line(&report);
        let expected = format!(" score cp 20 lowerbound wdl {win} {draw} {loss} nodes ");
        assert!(text.contains(&expected), "{text}");
    }

    #[test]
    fn castling_is_written_as_the_client_wants() {
        let game = game("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", &[]);
        let castling = BestMove { best: Some(line(&game, &["e1c1"])[0]), ponder: None };
        let standard = reporter(game.clone(), Settings::default());
        assert_eq!(standard.best_move_line(&castling), "bestmove e1c1");
        let chess960 = reporter(game, Settings { chess960: true, ..Settings::default() });
        assert_eq!(chess960.best_move_line(&castling), "bestmove e1a1");
    }

    #[test]
    fn variations_end_with_the_game() {
        let mate = game("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &[]);
        let mating = line(&mate, &["a1a8"]);
        let beyond: Vec<Move> = mating.iter().chain(&mating).copied().collect();
        assert_eq!(playable(&mate, &beyond), mating);

        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let once = game(kaiyo_chess::START_FEN, &shuffle);
        let again = line(&once, &[shuffle, shuffle].concat());
        assert_eq!(playable(&once, &again).len(), 4);

        let clock = game("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", &[]);
        let moves = line(&clock, &["a1a2", "e8e7", "a2a3"]);
        assert_eq!(playable(&clock, &moves).len(), 2);

        let stalemate = game("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", &[]);
        let moves = line(&stalemate, &["f5f7"]);
        let beyond: Vec<Move> = moves.iter().chain(&moves).copied().collect();
        assert_eq!(playable(&stalemate, &beyond), moves);
    }

    #[test]
    fn an_expected_reply_must_be_playable() {
        let mate = game("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &[]);
        let best = line(&mate, &["a1a8"])[0];
        let report = BestMove { best: Some(best), ponder: Some(best) };
        let reporter = reporter(mate, Settings::default());
        assert_eq!(reporter.best_move_line(&report), "bestmove a1a8");
        let none = BestMove { best: None, ponder: None };
        assert_eq!(reporter.best_move_line(&none), "bestmove (none)");
    }
}
