use super::super::batch::{Batch, GROUP};
use super::super::run::{Plan, Run};
use super::super::{checkpoint, checksum, export};
use super::*;
use crate::random::sequence;
use crate::viriformat::GameResult;
use kaiyo_chess::{Colour, PieceType, Position, Random};
use kaiyo_nnue::{FIRST_OUTPUTS, SECOND_OUTPUTS, WIDTH, Weights};

/// Positions of random games.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = sequence(seed, 5);
    let mut positions = Vec::new();
    let mut position = Position::start();
    while positions.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.occupied().len() < 4 || random.below(150) == 0 {
            position = Position::start();
            continue;
        }
        position = position.make(moves[random.below(moves.len())]);
        positions.push(position);
    }
    positions
}

/// Random positions with their material as score, so that there is something to learn.
fn records(count: usize, seed: u64) -> Vec<Record> {
    const VALUES: [i32; 6] = [350, 1000, 1050, 1600, 3000, 0];
    let record = |position: Position| {
        let side = |colour| -> i32 {
            let men = |man: PieceType| position.pieces(colour, man).len() as i32;
            PieceType::ALL.into_iter().map(|man| men(man) * VALUES[man.index()]).sum()
        };
        let score = side(Colour::White) - side(Colour::Black);
        let result = match score {
            ..-500 => GameResult::BlackWon,
            501.. => GameResult::WhiteWon,
            _ => GameResult::Draw,
        };
        Record::new(&position, score as i16, Some(result))
    };
    positions(count, seed).into_iter().map(record).collect()
}

fn plan() -> Plan {
    Plan {
        batch: 256,
        lr: 2e-3,
        warmup: 5,
        final_lr: 1e-5,
        weight_decay: 0.01,
        wdl: "0.1:0.3".parse().unwrap(),
        scale: 600.0,
        exponent: 2.5,
        activation_cost: 1e-3,
        seed: 3,
    }
}

/// The forward pass by its definition, in double precision, with one number changed by `change`.
struct Reference<'a> {
    trainer: &'a Trainer,
    change: (Number, f64),
}

/// A number of the network.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Transformer { feature: usize, column: usize },
    TransformerBias { column: usize },
    Dense { row: usize, lane: usize },
}

impl Reference<'_> {
    fn get(&self, number: Number) -> f64 {
        let parameters = &self.trainer.state.parameters;
        let value = match number {
            Number::Transformer { feature, column } => {
                parameters.transformer_weight(feature, column)
            }
            Number::TransformerBias { column } => parameters.transformer_bias(column),
            Number::Dense { row, lane } => parameters.dense[row].0[lane],
        };
        f64::from(value) + if self.change.0 == number { self.change.1 } else { 0.0 }
    }

    /// Inputs of the first layer.
    fn activations(&self, record: &Record) -> Vec<f64> {
        let mut features = [[0; kaiyo_nnue::features::MAX_ACTIVE]; 2];
        record.features(&mut features);
        let mut inputs = Vec::new();
        for list in features {
            let sums: Vec<f64> = (0..WIDTH)
                .map(|column| {
                    let rows = list[..record.men() as usize].iter();
                    let weights = rows.map(|&feature| {
                        self.get(Number::Transformer { feature: feature.into(), column })
                    });
                    let bias = self.get(Number::TransformerBias { column });
                    (weights.sum::<f64>() + bias).clamp(0.0, f64::from(super::dense::SUM_LIMIT))
                })
                .collect();
            let count = self.trainer.layout.architecture.activations();
            inputs.extend((0..count).map(|index| sums[index] * sums[index + WIDTH - count]));
        }
        inputs
    }

    fn output(&self, record: &Record) -> f64 {
        let layout = self.trainer.layout;
        let inputs = self.activations(record);
        let bucket = kaiyo_nnue::features::output_bucket(record.men());
        let at = |row: usize, lane: usize| {
            self.get(Number::Dense { row: bucket * layout.len + row, lane })
        };
        let hidden: Vec<f64> = (0..FIRST_OUTPUTS)
            .map(|output| {
                let products =
                    inputs.iter().enumerate().map(|(row, input)| input * at(row, output));
                products.sum::<f64>() + at(layout.first_bias, output)
            })
            .collect();
        let mut last: Vec<f64> = hidden.iter().map(|x| x.clamp(0.0, 1.0)).collect();
        if layout.architecture.has_second_layer() {
            last.extend(hidden.iter().map(|x| (x * x).min(1.0)));
            let inputs = last;
            last = (0..SECOND_OUTPUTS)
                .map(|output| {
                    let (half, lane) = (output / 16, output % 16);
                    let products = inputs
                        .iter()
                        .enumerate()
                        .map(|(index, input)| input * at(layout.second + 2 * index + half, lane));
                    let sum = products.sum::<f64>() + at(layout.second_bias + half, lane);
                    sum.clamp(0.0, 1.0)
                })
                .collect();
        }
        let weight = |index: usize| at(layout.output + index / 16, index % 16);
        let products = last.iter().enumerate().map(|(index, value)| value * weight(index));
        products.sum::<f64>() + at(layout.output_bias, 0)
    }

    /// Mean loss over records.
    fn loss(&self, records: &[Record], plan: &Plan) -> f64 {
        let loss = |record: &Record| {
            let expected = 1.0 / (1.0 + (-self.output(record)).exp());
            let target = f64::from(record.target(plan.scale, 0.2));
            (expected - target).abs().powf(f64::from(plan.exponent))
                + f64::from(plan.activation_cost) * self.activations(record).iter().sum::<f64>()
        };
        records.iter().map(loss).sum::<f64>() / records.len() as f64
    }
}

