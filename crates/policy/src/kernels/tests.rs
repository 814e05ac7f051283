use super::*;
use crate::model::BLOCK_ROWS;
use kaiyo_chess::Random;
use kaiyo_fuzz::rounds;
use proptest::prelude::*;

/// A matrix with random weights, or extreme ones.
fn matrix(kind: WeightKind, rows: usize, columns: usize, extreme: bool, seed: u64) -> Vec<Line> {
    let mut random = Random::new(seed);
    let mut byte = || match (kind, extreme) {
        (WeightKind::Int8, false) => random.bits() as u8,
        (WeightKind::Int8, true) => [0, 255][random.below(2)],
        (WeightKind::Ternary, false) => (0..4).fold(0, |byte, _| byte << 2 | random.below(3) as u8),
        (WeightKind::Ternary, true) => [0, 0xaa][random.below(2)],
    };
    let len = rows / BLOCK_ROWS * kind.lines(columns);
    (0..len).map(|_| Line(core::array::from_fn(|_| byte()))).collect()
}

fn inputs(count: usize, columns: usize, extreme: bool, seed: u64) -> Quantised {
    let mut random = Random::new(seed);
    let mut quantised = Quantised::default();
    quantised.clear(columns);
    for _ in 0..count {
        let value = |_| {
            let value = random.signed_unit();
            if extreme { value.signum() } else { value }
        };
        let input: Vec<f32> = (0..columns).map(value).collect();
        quantise(Backend::SCALAR, &input, &mut quantised);
    }
    quantised
}

/// The product in double precision, weight by weight.
fn plain(kind: WeightKind, lines: &[Line], scales: &[f32], inputs: &Quantised) -> Vec<f64> {
    let columns = inputs.columns();
    let mut output = Vec::new();
    for input in 0..inputs.len() {
        for (row, &scale) in scales.iter().enumerate() {
            let products = (0..columns).map(|column| {
                let (integer, factor) = inputs.get(input, column);
                let weight = crate::model::weight(kind, columns, lines, row, column);
                f64::from(weight) * f64::from(scale) * f64::from(integer) * f64::from(factor)
            });
            output.push(products.sum());
        }
    }
    output
}

#[test]
fn any_product_is_that_of_plain_arithmetic_on_all_backends() {
    rounds(48, |config| {
        proptest!(config, |(
            ternary: bool,
            extreme: bool,
            blocks in 1_usize..4,
            groups in 1_usize..40,
            count in 1_usize..12,
            seed: u64,
        )| {
            let kind = if ternary { WeightKind::Ternary } else { WeightKind::Int8 };
            let (rows, columns) = (blocks * BLOCK_ROWS, groups * 16);
            let lines = matrix(kind, rows, columns, extreme, seed);
            let mut random = Random::new(seed ^ 1);
            let scales: Vec<f32> = (0..rows).map(|_| random.signed_unit()).collect();
            let inputs = inputs(count, columns, extreme, seed ^ 2);
            let expected = plain(kind, &lines, &scales, &inputs);
            let part = Rows { kind, columns, lines: &lines, scales: &scales };
            let mut scalar = vec![0.0; rows * count];
            multiply(Backend::SCALAR, part, &inputs, &mut scalar);
            for (value, expected) in scalar.iter().zip(&expected) {
                let error = (f64::from(*value) - expected).abs();
                prop_assert!(error <= 1e-6 * expected.abs() + 1e-9, "{value}, expected {expected}");
            }
            for backend in Backend::available() {
                let mut output = vec![f32::NAN; rows * count];
                multiply(backend, part, &inputs, &mut output);
                prop_assert_eq!(&output, &scalar, "{}", backend.name());
            }
        })
    });
}

