//! The move transformer on the command line: what it says, what a file holds, how fast it is.

mod game;

use crate::cli::{Misuse, examples};
use crate::paths::expect_file;
use kaiyo_chess::{Colour, Game, Move};
use kaiyo_policy::container::{Container, Value};
use kaiyo_policy::measure::{self, HISTORY_STEPS, PREFILL_STEPS};
use kaiyo_policy::model::synthetic::{FULL, Storage};
use kaiyo_policy::tokens::{Conditions, Player, Rating, TimeControl};
use kaiyo_policy::{Backend, Model, ModelError, NotFinite, Prediction, Session};
use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How many moves are shown where nobody says.
pub const SHOWN_MOVES: usize = 10;
const BENCH_ROUNDS: usize = 20;
/// Where no cache of a usual processor reaches.
const MEMORY_BYTES: usize = 256 << 20;

/// Show what the move transformer would play, and how likely.
///
/// The transformer has seen games of people: it says how likely players of a rating are to play each
/// move, and what result it expects. Without --rating it is not told how strong they are.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_long_help = examples::POLICY)]
pub struct PolicyArguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// A FEN, or moves from the start position in UCI or SAN, or both with 'moves' between them.
    words: Vec<String>,
    /// Ratings of the players, 400 to 3600, or 'engine' or 'unknown'; several are compared side by side. Below 800
    /// and above 3400 they are the nearest of these.
    #[arg(long, value_delimiter = ',', value_parser = player)]
    rating: Vec<Player>,
    /// Whom they face, likewise; without it, their like.
    #[arg(long, value_parser = player)]
    opponent: Option<Player>,
    /// Time control: bullet, blitz, rapid, classical or correspondence.
    #[arg(long, default_value = "unknown", value_parser = time_control)]
    time_control: TimeControl,
    /// The model; without it the one in the program.
    #[arg(long)]
    file: Option<PathBuf>,
    /// How many moves to show.
    #[arg(long, default_value_t = SHOWN_MOVES)]
    top: usize,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Describe a model file.
    ///
    /// Shows its sizes, how its weights are stored and what it takes in.
    #[command(after_long_help = examples::POLICY_INFO)]
    Info {
        /// The file, GGUF or safetensors; without it the one in the program.
        file: Option<PathBuf>,
    },
    /// Measure a model beside the speed of memory.
    ///
    /// Shows the time of one new move and of long games: a new move is bound by how fast weights come
    /// from memory.
    #[command(after_long_help = examples::POLICY_BENCH)]
    Bench {
        /// The file; without it the model in the program.
        file: Option<PathBuf>,
        /// Random weights of the full size.
        #[arg(long, conflicts_with = "file")]
        full: bool,
    },
}

fn player(text: &str) -> Result<Player, String> {
    let [min, max] = [Rating::MIN, Rating::MAX].map(Rating::elo);
    let expected = || format!("a rating from {min} to {max}, 'engine' or 'unknown' expected");
    Player::from_name(text).ok_or_else(expected)
}

fn time_control(text: &str) -> Result<TimeControl, String> {
    let names = || TimeControl::ALL.map(TimeControl::name).join(", ");
    TimeControl::from_name(text).ok_or_else(|| format!("one of {} expected", names()))
}

/// Does what the arguments ask, with lines for people.
///
/// # Errors
/// What was wrong with a file, a position or a move.
pub fn run(arguments: PolicyArguments, print: &mut impl FnMut(&str)) -> Result<(), Box<dyn Error>> {
    match arguments.action {
        Some(Action::Info { file }) => info(file.as_deref(), print),
        Some(Action::Bench { file, full }) => bench(file.as_deref(), full, print),
        None => predict(&arguments, print),
    }
}

fn predict(
    arguments: &PolicyArguments,
    print: &mut impl FnMut(&str),
) -> Result<(), Box<dyn Error>> {
    let game = game::parse(&arguments.words).map_err(Misuse)?;
    let mut session = Session::new(model(arguments.file.as_deref())?);
    let PolicyArguments { rating, opponent, time_control, top, .. } = arguments;
    let players = if rating.is_empty() { &[Player::Unknown][..] } else { rating };
    let lines = compare(&mut session, &game, players, *opponent, *time_control, *top)?;
    lines.iter().for_each(|line| print(line));
    Ok(())
}

/// What players of each kind are likely to play against this opponent or their like, beside each other: the
/// `top` likeliest moves, in lines for people.
///
/// # Errors
/// The model gives no numbers that make sense.
pub fn compare(
    session: &mut Session,
    game: &Game,
    players: &[Player],
    opponent: Option<Player>,
    time_control: TimeControl,
    top: usize,
) -> Result<Vec<String>, NotFinite> {
    if game.position().legal_moves().is_empty() {
        return Ok(vec!["The game is over: there is no move.".to_owned()]);
    }
    let column = |&player: &Player| {
        let other = opponent.unwrap_or(player);
        let (white, black) = match game.position().side_to_move() {
            Colour::White => (player, other),
            Colour::Black => (other, player),
        };
        let conditions = Conditions { white, black, time_control };
        Ok((player.to_string(), session.predict(game, &conditions)?))
    };
    let columns = players.iter().map(column).collect::<Result<Vec<_>, NotFinite>>()?;
    Ok(table(game, &columns, top))
}