const NO_CHANGE: (Number, f64) = (Number::TransformerBias { column: 0 }, 0.0);

#[test]
fn outputs_are_those_of_the_definition() {
    let records = records(60, 1);
    for architecture in Architecture::ALL {
        for simd in Simd::available() {
            let mut trainer = Trainer::new(architecture, 9, 2).with_simd(simd);
            let outputs = trainer.outputs(&records);
            let reference = Reference { trainer: &trainer, change: NO_CHANGE };
            for (record, output) in records.iter().zip(outputs) {
                let expected = reference.output(record);
                let error = f64::from(output) - expected;
                assert!(error.abs() < 1e-4, "{architecture:?}, {simd:?}: {output}, {expected}");
            }
        }
    }
}

/// The gradient that the trainer computes for a number, taken from the first moment after a
/// first step, which is a tenth of it.
fn gradient(trainer: &Trainer, number: Number) -> f64 {
    let moments = &trainer.state.first;
    let moment = match number {
        Number::Transformer { feature, column } => moments.transformer_weight(feature, column),
        Number::TransformerBias { column } => moments.transformer_bias(column),
        Number::Dense { row, lane } => moments.dense[row].0[lane],
    };
    f64::from(moment) / f64::from(1.0 - 0.9_f32)
}

/// Numbers of all layers that the records use.
fn numbers(layout: Layout, records: &[Record], random: &mut Random) -> Vec<Number> {
    let mut numbers = Vec::new();
    for round in 0..12 {
        let record = &records[random.below(records.len())];
        let mut features = [[0; kaiyo_nnue::features::MAX_ACTIVE]; 2];
        record.features(&mut features);
        let feature = features[round % 2][random.below(record.men() as usize)].into();
        let column = random.below(WIDTH);
        numbers.push(Number::Transformer { feature, column });
        numbers.push(Number::TransformerBias { column });
        let start = kaiyo_nnue::features::output_bucket(record.men()) * layout.len;
        let lane = random.below(16);
        for row in [
            random.below(layout.first_bias),
            layout.first_bias,
            layout.second + random.below((layout.second_bias - layout.second).max(1)),
            layout.second_bias,
            layout.output,
            layout.output_bias - 1,
        ] {
            // Without a second layer some of these rows are the same.
            let lane = if row == layout.output_bias { 0 } else { lane };
            numbers.push(Number::Dense { row: start + row, lane });
        }
        numbers.push(Number::Dense { row: start + layout.output_bias, lane: 0 });
    }
    numbers
}

