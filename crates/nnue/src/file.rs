//! Network files.
//!
//! Everything is little endian. The header has [`HEADER_LEN`] bytes:
//!
//! | bytes | content |
//! |---|---|
//! | 0-3 | `KYNN` |
//! | 4-7 | format version |
//! | 8-71 | architecture as text, filled with zeros |
//! | 72-103 | eight numbers of 32 bits: features, king buckets, width of the transformer, outputs of the first and of the second dense layer, output buckets, units of 1 in the transformer and in the first dense layer |
//! | 104-107 | right shift of activations |
//! | 108-111 | `f32`, centipawns of an output of 1 |
//! | 112-119 | length of the weights in bytes |
//! | 120-123 | CRC-32 (IEEE) of bytes 0 to 119 and the weights |
//! | 124-127 | zero |
//!
//! The weights follow in the order they are used: rows of the feature transformer (`i16`, row
//! after row) and its bias; then for each output bucket the first dense layer (`i8`, by groups of
//! four inputs `[group][output][input of the group]`) with its bias (`f32`), the second one
//! (`f32`, `[input][output]`) with its bias, where the architecture has one, and the output
//! weights with their bias.

use crate::error::NetworkError;
use crate::features::{FEATURES, KING_BUCKETS, OUTPUT_BUCKETS};
use crate::network::{
    ACTIVATION_SHIFT, Architecture, Dense, FIRST_OUTPUTS, FIRST_QUANTUM, HalfRow, Rows,
    SECOND_OUTPUTS, TRANSFORMER_QUANTUM, WIDTH, Weights,
};

/// First bytes of a network file.
pub const MAGIC: [u8; 4] = *b"KYNN";
/// Version of the format. Those below 10 are left to older formats with the same magic.
pub const FORMAT_VERSION: u32 = 10;
/// Length of the header in bytes.
pub const HEADER_LEN: usize = 128;
/// No network is longer, in bytes.
pub const MAX_LEN: usize = {
    let [one, other] = [payload_len(Architecture::Pairwise), payload_len(Architecture::Squared)];
    HEADER_LEN + if one > other { one } else { other }
};

/// Where the architecture text lies.
const TEXT: core::ops::Range<usize> = 8..72;
/// Where the dimensions begin.
const DIMENSIONS_AT: usize = 72;
const SCALE_AT: usize = 108;
const LENGTH_AT: usize = 112;
const CHECKSUM_AT: usize = 120;
/// Larger weights would only come from damage, and could overflow to infinity.
const MAX_WEIGHT: f32 = 1e6;

/// Names and values of the dimensions, in the order of the header.
const DIMENSIONS: [(&str, u32); 9] = [
    ("features", FEATURES as u32),
    ("king buckets", KING_BUCKETS as u32),
    ("width", WIDTH as u32),
    ("first layer outputs", FIRST_OUTPUTS as u32),
    ("second layer outputs", SECOND_OUTPUTS as u32),
    ("output buckets", OUTPUT_BUCKETS as u32),
    ("transformer quantum", TRANSFORMER_QUANTUM as u32),
    ("first layer quantum", FIRST_QUANTUM as u32),
    ("activation shift", ACTIVATION_SHIFT),
];

/// Length of the weights in bytes.
pub const fn payload_len(architecture: Architecture) -> usize {
    let second =
        if architecture.has_second_layer() { SECOND_OUTPUTS * (SECOND_OUTPUTS + 1) } else { 0 };
    let floats = FIRST_OUTPUTS + second + architecture.output_inputs() + 1;
    2 * WIDTH * (FEATURES + 1)
        + OUTPUT_BUCKETS * (architecture.first_inputs() * FIRST_OUTPUTS + 4 * floats)
}

/// Whether bytes begin as a network does and have the length of one: what a compiler can see of a file that goes into
/// the program.
pub const fn has_form(bytes: &[u8]) -> bool {
    let head = FORMAT_VERSION.to_le_bytes();
    let mut at = 0;
    while at < 4 {
        if bytes.len() <= HEADER_LEN || bytes[at] != MAGIC[at] || bytes[4 + at] != head[at] {
            return false;
        }
        at += 1;
    }
    let mut index = 0;
    while index < Architecture::ALL.len() {
        if bytes.len() == HEADER_LEN + payload_len(Architecture::ALL[index]) {
            return true;
        }
        index += 1;
    }
    false
}

