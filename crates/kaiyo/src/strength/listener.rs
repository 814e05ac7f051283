//! Making the choice when a search has ended.

use super::Style;
use super::choice::{Candidate, draw, probabilities};
use kaiyo_chess::{Move, Random};
use kaiyo_search::{BestMove, CurrentMove, Iteration, MoveStatistics, ScoreBound, SearchListener};

/// How a move is chosen among those that a player may play.
#[derive(Clone, Debug)]
pub enum Choice {
    /// At random by their probabilities, when the search has ended.
    Drawn(Random),
    /// The likeliest one, for clients who analyse. They see the lines while the search goes on.
    Likeliest,
}

/// Stands between a search and its client: one of the lines is chosen in a style, and reported as the
/// best.
pub struct ChoosingListener<L> {
    client: L,
    style: Style,
    /// Legal moves with their probabilities; empty when nothing is known of habits.
    priors: Vec<(Move, f32)>,
    choice: Choice,
    /// How many lines the client wants.
    shown: usize,
    /// The lines of the last iteration.
    lines: Vec<Iteration>,
}

impl<L: SearchListener> ChoosingListener<L> {
    /// A listener between a search and its client.
    pub const fn new(
        client: L,
        style: Style,
        priors: Vec<(Move, f32)>,
        choice: Choice,
        shown: usize,
    ) -> Self {
        Self { client, style, priors, choice, shown, lines: Vec::new() }
    }

    fn prior(&self, mv: Move) -> f64 {
        if self.priors.is_empty() {
            return 1.0;
        }
        self.priors.iter().find(|prior| prior.0 == mv).map_or(0.0, |prior| prior.1.into())
    }

    /// The lines that the client wants of these, the chosen one first, the others by their probability.
    fn choose(&mut self) -> Vec<Iteration> {
        let lines = &self.lines;
        let candidates: Vec<Candidate> = lines
            .iter()
            .take(self.style.lines)
            .filter_map(|line| Some((line, *line.line.first()?)))
            .map(|(line, mv)| Candidate { prior: self.prior(mv), score: line.score })
            .collect();
        let chances = probabilities(&candidates, &self.style.taste);
        let chosen = match &mut self.choice {
            Choice::Drawn(random) => Some(draw(&chances, random)),
            Choice::Likeliest => None,
        };
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| {
            let by_chance = chances[b].total_cmp(&chances[a]);
            // Of moves that are out of the question, the more usual ones come first as well.
            let by_habit = candidates[b].prior.total_cmp(&candidates[a].prior);
            (Some(b) == chosen).cmp(&(Some(a) == chosen)).then(by_chance).then(by_habit)
        });
        order.extend(candidates.len()..lines.len());
        let ranked = order.into_iter().zip(1..=self.shown);
        ranked.map(|(index, multi_pv)| Iteration { multi_pv, ..lines[index].clone() }).collect()
    }

    const fn is_live(&self) -> bool {
        matches!(self.choice, Choice::Likeliest)
    }
}

impl<L: SearchListener> SearchListener for ChoosingListener<L> {
    fn iteration(&mut self, lines: &[Iteration]) {
        let with_moves = lines.iter().all(|line| !line.line.is_empty());
        if with_moves && lines.iter().all(|line| line.bound == ScoreBound::Exact) {
            self.lines = lines.to_vec();
        }
        if !with_moves {
            self.client.iteration(&lines[..lines.len().min(self.shown)]);
        } else if self.is_live() {
            let chosen = self.choose();
            self.client.iteration(&chosen);
        }
    }

    fn current_move(&mut self, report: &CurrentMove) {
        if self.is_live() {
            self.client.current_move(report);
        }
    }

    fn statistics(&mut self, moves: &[MoveStatistics]) {
        self.client.statistics(moves);
    }

    fn fault(&mut self, message: &str) {
        self.client.fault(message);
    }