#[test]
fn gradients_are_those_of_finite_differences() {
    // So few that all reference losses take little time, and not a multiple of a group.
    let records = records(20, 2);
    let plan = plan();
    for architecture in Architecture::ALL {
        let before = Trainer::new(architecture, 4, 1);
        let mut after = Trainer::new(architecture, 4, 2);
        let mut batch = Batch::default();
        batch.fill(records.iter(), |record| record.target(plan.scale, 0.2));
        let loss = Loss { exponent: plan.exponent, activation_cost: plan.activation_cost };
        let options = StepOptions { rate: 1e-3, weight_decay: 0.0, loss };
        let found = after.step(&batch, &options);
        let reference = |change| Reference { trainer: &before, change }.loss(&records, &plan);
        let middle = reference(NO_CHANGE);
        assert!((found - middle).abs() < 1e-5, "{found}, expected {middle}");
        let (mut good, mut kinks) = (0, 0);
        for number in numbers(before.layout, &records, &mut sequence(1, 1)) {
            let width = 1e-4;
            let [low, high] = [-width, width].map(|change| reference((number, change)));
            let slopes = [(middle - low) / width, (high - middle) / width];
            let expected = (high - low) / (2.0 * width);
            let found = gradient(&after, number);
            if (slopes[0] - slopes[1]).abs() > 1e-6 + 0.02 * expected.abs() {
                // A clipped sum begins or ends between the two.
                kinks += 1;
                continue;
            }
            let error = (found - expected).abs();
            assert!(
                error < 1e-6 + 0.02 * expected.abs(),
                "{architecture:?} {number:?}: {found:e}, expected {expected:e}"
            );
            good += usize::from(expected.abs() > 1e-6);
        }
        assert!(good > 40 && kinks < 30, "{good} checked, {kinks} with kinks");
    }
}

/// The engine must compute what was trained: the test that finds scrambled weights.
#[test]
fn the_engine_computes_what_was_trained() {
    let data = records(4000, 3);
    let (training, sample) = data.split_at(3500);
    let plan = plan();
    for architecture in Architecture::ALL {
        let run = Run::new(&plan, training, Some(40), 0).unwrap();
        let mut trainer = Trainer::new(architecture, 1, 2);
        let mut losses = Vec::new();
        run.until(&mut trainer, 40, |_, done| {
            losses.push(done.loss);
            Ok(())
        })
        .unwrap();
        assert!(losses[39] < 0.7 * losses[0], "{} to {}", losses[0], losses[39]);
        let (_, error) = export::network(&mut trainer, 200.0, sample).unwrap();
        assert!(error.mean < 10.0 && error.max < 100.0, "{error:?}");
        assert!(error.active > 0.02, "{error:?}");

        let weights = export::quantise(trainer.layout, &trainer.state.parameters, 200.0);
        let network = kaiyo_nnue::Network::new(weights).unwrap();
        for fen in [
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2P2N2/PP1P1PPP/RNBQ1RK1 b kq - 0 5",
            "8/2k5/3p4/8/5R2/1K6/8/8 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let record = Record::new(&position, 0, Some(GameResult::Draw));
            let [expected] = trainer.outputs(&[record])[..] else { panic!("one output") };
            let difference = 200.0 * (network.output_from_scratch(&position) - expected);
            assert!(difference.abs() < 30.0, "{difference} cp, {fen}");
        }
    }
}

/// A trainer with the weights of a network that the engine has.
fn trainer_of(weights: &Weights) -> Trainer {
    let mut trainer = Trainer::new(weights.architecture, 1, 2);
    let layout = trainer.layout;
    let parameters = &mut trainer.state.parameters;
    let quantum = kaiyo_nnue::TRANSFORMER_QUANTUM as f32;
    for (feature, row) in weights.transformer.iter().enumerate() {
        for (tile, sums) in row.0.as_chunks::<16>().0.iter().enumerate() {
            let row = &mut parameters.transformer[tile * FEATURES + feature];
            row.0 = sums.map(|weight| f32::from(weight) / quantum);
        }
    }
    let biases = weights.transformer_bias.0.as_chunks::<16>().0;
    for (row, sums) in parameters.transformer_bias.iter_mut().zip(biases) {
        row.0 = sums.map(|bias| f32::from(bias) / quantum);
    }
    let buckets = parameters.dense.chunks_exact_mut(layout.len);
    for (rows, dense) in buckets.zip(&weights.dense) {
        for (input, row) in rows[..layout.first_bias].iter_mut().enumerate() {
            let group = &dense.first[input / 4].0;
            row.0 = core::array::from_fn(|output| {
                f32::from(group[output][input % 4]) / kaiyo_nnue::FIRST_QUANTUM as f32
            });
        }
        rows[layout.first_bias].0 = dense.first_bias;
        let wide = dense
            .second
            .iter()
            .flatten()
            .chain(dense.second_bias.iter().take(32 * usize::from(!dense.second.is_empty())));
        let wide = wide.chain(&dense.output[..weights.architecture.output_inputs()]);
        let targets = rows[layout.second..layout.output_bias].iter_mut().flat_map(|row| &mut row.0);
        for (target, value) in targets.zip(wide) {
            *target = *value;
        }
        rows[layout.output_bias].0[0] = dense.output_bias;
    }
    trainer
}

