//! Reads games, filters their positions and packs them.

use super::record::{Record, expected_score};
use crate::random::{chance, mix};
use crate::viriformat::{GameReader, MAX_SCORE, PositionReader, ScoredGame, holds_positions, open};
use crate::workers::share;
use anyhow::{Context, Result, ensure};
use kaiyo_chess::{Move, Position};
use kaiyo_progress::ProgressBar;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Games between two steps of the progress bar.
const GAMES_PER_TICK: u64 = 64;
/// Single positions that are all trained or all held out.
const BLOCK: u64 = 4096;

/// Which positions teach something. Games are stored whole, so that this can change.
#[derive(Clone, Debug, clap::Args)]
pub struct Filters {
    /// Leave out so many plies at the start of each game.
    #[arg(long, default_value_t = 4)]
    pub min_ply: u32,
    /// Leave out scores beyond this, in the units of the data.
    #[arg(long, default_value_t = 6000)]
    pub max_score: u16,
    /// Leave out higher half-move clocks: scores are damped there.
    #[arg(long, default_value_t = 30)]
    pub max_clock: u16,
    /// Keep positions in check.
    #[arg(long)]
    pub keep_checks: bool,
    /// Keep positions whose move is a capture or a promotion.
    #[arg(long)]
    pub keep_tactics: bool,
    /// Keep this share of the positions that pass, at random.
    #[arg(long, default_value_t = 1.0)]
    pub keep_share: f64,
    /// Keep about so many positions of each file, the first ones that pass.
    #[arg(long)]
    pub max_positions: Option<usize>,
}

/// A file of games or single positions, as `FILE` or `FILE@SCALE` when its scores have a scale of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct DataFile {
    path: PathBuf,
    /// Scores that make an expected score of 1 / (1 + 1/e).
    scale: Option<f32>,
}

impl FromStr for DataFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_folder = |rest: &str| rest.contains(std::path::is_separator);
        let scaled = text.rsplit_once('@').filter(|(_, rest)| !is_folder(rest));
        // Names of files may have the sign too.
        let Some((path, scale)) = scaled.filter(|_| !Path::new(text).is_file()) else {
            return Ok(Self { path: text.into(), scale: None });
        };
        match scale.parse::<f32>() {
            Ok(scale) if scale > 0.0 && scale.is_finite() => {
                Ok(Self { path: path.into(), scale: Some(scale) })
            }
            _ => Err(format!("scale \"{scale}\" is no positive number")),
        }
    }
}

impl DataFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// How scores become targets.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// Scores in records that make an expected score of 1 / (1 + 1/e).
    pub scale: f32,
    /// Share of the next position's target in that of a position.
    pub lookahead: f32,
}

impl Labels {
    /// Expected scores of White from White's scores of the positions of a game: each is mixed
    /// with that of the next one, which already has its share of all that follow. This is a
    /// deeper search for the price of a shallow one, as both sides play its best moves
    /// (Sutton, "Learning to predict by the methods of temporal differences", 1988).
    fn targets(&self, scores: impl DoubleEndedIterator<Item = i16>, scale: f32) -> Vec<f32> {
        let mut next = None;
        let mut targets: Vec<f32> = scores
            .rev()
            .map(|score| {
                let own = expected_score(score, scale);
                let target = next.map_or(own, |next| own + self.lookahead * (next - own));
                *next.insert(target)
            })
            .collect();
        targets.reverse();
        targets
    }

    /// The score that stands for an expected score.
    fn score(&self, expected: f32) -> i16 {
        let score = self.scale * (expected / (1.0 - expected)).ln();
        let limit = f32::from(MAX_SCORE);
        score.round().clamp(-limit, limit) as i16
    }
}

impl Filters {
    /// Whether a position passes; `random` decides about the share.
    fn pass(&self, ply: u32, position: &Position, mv: Move, score: i16, random: u64) -> bool {
        ply >= self.min_ply
            && (self.keep_tactics || !(mv.is_capture() || mv.is_promotion()))
            && self.pass_position(position, score, random)
    }