    fn best_move(&mut self, report: &BestMove) {
        let lines = self.choose();
        if !lines.is_empty() {
            self.client.iteration(&lines);
        }
        let chosen = lines.first().map(|chosen| BestMove {
            best: chosen.line.first().copied(),
            ponder: chosen.line.get(1).copied(),
        });
        self.client.best_move(&chosen.unwrap_or(*report));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::StrengthSettings;
    use kaiyo_chess::Position;
    use kaiyo_search::{Score, ScoreBound};
    use std::time::Duration;

    #[derive(Default)]
    struct Record {
        iterations: Vec<Iteration>,
        best: Option<BestMove>,
    }

    impl SearchListener for Record {
        fn iteration(&mut self, lines: &[Iteration]) {
            self.iterations.extend_from_slice(lines);
        }

        fn best_move(&mut self, report: &BestMove) {
            self.best = Some(*report);
        }
    }

    fn report(multi_pv: usize, mv: Move, centipawns: i32) -> Iteration {
        Iteration {
            depth: 2,
            selective_depth: 2,
            multi_pv,
            score: Score::centipawns(centipawns),
            bound: ScoreBound::Exact,
            nodes: 50,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tablebase_hits: 0,
            line: vec![mv],
        }
    }

    fn listener(settings: StrengthSettings, priors: &[(Move, f32)]) -> ChoosingListener<Record> {
        let style = Style::new(&settings).unwrap();
        let choice = Choice::Drawn(Random::new(3));
        ChoosingListener::new(Record::default(), style, priors.to_vec(), choice, 2)
    }

    fn moves(texts: [&str; 3]) -> [Move; 3] {
        texts.map(|text| Position::start().parse_uci_move(text).unwrap())
    }

    #[test]
    fn the_chosen_move_is_reported_as_the_best() {
        let [best, habit, other] = moves(["e2e4", "a2a3", "h2h3"]);
        let settings =
            StrengthSettings { self_elo: 1500, temperature: 0.0, ..StrengthSettings::default() };
        let priors = [(best, 0.2), (habit, 0.7), (other, 0.1)];
        let mut listener = listener(settings, &priors);
        let lines = [report(1, best, -10), report(2, habit, -20), report(3, other, -30)];
        listener.iteration(&lines);
        listener.best_move(&BestMove { best: Some(best), ponder: None });
        let record = &listener.client;
        assert_eq!(record.best.unwrap().best, Some(habit));
        let shown: Vec<_> = record.iterations.iter().map(|i| (i.multi_pv, i.line[0])).collect();
        assert_eq!(shown, [(1, habit), (2, best)]);
    }

    #[test]
    fn lines_are_in_the_order_of_habits_at_any_temperature() {
        let [best, habit, other] = moves(["e2e4", "a2a3", "h2h3"]);
        let settings =
            StrengthSettings { self_elo: 1500, temperature: 0.0, ..StrengthSettings::default() };
        let mut listener = listener(settings, &[(best, 0.1), (habit, 0.6), (other, 0.3)]);
        listener.iteration(&[report(1, best, 50), report(2, habit, 0), report(3, other, -90)]);
        listener.best_move(&BestMove { best: Some(best), ponder: None });
        let shown: Vec<_> = listener.client.iterations.iter().map(|i| i.line[0]).collect();
        assert_eq!(shown, [habit, other]);
    }

    #[test]
    fn an_analysis_shows_the_likeliest_moves_while_it_goes_on() {
        let [best, habit, other] = moves(["e2e4", "a2a3", "h2h3"]);
        let settings = StrengthSettings { self_elo: 1500, ..StrengthSettings::default() };
        let priors = [(best, 0.1), (habit, 0.5), (other, 0.4)];
        for _ in 0..20 {
            let mut listener = listener(settings, &priors);
            listener.choice = Choice::Likeliest;
            listener.iteration(&[report(1, best, 50), report(2, habit, 0), report(3, other, -90)]);
            let shown: Vec<_> =
                listener.client.iterations.iter().map(|i| (i.multi_pv, i.line[0])).collect();
            assert_eq!(shown, [(1, habit), (2, other)]);
            listener.best_move(&BestMove { best: Some(best), ponder: None });
            assert_eq!(listener.client.best.unwrap().best, Some(habit));
        }
    }

    #[test]
    fn a_strong_player_refuses_a_blunder_that_is_a_habit() {
        let [best, habit, other] = moves(["e2e4", "a2a3", "h2h3"]);
        let priors = [(best, 0.01), (habit, 0.98), (other, 0.01)];
        let plays = |elo| {
            let settings = StrengthSettings { limited: true, elo, ..StrengthSettings::default() };
            let mut listener = listener(settings, &priors);
            listener.iteration(&[report(1, best, 20), report(2, habit, -300)]);
            listener.best_move(&BestMove { best: Some(best), ponder: None });
            listener.client.best.unwrap().best
        };
        assert_eq!(plays(2600), Some(best));
        assert_eq!(plays(600), Some(habit));
    }

    #[test]
    fn without_habits_equal_moves_are_equally_likely() {
        let moves = moves(["e2e4", "a2a3", "h2h3"]);
        let settings = StrengthSettings { skill_level: 0, ..StrengthSettings::default() };
        let mut listener = listener(settings, &[]);
        let mut played = std::collections::HashSet::new();
        for _ in 0..100 {
            let lines: Vec<_> = (1..).zip(moves).map(|(rank, mv)| report(rank, mv, 0)).collect();
            listener.iteration(&lines);
            listener.best_move(&BestMove { best: Some(moves[0]), ponder: None });
            played.extend(listener.client.best.and_then(|report| report.best));
        }
        assert_eq!(played.len(), moves.len());
    }

    #[test]
    fn without_moves_the_search_has_the_last_word() {
        let settings = StrengthSettings { skill_level: 0, ..StrengthSettings::default() };
        let mut listener = listener(settings, &[]);
        listener.best_move(&BestMove { best: None, ponder: None });
        assert_eq!(listener.client.best, Some(BestMove { best: None, ponder: None }));
    }
}
