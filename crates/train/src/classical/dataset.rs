//! Positions as sparse lists of features.

use super::Options;
use crate::random::mix;
use crate::viriformat::{GameReader, ScoredGame, open};
use anyhow::{Context, Result};
use kaiyo_chess::{Colour, Move, Position};
use kaiyo_progress::ProgressBar;
use kaiyo_search::evaluation::classical::{
    FEATURE_COUNT, FULL_PHASE, FULL_SCALE, FeatureSink, phase, scale, visit_features,
};
use std::path::Path;

/// Plies at the start of a game that are left out: all openings look alike. Most are kept, or
/// undeveloped pieces would get weights from end games alone.
const OPENING_PLIES: u32 = 4;
/// Scores beyond this are decided and teach nothing about weights.
const MAX_SCORE: i16 = 2500;
/// The scoring engine damps its scores with the half-move clock.
const MAX_HALFMOVE_CLOCK: u16 = 30;
/// One game in so many is kept for validation.
const VALIDATION_GAMES: u64 = 20;

/// What a position adds besides its features.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Where its features end; they begin where those of the sample before it end.
    end: usize,
    /// Expected score for White.
    pub target: f32,
    /// Share of the middle game.
    pub middle_game: f32,
    /// Share of the end game, scaled for White and for Black being ahead in it.
    pub end_game: [f32; 2],
}

/// Positions with their targets.
#[derive(Default)]
pub struct Dataset {
    samples: Vec<Sample>,
    features: Vec<u16>,
    counts: Vec<i8>,
}

impl Dataset {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Mean number of features that do not cancel out.
    pub fn features_per_position(&self) -> f64 {
        self.features.len() as f64 / self.len().max(1) as f64
    }

    /// A position with its features and their counts, White's minus Black's.
    pub fn get(&self, index: usize) -> (Sample, impl Iterator<Item = (usize, f32)>) {
        let sample = self.samples[index];
        let start = if index == 0 { 0 } else { self.samples[index - 1].end };
        let features = self.features[start..sample.end].iter().map(|&feature| usize::from(feature));
        let counts = self.counts[start..sample.end].iter().map(|&count| f32::from(count));
        (sample, features.zip(counts))
    }
}

/// Positions for training and validation, from different games.
pub struct Data {
    /// Positions to fit.
    pub training: Dataset,
    /// Positions to measure the fit.
    pub validation: Dataset,
    /// Number of games read.
    pub games: u64,
    /// How often each feature was seen, both sides together.
    pub occurrences: Vec<u64>,
}

/// Collects the features of one position.
pub struct Recorder {
    sums: [i16; FEATURE_COUNT],
    touched: Vec<u16>,
    occurrences: Vec<u64>,
}

impl FeatureSink for Recorder {
    fn add(&mut self, feature: usize, side: Colour, count: i32) {
        self.touched.push(feature as u16);
        self.occurrences[feature] += u64::from(count.unsigned_abs());
        self.sums[feature] += if side == Colour::White { count as i16 } else { -count as i16 };
    }
}

impl Recorder {
    /// A recorder that has seen nothing.
    pub fn new() -> Self {
        Self { sums: [0; FEATURE_COUNT], touched: Vec::new(), occurrences: vec![0; FEATURE_COUNT] }
    }

    /// Adds a position to the set.
    pub fn record(&mut self, position: &Position, target: f32, dataset: &mut Dataset) {
        visit_features(position, self);
        for feature in self.touched.drain(..) {
            let sum = core::mem::take(&mut self.sums[usize::from(feature)]);
            if sum != 0 {
                dataset.features.push(feature);
                dataset.counts.push(sum.clamp(-128, 127) as i8);
            }
        }
        let middle_game = phase(position) as f32 / FULL_PHASE as f32;
        let end_game = Colour::ALL
            .map(|strong| scale(position, strong) as f32 / FULL_SCALE as f32 * (1.0 - middle_game));
        let end = dataset.features.len();
        dataset.samples.push(Sample { end, target, middle_game, end_game });
    }
}

/// Reads positions from all files until there are enough.
pub fn read(options: &Options) -> Result<Data> {
    let mut data = Data {
        training: Dataset::default(),
        validation: Dataset::default(),
        games: 0,
        occurrences: Vec::new(),
    };
    let mut recorder = Recorder::new();
    let text = "{human_pos}/{human_len} positions, {eta} left";
    let bar = kaiyo_progress::bar(Some(options.positions as u64), "{wide_bar}", text);
    for path in &options.data {
        read_file(path, options, &mut data, &mut recorder, &bar)
            .with_context(|| format!("in {}", path.display()))?;
    }
    bar.finish_and_clear();
    data.occurrences = recorder.occurrences;
    Ok(data)
}

fn read_file(
    path: &Path,
    options: &Options,
    data: &mut Data,
    recorder: &mut Recorder,
    bar: &ProgressBar,
) -> Result<()> {
    let mut reader = GameReader::new(open(path)?);
    while data.training.len() + data.validation.len() < options.positions {
        let Some(game) = reader.next_game()? else { break };
        let seed = mix(data.games);
        data.games += 1;
        let validation = seed.is_multiple_of(VALIDATION_GAMES);
        let dataset = if validation { &mut data.validation } else { &mut data.training };
        let before = dataset.len();
        add_game(&game, seed, options, recorder, dataset)?;
        bar.inc((dataset.len() - before) as u64);
    }
    Ok(())
}

fn add_game(
    game: &ScoredGame,
    mut seed: u64,
    options: &Options,
    recorder: &mut Recorder,
    dataset: &mut Dataset,
) -> Result<()> {
    let mut ply = 0;
    let result = game.result.white_points();
    game.replay(|position, mv, score| {
        ply += 1;
        seed = mix(seed);
        if ply > OPENING_PLIES
            && seed.is_multiple_of(options.every)
            && is_quiet(position, mv, score)
        {
            let expected = 1.0 / (1.0 + (-f32::from(score) / options.data_scale).exp());
            let target = expected + options.result_share * (result - expected);
            recorder.record(position, target, dataset);
        }
    })?;
    Ok(())
}

/// Whether the static features can tell the score: no tactics on the board, nothing decided.
fn is_quiet(position: &Position, mv: Move, score: i16) -> bool {
    !position.in_check()
        && !mv.is_capture()
        && !mv.is_promotion()
        && score.unsigned_abs() <= MAX_SCORE.unsigned_abs()
        && position.halfmove_clock() <= MAX_HALFMOVE_CLOCK
        // Bare kings are evaluated by other means.
        && !position.has_bare_king(Colour::White)
        && !position.has_bare_king(Colour::Black)
}