#[test]
fn any_floats_give_the_same_on_all_backends() {
    rounds(48, |config| {
        proptest!(config, |(len in 1_usize..200, seed: u64)| {
            let mut random = Random::new(seed);
            let mut values = || -> Vec<f32> { (0..len).map(|_| 4.0 * random.signed_unit()).collect() };
            let (a, b) = (values(), values());
            let run = |backend: Backend| {
                let mut norm = vec![0.0; len];
                normalise(backend, &a, &b, 1e-5, &mut norm);
                let mut gate = a.clone();
                super::gate(backend, &mut gate, &b);
                let mut sum = a.clone();
                add_scaled(backend, &mut sum, &b, &norm);
                let dot = dot(backend, &a, &b);
                [norm, gate, sum, vec![dot]].concat()
            };
            let expected = run(Backend::SCALAR);
            for backend in Backend::available() {
                prop_assert_eq!(&run(backend), &expected, "{}", backend.name());
            }
        })
    });
}

#[test]
fn any_attention_is_softmax_of_products() {
    rounds(48, |config| {
        proptest!(config, |(
            heads in 1_usize..9,
            blocks in 1_usize..5,
            parts in 1_usize..5,
            control_slots in 0_usize..5,
            seed: u64,
        )| {
            let (slots, head_size) = (blocks * LANES, parts * LANES);
            let mut random = Random::new(seed);
            let mut values = |len| -> Vec<f32> { (0..len).map(|_| 2.0 * random.signed_unit()).collect() };
            let (queries, control_queries) = (values(heads * head_size), values(heads * head_size));
            let (keys, content) = (values(slots * head_size), values(slots * head_size));
            let mut mask: Vec<f32> = values(slots);
            for mask in &mut mask {
                *mask = if *mask < 0.5 { 0.0 } else { f32::NEG_INFINITY };
            }
            mask[0] = 0.0;
            let attention = Attention {
                queries: &queries,
                control_queries: &control_queries,
                control_slots,
                head_size,
                keys: &keys,
                values: &content,
                mask: &mask,
            };
            let run = |backend: Backend| {
                let mut output = vec![0.0; heads * head_size];
                attend(backend, &attention, &mut Vec::new(), &mut output);
                output
            };
            let output = run(Backend::SCALAR);
            for backend in Backend::available() {
                prop_assert_eq!(&run(backend), &output, "{}", backend.name());
            }
            for head in 0..heads {
                let weight = |slot: usize| {
                    let queries = if slot < control_slots { &control_queries } else { &queries };
                    let score: f64 = (0..head_size)
                        .map(|element| {
                            let block = slot / LANES * head_size * LANES;
                            let key = keys[block + element * LANES + slot % LANES];
                            f64::from(queries[head * head_size + element]) * f64::from(key)
                        })
                        .sum();
                    if mask[slot] == 0.0 { (score / (head_size as f64).sqrt()).exp() } else { 0.0 }
                };
                let weights: Vec<f64> = (0..slots).map(weight).collect();
                let total: f64 = weights.iter().sum();
                for element in 0..head_size {
                    let expected: f64 = (0..slots)
                        .map(|slot| weights[slot] * f64::from(content[slot * head_size + element]))
                        .sum::<f64>() / total;
                    let value = f64::from(output[head * head_size + element]);
                    prop_assert!((value - expected).abs() < 1e-5, "{value}, expected {expected}");
                }
            }
        })
    });
}

#[test]
fn quantised_vectors_round_halves_to_even() {
    let mut quantised = Quantised::default();
    quantised.clear(4);
    for backend in Backend::available() {
        quantised.clear(4);
        quantise(backend, &[127.0, 0.5, -1.5, 2.5], &mut quantised);
        let integers: Vec<i32> = (0..4).map(|column| quantised.get(0, column).0).collect();
        assert_eq!(integers, [127, 0, -2, 2], "{}", backend.name());
        assert_eq!(quantised.get(0, 0).1, 1.0);
        quantise(backend, &[0.0; 4], &mut quantised);
        quantise(backend, &[f32::INFINITY, 1.0, 1.0, f32::NAN], &mut quantised);
        assert_eq!(quantised.get(1, 0), (0, 0.0));
        assert_eq!(quantised.get(2, 0).0, 0);
    }
}