    /// The same for a position from no game.
    fn pass_position(&self, position: &Position, score: i16, random: u64) -> bool {
        score.unsigned_abs() <= self.max_score
            && position.halfmove_clock() <= self.max_clock
            && (self.keep_checks || !position.in_check())
            && (self.keep_share >= 1.0 || chance(random, self.keep_share))
    }
}

/// Positions of whole games, for training and for validation.
#[derive(Default)]
pub struct Data {
    /// Positions to learn.
    pub training: Vec<Record>,
    /// Positions of other games, to measure.
    pub validation: Vec<Record>,
    /// Games read.
    pub games: u64,
    /// Positions read, those left out too.
    pub positions: u64,
}

impl Data {
    fn append(&mut self, mut other: Self) {
        // The first part is taken as it is: a copy would need its memory twice.
        for (all, part) in [
            (&mut self.training, &mut other.training),
            (&mut self.validation, &mut other.validation),
        ] {
            if all.is_empty() {
                std::mem::swap(all, part);
            } else {
                all.append(part);
            }
        }
        self.games += other.games;
        self.positions += other.positions;
    }
}

/// Reads all files, each in a thread, `threads` at a time.
///
/// Whether a game is held out, and which positions are kept, depends on the seed, the file's
/// place in the list and the game's place in the file, and on nothing else.
pub fn read(
    files: &[DataFile],
    filters: &Filters,
    labels: Labels,
    validation_share: f64,
    seed: u64,
    threads: usize,
) -> Result<Data> {
    ensure!((0.0..1.0).contains(&validation_share), "--validation-share must be in 0..1");
    let bar = kaiyo_progress::bar(None, "{spinner}", "{msg}");
    let mut workers = vec![(); threads.clamp(1, files.len().max(1))];
    let parts = share(&mut workers, files, |(), index, file| {
        let seed = mix(seed ^ mix(index as u64));
        read_file(file, filters, labels, validation_share, seed, &bar)
            .with_context(|| format!("in {}", file.path.display()))
    })?;
    bar.finish_and_clear();
    let mut data = Data::default();
    for part in parts {
        data.append(part);
    }
    Ok(data)
}

fn read_file(
    file: &DataFile,
    filters: &Filters,
    labels: Labels,
    validation_share: f64,
    seed: u64,
    bar: &ProgressBar,
) -> Result<Data> {
    if holds_positions(&file.path) {
        return read_positions(file, filters, labels, validation_share, seed, bar);
    }
    let mut reader = GameReader::new(open(&file.path)?);
    let scale = file.scale.unwrap_or(labels.scale);
    let mut data = Data::default();
    let most = filters.max_positions.unwrap_or(usize::MAX);
    while data.training.len() + data.validation.len() < most {
        let next = reader.next_game().with_context(|| format!("game {}", data.games + 1))?;
        let Some(game) = next else { break };
        let random = mix(seed ^ mix(data.games));
        data.games += 1;
        let targets = labels.targets(game.scores(), scale);
        let label = |ply: usize| targets.get(ply).map_or(0, |&target| labels.score(target));
        add_game(&game, filters, label, validation_share, random, &mut data)
            .with_context(|| format!("game {}", data.games))?;
        if data.games.is_multiple_of(GAMES_PER_TICK) {
            bar.set_message(format!("{} games of {}", data.games, file.path.display()));
            bar.inc(GAMES_PER_TICK);
        }
    }
    Ok(data)
}

/// Reads a file of single positions. Neighbours are kin, so that whole blocks are held out.
fn read_positions(
    file: &DataFile,
    filters: &Filters,
    labels: Labels,
    validation_share: f64,
    seed: u64,
    bar: &ProgressBar,
) -> Result<Data> {
    let mut reader = PositionReader::new(open(&file.path)?);
    let scale = file.scale.unwrap_or(labels.scale);
    let mut data = Data::default();
    let most = filters.max_positions.unwrap_or(usize::MAX);
    while data.training.len() + data.validation.len() < most {
        let Some(scored) = reader.next_position()? else { break };
        let block = data.positions / BLOCK;
        if data.positions.is_multiple_of(BLOCK) {
            bar.set_message(format!("{} positions of {}", data.positions, file.path.display()));
            bar.inc(1);
        }
        data.positions += 1;
        let held_out = chance(mix(seed ^ mix(block)), validation_share);
        let records = if held_out { &mut data.validation } else { &mut data.training };
        if filters.pass_position(&scored.position, scored.score, mix(seed ^ data.positions)) {
            let score = labels.score(expected_score(scored.score, scale));
            records.push(Record::new(&scored.position, score, scored.result));
        }
    }
    Ok(data)
}