/// The same on many positions with weights that are whole numbers already: what is left is the
/// rounding of the activations.
#[test]
fn engine_and_trainer_agree_about_the_engines_weights() {
    let sample = records(10_000, 6);
    for architecture in Architecture::ALL {
        let trainer = Trainer::new(architecture, 7, 1);
        let weights = export::quantise(trainer.layout, &trainer.state.parameters, 200.0);
        let network = kaiyo_nnue::Network::new(weights).unwrap();
        let mut same = trainer_of(network.weights());
        let (again, error) = export::network(&mut same, 200.0, &sample).unwrap();
        assert_eq!(again.checksum(), network.checksum(), "not the same weights");
        assert!(error.mean < 3.0 && error.max < 15.0, "{architecture:?}: {error:?}");
    }
}

/// The network in the program: the engine's output for a position is that of the trainer's
/// forward pass with the same weights, but for the rounding of the activations.
#[test]
fn engine_and_trainer_agree_about_the_network_in_the_program() {
    let network = kaiyo_search::evaluation::embedded_network().unwrap();
    let mut trainer = trainer_of(network.weights());
    let positions = positions(10_000, 8);
    let record = |position| Record::new(position, 0, Some(GameResult::Draw));
    let records: Vec<Record> = positions.iter().map(record).collect();
    let mut total = 0.0;
    for (position, expected) in positions.iter().zip(trainer.outputs(&records)) {
        let error = network.weights().scale * (network.output_from_scratch(position) - expected);
        assert!(error.abs() < 30.0 + 10.0 * expected.abs(), "{error} cp, {position}");
        total += f64::from(error.abs());
    }
    let mean = total / positions.len() as f64;
    assert!(mean < 5.0, "{mean} cp");
}

#[test]
fn a_resumed_training_is_the_same_whatever_the_threads() {
    let data = records(1500, 4);
    let plan = plan();
    let run = Run::new(&plan, &data, Some(12), 0).unwrap();
    let new = |threads| Trainer::new(Architecture::Pairwise, 1, threads);
    let mut whole = new(1);
    run.until(&mut whole, 12, |_, _| Ok(())).unwrap();

    let folder = std::env::temp_dir().join(format!("kaiyo-train-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("checkpoint.bin");
    let mut first = new(2);
    run.until(&mut first, 7, |_, _| Ok(())).unwrap();
    checkpoint::save(&path, &mut first.state, 77).unwrap();
    let mut second = new(2);
    let error = checkpoint::load(&path, second.layout, 78).unwrap_err();
    assert!(format!("{error:#}").contains("other options"), "{error:#}");
    second.state = checkpoint::load(&path, second.layout, 77).unwrap();
    assert!(second.state == first.state);
    run.until(&mut second, 12, |_, _| Ok(())).unwrap();
    assert!(second.state == whole.state);

    let mut damaged = std::fs::read(&path).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    let error = checkpoint::load(&path, second.layout, 77).unwrap_err();
    assert!(format!("{error:#}").contains("damaged"), "{error:#}");
    std::fs::write(&path, &damaged[..middle]).unwrap();
    assert!(checkpoint::load(&path, second.layout, 77).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn checkpoints_know_the_data_and_its_order() {
    let data = records(100, 4);
    assert_ne!(checksum(&data), checksum(&records(100, 5)));
    let mut turned = data.clone();
    turned.swap(0, 50);
    assert_ne!(checksum(&data), checksum(&turned));
}

#[test]
fn weights_stay_within_their_limits() {
    let data = records(300, 6);
    let mut plan = plan();
    plan.lr = 1.0;
    plan.final_lr = 1.0;
    let run = Run::new(&plan, &data, Some(6), 0).unwrap();
    let mut trainer = Trainer::new(Architecture::Squared, 1, 1);
    run.until(&mut trainer, 6, |_, _| Ok(())).unwrap();
    let largest =
        |rows: &[Floats]| rows.iter().flat_map(|row| row.0).map(f32::abs).fold(0.0, f32::max);
    let parameters = &trainer.state.parameters;
    assert_eq!(largest(&parameters.transformer), TRANSFORMER_LIMIT);
    let rows = &parameters.dense[..trainer.layout.first_bias];
    assert!(largest(rows) <= FIRST_LIMIT);
    assert_eq!(trainer.sums.len() % (GROUP * 2 * TILES), 0);
}