/// The model of this file, or without a file the one in the program.
fn model(path: Option<&Path>) -> Result<Arc<Model>, Box<dyn Error>> {
    match path {
        Some(path) => {
            expect_file(path)?;
            Ok(Arc::new(Model::open(path)?))
        }
        None => kaiyo_policy::embedded().ok_or_else(|| "there is no model in the program".into()),
    }
}

/// Moves by their mean probability, a column for each prediction.
fn table(game: &Game, columns: &[(String, Prediction)], top: usize) -> Vec<String> {
    let position = game.position();
    let probability = |prediction: &Prediction, mv: Move| {
        prediction.moves.iter().find(|entry| entry.0 == mv).map_or(0.0, |entry| entry.1)
    };
    let sum = |mv: Move| columns.iter().map(|(_, column)| probability(column, mv)).sum::<f32>();
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by(|&a, &b| sum(b).total_cmp(&sum(a)));
    let line = |name: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>8}")).collect();
        format!("{name:8}{cells}")
    };
    let mut lines = vec![line("rating", columns.iter().map(|(name, _)| name.clone()).collect())];
    for &mv in moves.iter().take(top) {
        let percent = |column: &Prediction| format!("{:.1} %", 100.0 * probability(column, mv));
        let cells = columns.iter().map(|(_, column)| percent(column)).collect();
        lines.push(line(&position.san(mv), cells));
    }
    let side = if position.side_to_move() == Colour::White { "White" } else { "Black" };
    let values = columns.iter().map(|(_, column)| format!("{:+.2}", column.value)).collect();
    lines.push(line("result", values));
    lines.push(format!("Result expected by {side}, from -1 to 1."));
    lines
}

fn info(path: Option<&Path>, print: &mut impl FnMut(&str)) -> Result<(), Box<dyn Error>> {
    let bytes: Cow<[u8]> = match path {
        None => kaiyo_policy::embedded_file().into(),
        Some(path) => {
            expect_file(path)?;
            let bytes = std::fs::read(path);
            bytes.map_err(|source| ModelError::File { path: path.to_owned(), source })?.into()
        }
    };
    let container = Container::read(&bytes)?;
    let model = Model::from_container(&container)?;
    for (key, value) in &container.metadata {
        match value {
            Value::Text(text) => print(&format!("{key}: {}", text.escape_debug())),
            value => print(&format!("{key}: {value}")),
        }
    }
    let [attention, hidden, head] = model.weight_kinds();
    print(&format!("parameters: {}", model.parameters()));
    print(&format!(
        "file: {:.1} MB, {} tensors",
        bytes.len() as f64 / 1e6,
        container.tensors.len()
    ));
    print(&format!("matrices in memory: {:.1} MB", model.matrix_bytes() as f64 / 1e6));
    print(&format!("attention {attention}, feed-forward {hidden}, policy head {head}"));
    print(&format!("sees the board: {}", if model.sees_board() { "yes" } else { "no" }));
    Ok(())
}

fn bench(
    path: Option<&Path>,
    full: bool,
    print: &mut impl FnMut(&str),
) -> Result<(), Box<dyn Error>> {
    let model = if full { Arc::new(Model::random(&FULL, Storage::Mixed, 1)) } else { model(path)? };
    let milliseconds = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
    print(&format!(
        "{} parameters, {:.1} MB of matrices",
        model.parameters(),
        model.matrix_bytes() as f64 / 1e6
    ));
    // The scalar one is for processors that have no other.
    let others = Backend::available().count() - 1;
    for backend in Backend::available().skip(others.min(1)) {
        let speed = measure::model(&model, backend, BENCH_ROUNDS);
        print(&format!(
            "{}: a new move {} (all logits {}), {} steps anew {}, {} steps {}",
            backend.name(),
            milliseconds(speed.step),
            milliseconds(speed.step_with_all_logits),
            HISTORY_STEPS + 1,
            milliseconds(speed.recomputed),
            PREFILL_STEPS,
            milliseconds(speed.prefill),
        ));
    }
    for bytes in [model.matrix_bytes(), MEMORY_BYTES] {
        let speed = measure::read_bandwidth(bytes, BENCH_ROUNDS);
        print(&format!(
            "memory: {:.1} MB read in {}, {:.1} GB/s",
            bytes as f64 / 1e6,
            milliseconds(speed.time),
            speed.gigabytes_per_second()
        ));
    }
    Ok(())
}