fn add_game(
    game: &ScoredGame,
    filters: &Filters,
    label: impl Fn(usize) -> i16,
    validation_share: f64,
    mut random: u64,
    data: &mut Data,
) -> Result<()> {
    let held_out = chance(random, validation_share);
    let records = if held_out { &mut data.validation } else { &mut data.training };
    let mut ply = 0;
    game.replay(|position, mv, score| {
        random = mix(random);
        if filters.pass(ply, position, mv, score, random) {
            records.push(Record::new(position, label(ply as usize), Some(game.result)));
        }
        ply += 1;
    })?;
    data.positions += u64::from(ply);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viriformat::{GameResult, GameWriter, PositionWriter, ScoredPosition};

    #[test]
    fn targets_look_ahead() {
        let scores = [0, 0, 600, -600_i16];
        let targets =
            |lookahead| Labels { scale: 600.0, lookahead }.targets(scores.into_iter(), 600.0);
        let logistic = 1.0 / (1.0 + (-1.0_f32).exp());
        let none = targets(0.0);
        for (target, expected) in none.iter().zip([0.5, 0.5, logistic, 1.0 - logistic]) {
            assert!((target - expected).abs() < 1e-6, "{none:?}");
        }
        let half = targets(0.5);
        assert!((half[2] - 0.5).abs() < 1e-6 && (half[0] - 0.5).abs() < 1e-6, "{half:?}");
        let all = targets(1.0);
        assert!(all.iter().all(|target| (target - all[3]).abs() < 1e-6), "{all:?}");
    }

    #[test]
    fn scores_of_other_scales_are_converted() {
        let labels = Labels { scale: 600.0, lookahead: 0.0 };
        let targets = labels.targets([100, -200, 32_000].into_iter(), 200.0);
        let scores: Vec<_> = targets.into_iter().map(|target| labels.score(target)).collect();
        assert_eq!(scores, [300, -600, MAX_SCORE]);
    }

    const ALL: Filters = Filters {
        min_ply: 0,
        max_score: u16::MAX,
        max_clock: u16::MAX,
        keep_checks: true,
        keep_tactics: true,
        keep_share: 1.0,
        max_positions: None,
    };

    /// A file that ends with the test.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("kaiyo-loader-{}-{name}", std::process::id())))
        }

        fn read(&self, filters: &Filters, held_out: f64, threads: usize) -> Data {
            let file = DataFile { path: self.0.clone(), scale: None };
            let labels = Labels { scale: 200.0, lookahead: 0.0 };
            let files = [file.clone(), file];
            super::read(&files, filters, labels, held_out, 5, threads).unwrap()
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    /// A game in which the first position has a high clock, two moves take something, one gives check, and one
    /// position has a high score.
    fn game(result: GameResult) -> ScoredGame {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 40 30";
        let start = Position::from_fen(fen).unwrap();
        let mut game = ScoredGame::new(start, result);
        let mut position = start;
        for (text, score) in [
            ("e2e4", 10),
            ("d7d5", 20),
            ("e4d5", 30),
            ("d8d5", 20),
            ("b1c3", 30),
            ("d5e5", -7000),
            ("f1e2", 40),
            ("g8f6", 30),
        ] {
            let mv = position.parse_uci_move(text).unwrap();
            game.push(mv, score);
            position = position.make(mv);
        }
        game
    }

    #[test]
    fn each_filter_leaves_out_what_it_says() {
        let file = Temporary::new("filters.vf");
        let mut writer = GameWriter::create(&file.0).unwrap();
        writer.write(&game(GameResult::WhiteWon)).unwrap();
        writer.finish().unwrap();
        let kept = |filters: Filters| {
            let data = file.read(&filters, 0.0, 1);
            assert_eq!((data.games, data.positions), (2, 16));
            data.training.len() / 2
        };
        assert_eq!(kept(ALL), 8);
        assert_eq!(kept(Filters { min_ply: 3, ..ALL }), 5);
        assert_eq!(kept(Filters { max_score: 6999, ..ALL }), 7);
        assert_eq!(kept(Filters { max_clock: 39, ..ALL }), 7);
        assert_eq!(kept(Filters { keep_checks: false, ..ALL }), 7);
        assert_eq!(kept(Filters { keep_tactics: false, ..ALL }), 6);
        let strict = Filters { keep_checks: false, keep_tactics: false, max_score: 100, ..ALL };
        assert_eq!(kept(strict), 4);
    }

    #[test]
    fn whole_games_are_held_out_however_many_threads_read() {
        let file = Temporary::new("held-out.vf");
        let mut writer = GameWriter::create(&file.0).unwrap();
        for _ in 0..400 {
            writer.write(&game(GameResult::Draw)).unwrap();
        }
        writer.finish().unwrap();
        let data = file.read(&ALL, 0.25, 1);
        assert_eq!(data.training.len() + data.validation.len(), 2 * 400 * 8);
        assert!(data.validation.len().is_multiple_of(8), "games are whole");
        let share = data.validation.len() as f64 / (2.0 * 400.0 * 8.0);
        assert!((0.18..0.32).contains(&share), "{share}");
        let bytes = |records: &[Record]| -> Vec<_> {
            records.iter().map(|record| record.to_bytes()).collect()
        };
        for threads in [2, 5] {
            let again = file.read(&ALL, 0.25, threads);
            assert!(bytes(&again.training) == bytes(&data.training));
            assert!(bytes(&again.validation) == bytes(&data.validation));
        }
        let half = file.read(&Filters { keep_share: 0.5, ..ALL }, 0.0, 1).training.len();
        assert!((2_800..3_600).contains(&half), "{half} of 6,400");
        let few = file.read(&Filters { max_positions: Some(100), ..ALL }, 0.0, 2).training.len();
        assert!((200..220).contains(&few), "{few} of two files");
    }

    #[test]
    fn single_positions_are_held_out_in_blocks() {
        let file = Temporary::new("blocks.bin");
        let mut writer = PositionWriter::create(&file.0).unwrap();
        let count = 40 * BLOCK;
        for _ in 0..count {
            let position = Position::start();
            writer.write(&ScoredPosition { position, score: 30, result: None }).unwrap();
        }
        writer.finish().unwrap();
        let data = file.read(&ALL, 0.25, 2);
        assert_eq!((data.training.len() + data.validation.len()) as u64, 2 * count);
        assert_eq!(data.validation.len() as u64 % BLOCK, 0);
        assert!(!data.validation.is_empty() && data.validation.len() < data.training.len());
        assert_eq!(file.read(&Filters { max_score: 29, ..ALL }, 0.25, 2).training.len(), 0);
    }

    #[test]
    fn names_of_files_may_have_the_sign_of_scales() {
        let file = Temporary::new("games@2024");
        std::fs::write(&file.0, "").unwrap();
        let text = file.0.to_str().unwrap();
        let parsed = |text: &str| text.parse::<DataFile>().unwrap();
        assert_eq!(parsed(text), DataFile { path: file.0.clone(), scale: None });
        assert_eq!(parsed(&format!("{text}@300")).scale, Some(300.0));
        assert!("a.vf@inf".parse::<DataFile>().is_err());
    }

    #[test]
    fn files_may_have_scales() {
        let file = |text: &str| text.parse::<DataFile>();
        assert_eq!(file("a.vf"), Ok(DataFile { path: "a.vf".into(), scale: None }));
        assert_eq!(file("b@x/a.vf"), Ok(DataFile { path: "b@x/a.vf".into(), scale: None }));
        assert_eq!(
            file("b@x/a.vf@250"),
            Ok(DataFile { path: "b@x/a.vf".into(), scale: Some(250.0) })
        );
        for bad in ["a.vf@", "a.vf@-3", "a.vf@x"] {
            assert!(file(bad).is_err(), "{bad}");
        }
    }
}
