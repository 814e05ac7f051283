//! Public bug reports of other engines, replayed.
//!
//! Whatever the report says, nothing may crash or hang, every `go` gets one legal best move, and
//! all variations are legal.

mod common;
mod reports;

use common::{AT_ONCE, Client, Search, ShownScore, game, ms};
use kaiyo_chess::{Game, Position};
use reports::{Check, DEEP_REPORTS, REPORTS, Report, TABLEBASE_REPORTS};

/// The environment variable with the folder of tablebases for up to four men.
const TABLEBASES: &str = "KAIYO_SYZYGY";

/// What replaying a report showed.
struct Outcome {
    searches: Vec<Search>,
    /// Everything that was said outside of searches.
    lines: Vec<String>,
}

fn replay(report: &Report) -> Result<(), String> {
    let mut client = Client::ready();
    let mut current = Game::default();
    let mut outcome = Outcome { searches: vec![], lines: vec![] };
    if let Some(path) = report_tablebases(report) {
        client.send(&format!("setoption name SyzygyPath value {path}"));
    }
    for command in report.commands.split('|') {
        if command.starts_with("go perft") {
            client.send(command);
            let lines = client.read_to(ms(10_000), |line| line.starts_with("Nodes searched"));
            outcome.lines.extend(lines.ok_or("perft does not end")?);
        } else if let Some(arguments) = command.strip_prefix("go ") {
            let search = client.go(arguments, ms(report.budget));
            client.check(&search, &current);
            outcome.searches.push(search);
        } else {
            let lines = client.ask(command);
            if command.starts_with("position") && is_accepted(command) {
                current = game(command);
            }
            outcome.lines.extend(lines);
        }
    }
    let board = client.ask("d");
    let legal_moves = format!("Legal moves: {}", report.legal_moves);
    if !board.contains(&legal_moves) {
        return Err(format!("not {legal_moves} but {:?}", board.last()));
    }
    outcome.lines.extend(board);
    for check in report.checks {
        outcome.verify(check).map_err(|fault| format!("{fault}\n{}", client.transcript()))?;
    }
    client.quit();
    Ok(())
}

/// The folder with the tablebases, for a report that needs them.
fn report_tablebases(report: &Report) -> Option<String> {
    let needs_them = TABLEBASE_REPORTS.iter().any(|other| std::ptr::eq(other, report));
    needs_them.then(|| std::env::var(TABLEBASES).expect("checked before"))
}

fn is_accepted(command: &str) -> bool {
    let start = command.split(" moves").next().unwrap_or_default();
    start.split_once("fen ").is_none_or(|(_, fen)| Position::from_fen(fen).is_ok())
}

impl Outcome {
    fn verify(&self, check: &Check) -> Result<(), String> {
        let holds = match check {
            Check::Rejected => self.lines.iter().any(|line| line.contains("invalid FEN")),
            Check::Line(wanted) => self.lines.iter().any(|line| line == wanted),
            Check::Fen(fen) => self.lines.iter().any(|line| line == &format!("Fen: {fen}")),
            Check::Best(best) => self.last()?.best == *best,
            Check::NotBest(best) => self.last()?.best != *best,
            Check::Ends => self.searches.iter().all(|search| !search.was_stopped),
            Check::FewerNodes(most) => self.last()?.last().is_some_and(|info| info.nodes < *most),
            Check::NoMate => !matches!(self.last()?.score(), ShownScore::Mate(_)),
            Check::NoBareTablebaseScore => self
                .last()?
                .infos
                .iter()
                .all(|info| !matches!(info.score, ShownScore::Centipawns(10_000..=30_000))),
            Check::Variations(count) => {
                self.last()?.infos.iter().map(|info| info.multi_pv).max() == Some(*count)
            }
            Check::Only(moves) => {
                self.last()?.infos.iter().all(|info| moves.contains(&info.variation[0].as_str()))
            }
            Check::SameNodes => {
                let nodes: Vec<_> =
                    self.searches.iter().map(|search| search.last().map(|l| l.nodes)).collect();
                nodes.windows(2).all(|pair| pair[0] == pair[1])
            }
            Check::Draw => self.last()?.score() == ShownScore::Centipawns(0),
            Check::Winning => match self.last()?.score() {
                ShownScore::Mate(moves) => moves > 0,
                ShownScore::Centipawns(value) => value > 10_000,
            },
        };
        if holds { Ok(()) } else { Err(format!("{check:?} does not hold")) }
    }

    fn last(&self) -> Result<&Search, String> {
        self.searches.last().ok_or_else(|| "no search".to_owned())
    }
}

/// Replays every `step`th report from `first` on, and names all that fail.
fn replay_share(reports: &[Report], first: usize, step: usize) {
    let mut faults = Vec::new();
    for report in reports.iter().skip(first).step_by(step) {
        let replayed = std::panic::catch_unwind(|| replay(report));
        let fault = match replayed {
            Ok(Ok(())) => continue,
            Ok(Err(fault)) => fault,
            Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
        };
        faults.push(format!("{} ({}): {fault}", report.source, report.story));
    }
    assert!(faults.is_empty(), "{} reports fail\n{}", faults.len(), faults.join("\n\n"));
}

#[test]
fn reports_replay_well() {
    replay_share(REPORTS, 0, 2);
}

#[test]
fn more_reports_replay_well() {
    replay_share(REPORTS, 1, 2);
}

#[test]
#[ignore = "takes a minute"]
fn reports_that_need_deep_searches_replay_well() {
    replay_share(DEEP_REPORTS, 0, 1);
}

#[test]
#[ignore = "needs tablebases"]
fn reports_about_tablebases_replay_well() {
    let mut client = Client::start();
    client.send("uci");
    let has_option = client.read_until("uciok").iter().any(|line| line.contains("SyzygyPath"));
    assert!(has_option && std::env::var(TABLEBASES).is_ok(), "{TABLEBASES} names no folder");
    replay_share(TABLEBASE_REPORTS, 0, 1);
}

#[test]
fn no_best_move_comes_before_stop_at_a_high_clock() {
    // Patricia#161.
    let mut client = Client::ready();
    let position = "position fen 8/5kR1/8/3K4/8/8/8/8 b - - 0 143";
    client.send(position);
    client.send("go infinite");
    client.assert_no_best_move(ms(1000));
    client.send("stop");
    let search = client.finish_search(AT_ONCE);
    client.check(&search, &game(position));
    client.quit();
}
