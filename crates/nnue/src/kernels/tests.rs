use super::*;
use crate::network::{FIRST_OUTPUTS, FIRST_SCALE, InputGroup, WIDTH};
use kaiyo_chess::Random;

fn row(random: &mut Random, low: i16, high: i16) -> HalfRow {
    let span = u64::from(high.abs_diff(low)) + 1;
    HalfRow(core::array::from_fn(|_| (i64::from(low) + (random.bits() % span) as i64) as i16))
}

fn dense(random: &mut Random, architecture: Architecture) -> Dense {
    let mut dense = Dense::zero(architecture);
    for group in &mut dense.first {
        let [low, high] = [random.bits(), random.bits()];
        for (index, weight) in group.0.as_flattened_mut().iter_mut().enumerate() {
            let word = if index % 2 == 0 { low } else { high };
            *weight = (word.rotate_left(index as u32) as u8) as i8;
        }
    }
    let floats = dense
        .second
        .as_flattened_mut()
        .iter_mut()
        .chain(&mut dense.first_bias)
        .chain(&mut dense.second_bias)
        .chain(&mut dense.output);
    for value in floats {
        *value = random.signed_unit();
    }
    dense.output_bias = random.signed_unit();
    dense
}

#[test]
fn updates_are_the_same_on_all_backends() {
    let mut random = Random::new(1);
    let rows: Vec<HalfRow> = (0..40).map(|_| row(&mut random, i16::MIN, i16::MAX)).collect();
    for round in 0..50 {
        let pick = |random: &mut Random, most: u64| -> Vec<u16> {
            (0..random.bits() % (most + 1)).map(|_| (random.bits() % 40) as u16).collect()
        };
        let (added, removed) = (pick(&mut random, 32), pick(&mut random, 6));
        let source = row(&mut random, i16::MIN, i16::MAX);
        let mut expected = source;
        update(Backend::SCALAR, &rows, None, &mut expected, &added, &removed);
        for backend in Backend::available() {
            let mut target = HalfRow::ZERO;
            update(backend, &rows, Some(&source), &mut target, &added, &removed);
            assert_eq!(target, expected, "{} in round {round}", backend.name());
            let mut target = source;
            update(backend, &rows, None, &mut target, &added, &removed);
            assert_eq!(target, expected, "{} in place in round {round}", backend.name());
        }
    }
}

#[test]
fn outputs_are_the_same_on_all_backends() {
    let mut random = Random::new(2);
    for architecture in Architecture::ALL {
        for round in 0..200 {
            let dense = dense(&mut random, architecture);
            // From nearly all activations zero to nearly all at their largest.
            let low = -400 + (random.bits() % 700) as i16;
            let [own, other] = [(); 2].map(|()| row(&mut random, low, low + 500));
            let expected = super::output(Backend::SCALAR, architecture, &own, &other, &dense);
            for backend in Backend::available() {
                let output = super::output(backend, architecture, &own, &other, &dense);
                assert_eq!(
                    output.to_bits(),
                    expected.to_bits(),
                    "{} in round {round}: {output}, expected {expected}",
                    backend.name()
                );
            }
        }
    }
}

#[test]
fn extreme_weights_do_not_saturate() {
    for architecture in Architecture::ALL {
        let full = HalfRow([i16::MAX; WIDTH]);
        for weight in [i8::MIN, i8::MAX] {
            let mut dense = Dense::zero(architecture);
            dense.output.fill(1.0);
            dense.second.iter_mut().for_each(|row| row.fill(0.01));
            // Without weights: one half after the first layer.
            dense.first_bias.fill(0.5);
            let half = super::output(Backend::SCALAR, architecture, &full, &full, &dense);
            // The bias makes one half of the largest sums, which a sum that saturates would miss by far.
            dense.first.fill(InputGroup([[weight; 4]; FIRST_OUTPUTS]));
            let sum = architecture.first_inputs() as f32 * 127.0 * f32::from(weight);
            dense.first_bias.fill(0.5 - sum * FIRST_SCALE);
            let expected = super::output(Backend::SCALAR, architecture, &full, &full, &dense);
            assert!((expected - half).abs() < 1e-3, "{expected} and {half}");
            for backend in Backend::available() {
                let output = super::output(backend, architecture, &full, &full, &dense);
                assert_eq!(output.to_bits(), expected.to_bits(), "{}", backend.name());
            }
        }
    }
}

/// One activation of known size through one weight, by hand.
#[test]
fn the_layers_compute_what_they_say() {
    let mut own = HalfRow::ZERO;
    own.0[5] = 255;
    own.0[5 + WIDTH / 2] = 200;
    // 255 * 200 >> 9 = 99; the weight 32 stands for a quarter.
    let architecture = Architecture::Pairwise;
    let mut dense = Dense::zero(architecture);
    dense.first[1].0[3][1] = 32;
    dense.second[3][7] = 2.0;
    dense.second[FIRST_OUTPUTS + 3][8] = 3.0;
    dense.output[7] = 1.0;
    dense.output[8] = 10.0;
    dense.output_bias = 0.25;
    let hidden = 99.0 * 32.0 * 512.0 / (510.0 * 510.0 * 128.0);
    let expected = 2.0 * hidden + 10.0 * 3.0 * hidden * hidden + 0.25;
    let output = super::output(Backend::SCALAR, architecture, &own, &HalfRow::ZERO, &dense);
    assert!((output - expected).abs() < 1e-5, "{output}, expected {expected}");

    let architecture = Architecture::Squared;
    let mut dense = Dense::zero(architecture);
    // The other side's sum 5 is input 512 + 5: 255 * 255 >> 9 = 127.
    dense.first[129].0[2][1] = 64;
    dense.output[2] = 0.5;
    let output = super::output(Backend::SCALAR, architecture, &HalfRow::ZERO, &own, &dense);
    // The weight 64 stands for one half.
    let expected = 0.5 * 0.5 * 127.0 * 512.0 / (510.0 * 510.0);
    assert!((output - expected).abs() < 1e-5, "{output}, expected {expected}");
}
