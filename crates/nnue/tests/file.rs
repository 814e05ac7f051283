//! Files are read as they were written, and anything else is refused with a reason.

mod common;

use common::random_weights;
use kaiyo_chess::Random;
use kaiyo_fuzz::rounds;
use kaiyo_nnue::features::FEATURES;
use kaiyo_nnue::file::{
    FORMAT_VERSION, HEADER_LEN, MAX_LEN, from_bytes, has_form, payload_len, to_bytes,
};
use kaiyo_nnue::{Architecture, Network, NetworkError, WIDTH, Weights};
use proptest::prelude::*;
use std::sync::LazyLock;

static GOOD: LazyLock<Vec<u8>> =
    LazyLock::new(|| to_bytes(&random_weights(Architecture::Pairwise, 1)));

#[test]
fn the_form_shows_before_the_file_is_read() {
    for architecture in Architecture::ALL {
        let file = to_bytes(&random_weights(architecture, 1));
        assert!(has_form(&file) && file.len() <= MAX_LEN);
        assert!(!has_form(&file[1..]) && !has_form(&file[..file.len() - 1]));
    }
    assert!(!has_form(b"") && !has_form(b"version https://git-lfs.github.com/spec/v1"));
}

/// The reason for refusing a copy of a good file with other bytes at a place.
fn refusal(at: usize, bytes: &[u8]) -> NetworkError {
    let mut file = GOOD.clone();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    Network::from_bytes(&file).unwrap_err()
}

/// Gives a file the checksum that its other bytes have.
fn sign(file: &mut [u8]) {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&file[..120]);
    hasher.update(&file[HEADER_LEN..]);
    file[120..124].copy_from_slice(&hasher.finalize().to_le_bytes());
}

#[test]
fn weights_round_trip() {
    for architecture in Architecture::ALL {
        let weights = random_weights(architecture, 9);
        let bytes = to_bytes(&weights);
        assert_eq!(bytes.len(), HEADER_LEN + payload_len(architecture));
        let network = Network::from_bytes(&bytes).unwrap();
        assert!(*network.weights() == weights);
        assert!(to_bytes(network.weights()) == bytes);
    }
}

#[test]
fn weights_lie_in_the_documented_order() {
    let mut weights = Weights::zero(Architecture::Squared);
    weights.transformer[1].0[2] = 0x1234;
    weights.dense[0].first[3].0[4][1] = -5;
    let bytes = to_bytes(&weights);
    let payload = &bytes[HEADER_LEN..];
    assert_eq!(payload[2 * (512 + 2)..][..2], [0x34, 0x12]);
    assert_eq!(payload[2 * 512 * 7681 + 3 * 64 + 4 * 4 + 1] as i8, -5);
    assert_eq!(payload.iter().filter(|&&byte| byte != 0).count(), 3);
}

#[test]
fn each_fault_has_its_reason() {
    use NetworkError::*;
    assert_eq!(refusal(0, b"KYNX"), Magic(*b"KYNX"));
    assert_eq!(refusal(4, &[5]), Version { expected: FORMAT_VERSION, found: 5 });
    assert!(matches!(refusal(8, b"512x"), Architecture(text) if text.starts_with("512x10hm")));
    assert_eq!(
        refusal(80, &1024_u32.to_le_bytes()),
        Dimension { name: "width", expected: 512, found: 1024 }
    );
    assert_eq!(refusal(104, &[8]), Dimension { name: "activation shift", expected: 9, found: 8 });
    let expected = payload_len(kaiyo_nnue::Architecture::Pairwise) as u64;
    assert_eq!(refusal(112, &u64::MAX.to_le_bytes()), PayloadLength { expected, found: u64::MAX });
    assert!(matches!(refusal(5000, &[77, 78, 79]), Checksum { .. }));
    assert!(matches!(refusal(108, &[1]), Checksum { .. }));
}

#[test]
fn floats_that_are_no_weights_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e7] {
        let mut file = GOOD.clone();
        let at = file.len() - 4;
        file[at..].copy_from_slice(&bad.to_le_bytes());
        sign(&mut file);
        let error = Network::from_bytes(&file).unwrap_err();
        assert!(matches!(error, NetworkError::Weight { layer: "output", .. }), "{error}");
    }
    for bad in [f32::NAN, f32::INFINITY, 0.0, -200.0] {
        let mut file = GOOD.clone();
        file[108..112].copy_from_slice(&bad.to_le_bytes());
        sign(&mut file);
        assert!(matches!(Network::from_bytes(&file), Err(NetworkError::Scale(_))));
    }
}

#[test]
fn weights_of_wrong_length_are_refused() {
    let mut weights = Weights::zero(Architecture::Pairwise);
    weights.transformer = kaiyo_nnue::Rows::zeroed(weights.transformer.len() - 1);
    assert!(matches!(Network::new(weights), Err(NetworkError::FileLength { .. })));
    let mut weights = Weights::zero(Architecture::Pairwise);
    weights.dense[3].first.pop();
    assert!(matches!(Network::new(weights), Err(NetworkError::FileLength { .. })));
}

#[test]
fn reasons_are_sentences() {
    let text = refusal(4, &[5]).to_string();
    assert_eq!(text, "network format version 10 expected, found 5");
    let text = Network::from_bytes(b"KYNN").unwrap_err().to_string();
    assert_eq!(text, "network header of 128 bytes expected, found 4 bytes");
}

#[test]
fn any_cut_file_is_refused() {
    rounds(64, |config| {
        proptest!(config, |(length in 0..1_000_000_usize)| {
            let length = length * GOOD.len() / 1_000_000;
            let error = from_bytes(&GOOD[..length]).unwrap_err();
            let ok = matches!(error, NetworkError::Header { .. } | NetworkError::FileLength { .. });
            prop_assert!(ok, "{}", error);
        })
    });
}

#[test]
fn any_bytes_are_refused() {
    rounds(64, |config| {
        proptest!(config, |(bytes in prop::collection::vec(any::<u8>(), 0..300), keep in 0..200_usize)| {
            let mut file = GOOD[..keep].to_vec();
            file.extend(bytes);
            prop_assert!(from_bytes(&file).is_err());
        })
    });
}

/// With a right checksum everything else is tried: no input may panic, and what is
/// accepted can be evaluated.
#[test]
fn any_damaged_file_is_refused_or_usable() {
    rounds(64, |config| {
        proptest!(config, |(seed: u64)| {
            let mut random = Random::new(seed);
            let mut file = GOOD.clone();
            // Of floating point, most damage is refused; integers may be anything.
            let integers_only = random.below(2) == 0;
            for _ in 0..200 {
                let at = match random.below(3) {
                    _ if integers_only => HEADER_LEN + random.below(2 * WIDTH * FEATURES),
                    0 => random.below(file.len()),
                    1 => file.len() - 1 - random.below(50_000),
                    _ => 108 + random.below(4),
                };
                file[at] = random.bits() as u8;
            }
            sign(&mut file);
            let network = Network::from_bytes(&file);
            prop_assert!(network.is_ok() || !integers_only);
            if let Ok(network) = network {
                let position = kaiyo_chess::Position::start();
                let value = network.evaluate_from_scratch(&position);
                prop_assert!(value.abs() <= kaiyo_nnue::EVALUATION_LIMIT);
            }
        })
    });
}