/// The file with these weights.
pub fn to_bytes(weights: &Weights) -> Vec<u8> {
    let architecture = weights.architecture;
    let length = payload_len(architecture);
    let mut bytes = vec![0; HEADER_LEN];
    bytes.reserve_exact(length);
    bytes[..4].copy_from_slice(&MAGIC);
    bytes[4..8].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    let text = architecture.text().as_bytes();
    bytes[TEXT.start..TEXT.start + text.len()].copy_from_slice(text);
    for (index, (_, value)) in DIMENSIONS.iter().enumerate() {
        let at = DIMENSIONS_AT + 4 * index;
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bytes[SCALE_AT..SCALE_AT + 4].copy_from_slice(&weights.scale.to_le_bytes());
    bytes[LENGTH_AT..LENGTH_AT + 8].copy_from_slice(&(length as u64).to_le_bytes());
    for row in weights.transformer.iter().chain([&weights.transformer_bias]) {
        bytes.extend(row.0.iter().flat_map(|weight| weight.to_le_bytes()));
    }
    for dense in &weights.dense {
        write_dense(dense, architecture, &mut bytes);
    }
    let checksum = checksum(&bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 4].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn write_dense(dense: &Dense, architecture: Architecture, bytes: &mut Vec<u8>) {
    let floats = |values: &[f32], bytes: &mut Vec<u8>| {
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    };
    for group in &dense.first {
        bytes.extend(group.0.as_flattened().iter().map(|&weight| weight as u8));
    }
    floats(&dense.first_bias, bytes);
    if architecture.has_second_layer() {
        floats(dense.second.as_flattened(), bytes);
        floats(&dense.second_bias, bytes);
    }
    floats(&dense.output[..architecture.output_inputs()], bytes);
    floats(&[dense.output_bias], bytes);
}

/// Reads a file; returns the weights and the checksum.
///
/// # Errors
/// [`NetworkError`] with what was expected and what was found.
pub fn from_bytes(bytes: &[u8]) -> Result<(Weights, u32), NetworkError> {
    let Some((header, payload)) = bytes.split_at_checked(HEADER_LEN) else {
        return Err(NetworkError::Header { expected: HEADER_LEN, found: bytes.len() });
    };
    let architecture = read_header(header)?;
    let expected = payload_len(architecture);
    let found = u64::from_le_bytes(array(header, LENGTH_AT));
    if found != expected as u64 {
        return Err(NetworkError::PayloadLength { expected: expected as u64, found });
    }
    if payload.len() != expected {
        let expected = HEADER_LEN + expected;
        return Err(NetworkError::FileLength { expected, found: bytes.len() });
    }
    let expected = u32::from_le_bytes(array(header, CHECKSUM_AT));
    let found = checksum(bytes);
    if found != expected {
        return Err(NetworkError::Checksum { expected, found });
    }
    let scale = f32::from_le_bytes(array(header, SCALE_AT));
    if !(scale > 0.0 && scale <= MAX_WEIGHT) {
        return Err(NetworkError::Scale(scale));
    }
    let mut input = Payload(payload);
    let mut transformer = Rows::zeroed(FEATURES);
    transformer.iter_mut().for_each(|row| *row = input.half_row());
    let transformer_bias = input.half_row();
    let mut dense = Vec::with_capacity(OUTPUT_BUCKETS);
    for _ in 0..OUTPUT_BUCKETS {
        dense.push(read_dense(&mut input, architecture)?);
    }
    Ok((Weights { architecture, scale, transformer, transformer_bias, dense }, found))
}

/// Checks everything in the header that has one right value.
fn read_header(header: &[u8]) -> Result<Architecture, NetworkError> {
    let magic = array(header, 0);
    if magic != MAGIC {
        return Err(NetworkError::Magic(magic));
    }
    let version = u32::from_le_bytes(array(header, 4));
    if version != FORMAT_VERSION {
        return Err(NetworkError::Version { expected: FORMAT_VERSION, found: version });
    }
    let text = String::from_utf8_lossy(&header[TEXT]);
    let text = text.trim_end_matches('\0');
    let architecture = Architecture::ALL
        .into_iter()
        .find(|architecture| architecture.text() == text)
        .ok_or_else(|| NetworkError::Architecture(text.to_owned()))?;
    for (index, (name, expected)) in DIMENSIONS.into_iter().enumerate() {
        let found = u32::from_le_bytes(array(header, DIMENSIONS_AT + 4 * index));
        if found != expected {
            return Err(NetworkError::Dimension { name, expected, found });
        }
    }
    Ok(architecture)
}

fn read_dense(input: &mut Payload, architecture: Architecture) -> Result<Dense, NetworkError> {
    let mut dense = Dense::zero(architecture);
    for group in &mut dense.first {
        for weight in group.0.as_flattened_mut() {
            *weight = input.take::<1>()[0] as i8;
        }
    }
    input.floats("first", &mut dense.first_bias)?;
    if architecture.has_second_layer() {
        input.floats("second", dense.second.as_flattened_mut())?;
        input.floats("second", &mut dense.second_bias)?;
    }
    input.floats("output", &mut dense.output[..architecture.output_inputs()])?;
    input.floats("output", core::slice::from_mut(&mut dense.output_bias))?;
    Ok(dense)
}

/// CRC-32 of a file of at least the header's length, without the checksum itself.
fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM_AT]);
    hasher.update(&bytes[HEADER_LEN..]);
    hasher.finalize()
}

/// `N` bytes of the header from `at` on; callers stay within the header.
fn array<const N: usize>(header: &[u8], at: usize) -> [u8; N] {
    core::array::from_fn(|index| header[at + index])
}

/// The weights not yet read. The length was checked before, so that running out would be a
/// mistake in this file; zeros are then as good as anything.
struct Payload<'a>(&'a [u8]);

impl Payload<'_> {
    #[inline]
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((head, tail)) = self.0.split_first_chunk::<N>() else {
            debug_assert!(false, "the payload is shorter than its weights");
            return [0; N];
        };
        self.0 = tail;
        *head
    }

    fn half_row(&mut self) -> HalfRow {
        HalfRow(core::array::from_fn(|_| i16::from_le_bytes(self.take())))
    }

    fn floats(&mut self, layer: &'static str, out: &mut [f32]) -> Result<(), NetworkError> {
        for value in out {
            *value = f32::from_le_bytes(self.take());
            if value.is_nan() || value.abs() > MAX_WEIGHT {
                return Err(NetworkError::Weight { layer, value: *value });
            }
        }
        Ok(())
    }
}
