//! GGUF version 3, the format of llama.cpp
//! (<https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>).
//!
//! A header with counts, metadata of typed values, a table of tensors, then their data, each at
//! a multiple of the alignment. Little endian throughout. Nothing that a file says is believed
//! before it is compared with the bytes there are.

use super::{Container, ContainerError, Tensor, TensorType, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// First bytes of a file.
pub const MAGIC: [u8; 4] = *b"GGUF";
/// The version of the format.
pub const VERSION: u32 = 3;
/// Alignment of data where the metadata do not tell.
pub const DEFAULT_ALIGNMENT: u64 = 32;
/// The key of the alignment.
pub const ALIGNMENT_KEY: &str = "general.alignment";

const ALIGNMENTS: core::ops::RangeInclusive<u64> = 8..=65_536;
const MAX_ENTRIES: u64 = 65_536;
const MAX_NAME: u64 = 65_535;
const MAX_TEXT: u64 = 1 << 24;
const MAX_NESTING: u32 = 4;

/// Codes of the types of metadata.
mod code {
    pub(super) const U32: u32 = 4;
    pub(super) const F32: u32 = 6;
    pub(super) const BOOL: u32 = 7;
    pub(super) const TEXT: u32 = 8;
    pub(super) const ARRAY: u32 = 9;
    pub(super) const I64: u32 = 11;
}

/// Reads a file.
///
/// # Errors
/// [`ContainerError`] with what was expected and what was found.
pub fn read(bytes: &[u8]) -> Result<Container<'_>, ContainerError> {
    let mut input = Input { bytes, at: 0 };
    let magic = input.take(4, "the header").map_err(|_| ContainerError::Magic(bytes.to_vec()))?;
    if magic != MAGIC {
        return Err(ContainerError::Magic(magic.to_vec()));
    }
    let found = input.u32("the header")?;
    if found != VERSION {
        return Err(ContainerError::Version { expected: VERSION, found });
    }
    let tensors = input.count("number of tensors", MAX_ENTRIES)?;
    let keys = input.count("number of metadata", MAX_ENTRIES)?;
    let mut metadata = BTreeMap::new();
    for _ in 0..keys {
        let key = input.text("a metadata key", MAX_NAME)?;
        let kind = input.u32("a metadata type")?;
        let value = input.value(&key, kind, MAX_NESTING)?;
        insert(&mut metadata, key, value)?;
    }
    let alignment = alignment(&metadata)?;
    let mut table = Vec::new();
    for _ in 0..tensors {
        table.push(input.tensor(alignment)?);
    }
    let data_at = (input.at as u64).next_multiple_of(alignment);
    check_total(bytes, data_at, &table)?;
    let mut tensors = BTreeMap::new();
    for Entry { name, kind, shape, offset, len } in table {
        let bytes = slice(bytes, data_at, offset, len)?;
        insert(&mut tensors, name, Tensor { kind, shape, bytes: Cow::Borrowed(bytes) })?;
    }
    Ok(Container { metadata, tensors })
}

/// The file with this container, and with the alignment that its metadata tell.
///
/// Integers are written with 32 bits where that is enough, floats with 32 bits.
///
/// # Errors
/// [`ContainerError`] when the alignment in the metadata is none.
pub fn write(container: &Container<'_>) -> Result<Vec<u8>, ContainerError> {
    let alignment = alignment(&container.metadata)?;
    let mut out = Vec::new();
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend((container.tensors.len() as u64).to_le_bytes());
    out.extend((container.metadata.len() as u64).to_le_bytes());
    for (key, value) in &container.metadata {
        write_text(&mut out, key);
        write_value(&mut out, value);
    }
    let mut offset = 0_u64;
    for (name, tensor) in &container.tensors {
        write_text(&mut out, name);
        out.extend((tensor.shape.len() as u32).to_le_bytes());
        tensor.shape.iter().for_each(|size| out.extend(size.to_le_bytes()));
        out.extend(tensor.kind.code().to_le_bytes());
        out.extend(offset.to_le_bytes());
        offset = (offset + tensor.bytes.len() as u64).next_multiple_of(alignment);
    }
    for tensor in container.tensors.values() {
        out.resize(out.len().next_multiple_of(alignment as usize), 0);
        out.extend(&*tensor.bytes);
    }
    Ok(out)
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

fn write_value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Integer(value) => match u32::try_from(*value) {
            Ok(value) => {
                out.extend(code::U32.to_le_bytes());
                out.extend(value.to_le_bytes());
            }
            Err(_) => {
                out.extend(code::I64.to_le_bytes());
                out.extend((*value as i64).to_le_bytes());
            }
        },
        Value::Float(value) => {
            out.extend(code::F32.to_le_bytes());
            out.extend((*value as f32).to_le_bytes());
        }
        Value::Bool(value) => {
            out.extend(code::BOOL.to_le_bytes());
            out.push((*value).into());
        }
        Value::Text(text) => {
            out.extend(code::TEXT.to_le_bytes());
            write_text(out, text);
        }
        // The elements are not kept; none are written.
        Value::Array(_) => {
            out.extend(code::ARRAY.to_le_bytes());
            out.extend(code::U32.to_le_bytes());
            out.extend(0_u64.to_le_bytes());
        }
    }
}

fn alignment(metadata: &BTreeMap<String, Value>) -> Result<u64, ContainerError> {
    match metadata.get(ALIGNMENT_KEY) {
        None => Ok(DEFAULT_ALIGNMENT),
        Some(value) => match value {
            Value::Integer(value) => u64::try_from(*value).ok(),
            _ => None,
        }
        .filter(|value| value.is_power_of_two() && ALIGNMENTS.contains(value))
        .ok_or_else(|| ContainerError::Alignment(value.to_string())),
    }
}

fn insert<T>(map: &mut BTreeMap<String, T>, key: String, value: T) -> Result<(), ContainerError> {
    if map.contains_key(&key) {
        return Err(ContainerError::Duplicate(key));
    }
    map.insert(key, value);
    Ok(())
}

/// `len` bytes at `offset` of the data, which begins at `data_at`.
fn slice(bytes: &[u8], data_at: u64, offset: u64, len: u64) -> Result<&[u8], ContainerError> {
    let start = data_at.saturating_add(offset);
    let end = start.saturating_add(len);
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(start), Ok(end)) if end <= bytes.len() => Ok(&bytes[start..end]),
        _ => {
            let at = usize::try_from(start).unwrap_or(usize::MAX);
            let left = bytes.len().saturating_sub(at);
            Err(ContainerError::Truncated { what: "the data of a tensor", at, needed: len, left })
        }
    }
}

/// Tensors that share bytes would let a small file ask for more memory than there is.
fn check_total(bytes: &[u8], data_at: u64, table: &[Entry]) -> Result<(), ContainerError> {
    let needed = table.iter().fold(0_u64, |sum, entry| sum.saturating_add(entry.len));
    let at = usize::try_from(data_at).unwrap_or(usize::MAX);
    let left = bytes.len().saturating_sub(at);
    if needed > left as u64 {
        return Err(ContainerError::Truncated {
            what: "the data of all tensors",
            at,
            needed,
            left,
        });
    }
    Ok(())
}

/// A line of the table of tensors.
struct Entry {
    name: String,
    kind: TensorType,
    shape: Vec<u64>,
    offset: u64,
    /// Bytes; zero where the type's size is not known.
    len: u64,
}

/// The bytes with a place of reading.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, len: u64, what: &'static str) -> Result<&'a [u8], ContainerError> {
        let left = &self.bytes[self.at..];
        match usize::try_from(len) {
            Ok(len) if len <= left.len() => {
                self.at += len;
                Ok(&left[..len])
            }
            _ => {
                Err(ContainerError::Truncated { what, at: self.at, needed: len, left: left.len() })
            }
        }
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], ContainerError> {
        let bytes = self.take(N as u64, what)?;
        Ok(core::array::from_fn(|index| bytes[index]))
    }

    fn u32(&mut self, what: &'static str) -> Result<u32, ContainerError> {
        self.array(what).map(u32::from_le_bytes)
    }

    fn u64(&mut self, what: &'static str) -> Result<u64, ContainerError> {
        self.array(what).map(u64::from_le_bytes)
    }

    fn count(&mut self, what: &'static str, most: u64) -> Result<u64, ContainerError> {
        let found = self.u64(what)?;
        if found > most {
            return Err(ContainerError::TooMany { what, most, found });
        }
        Ok(found)
    }

    fn text(&mut self, what: &'static str, most: u64) -> Result<String, ContainerError> {
        let len = self.count(what, most)?;
        let bytes = self.take(len, what)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| ContainerError::Text(what))
    }

    fn value(&mut self, key: &str, kind: u32, nesting: u32) -> Result<Value, ContainerError> {
        const WHAT: &str = "a metadata value";
        Ok(match kind {
            0 => Value::Integer(u8::from_le_bytes(self.array(WHAT)?).into()),
            1 => Value::Integer(i8::from_le_bytes(self.array(WHAT)?).into()),
            2 => Value::Integer(u16::from_le_bytes(self.array(WHAT)?).into()),
            3 => Value::Integer(i16::from_le_bytes(self.array(WHAT)?).into()),
            code::U32 => Value::Integer(self.u32(WHAT)?.into()),
            5 => Value::Integer(i32::from_le_bytes(self.array(WHAT)?).into()),
            code::F32 => Value::Float(f32::from_le_bytes(self.array(WHAT)?).into()),
            code::BOOL => Value::Bool(self.array::<1>(WHAT)? != [0]),
            code::TEXT => Value::Text(self.text(WHAT, MAX_TEXT)?),
            code::ARRAY => self.skip_array(key, nesting)?,
            10 => Value::Integer(self.u64(WHAT)?.into()),
            code::I64 => Value::Integer(i64::from_le_bytes(self.array(WHAT)?).into()),
            12 => Value::Float(f64::from_le_bytes(self.array(WHAT)?)),
            found => return Err(ContainerError::ValueType { key: key.to_owned(), found }),
        })
    }

    /// Foreign files have large arrays, such as the words of a language; they are read past.
    fn skip_array(&mut self, key: &str, nesting: u32) -> Result<Value, ContainerError> {
        let kind = self.u32("a metadata type")?;
        let len = self.u64("the length of an array")?;
        let Some(nesting) = nesting.checked_sub(1) else {
            return Err(ContainerError::ValueType { key: key.to_owned(), found: code::ARRAY });
        };
        // An element has at least a byte, so that the file's length bounds the loop.
        let left = (self.bytes.len() - self.at) as u64;
        if len > left {
            let what = "an array";
            return Err(ContainerError::Truncated {
                what,
                at: self.at,
                needed: len,
                left: left as usize,
            });
        }
        for _ in 0..len {
            self.value(key, kind, nesting)?;
        }
        Ok(Value::Array(len))
    }

    fn tensor(&mut self, alignment: u64) -> Result<Entry, ContainerError> {
        const WHAT: &str = "the table of tensors";
        let name = self.text("a tensor's name", MAX_NAME)?;
        let sizes = self.u32(WHAT)?;
        if !(1..=4).contains(&sizes) {
            return Err(ContainerError::Shape { name, found: vec![sizes.into()] });
        }
        let shape = (0..sizes).map(|_| self.u64(WHAT)).collect::<Result<Vec<u64>, _>>()?;
        let kind = TensorType::from_code(self.u32(WHAT)?);
        let offset = self.u64(WHAT)?;
        if !offset.is_multiple_of(alignment) {
            return Err(ContainerError::Offset { name, alignment, found: offset });
        }
        let elements = shape.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
        let len = elements
            .filter(|&elements| elements > 0)
            .and_then(|elements| elements.checked_mul(kind.size().unwrap_or(0)));
        match len {
            Some(len) => Ok(Entry { name, kind, shape, offset, len }),
            None => Err(ContainerError::Shape { name, found: shape }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_fuzz::{damaged, rounds};
    use proptest::prelude::*;

    fn sample() -> Container<'static> {
        let metadata = [
            ("general.architecture", Value::Text("test".to_owned())),
            ("test.small", Value::Integer(7)),
            ("test.negative", Value::Integer(-7)),
            ("test.large", Value::Integer(1 << 40)),
            ("test.float", Value::Float(0.5)),
            ("test.bool", Value::Bool(true)),
        ];
        let tensor = |kind, shape: &[u64], len: u8| Tensor {
            kind,
            shape: shape.to_vec(),
            bytes: Cow::Owned((0..len).collect()),
        };
        let tensors = [
            ("a", tensor(TensorType::F32, &[3, 2], 24)),
            ("b", tensor(TensorType::I8, &[5], 5)),
            ("c", tensor(TensorType::F16, &[1, 1, 1, 2], 4)),
        ];
        Container {
            metadata: metadata.map(|(key, value)| (key.to_owned(), value)).into(),
            tensors: tensors.map(|(name, tensor)| (name.to_owned(), tensor)).into(),
        }
    }

    /// Metadata of one key with a value in raw bytes.
    fn with_value(kind: u32, value: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(0_u64.to_le_bytes());
        bytes.extend(1_u64.to_le_bytes());
        write_text(&mut bytes, "key");
        bytes.extend(kind.to_le_bytes());
        bytes.extend(value);
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        for alignment in [None, Some(8), Some(32), Some(4096)] {
            let mut container = sample();
            if let Some(alignment) = alignment {
                container.metadata.insert(ALIGNMENT_KEY.to_owned(), Value::Integer(alignment));
            }
            let bytes = write(&container).expect("a good alignment");
            assert_eq!(read(&bytes).as_ref(), Ok(&container));
            assert_eq!(Container::read(&bytes), Ok(container));
        }
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = write(&sample()).expect("no alignment given");
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len]).is_err(), "{len} of {} bytes", bytes.len());
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let message = |bytes: &[u8]| read(bytes).expect_err("a fault").to_string();
        assert_eq!(message(b"MZ"), "model file expected to begin with \"GGUF\", found \"MZ\"");
        let mut old = write(&sample()).expect("no alignment given");
        old[4] = 2;
        assert_eq!(message(&old), "GGUF version 3 expected, found 2");
        let many = [&MAGIC[..], &[3, 0, 0, 0], &[0xff; 16]].concat();
        assert_eq!(
            message(&many),
            "number of tensors of at most 65536 expected, found 18446744073709551615"
        );
        assert_eq!(
            message(&with_value(13, &[])),
            "metadata type from 0 to 12 expected for 'key', found 13"
        );
        let mut container = sample();
        container.metadata.insert(ALIGNMENT_KEY.to_owned(), Value::Integer(24));
        let error = write(&container).expect_err("24 is no power of two");
        assert_eq!(
            error.to_string(),
            "alignment expected to be a power of two from 8 to 65536, found 24"
        );
    }

    #[test]
    fn arrays_are_read_past() {
        let words = [&[8, 0, 0, 0][..], &[2, 0, 0, 0, 0, 0, 0, 0]].concat();
        let mut value = words;
        write_text(&mut value, "one");
        write_text(&mut value, "two");
        let bytes = with_value(code::ARRAY, &value);
        let container = read(&bytes).expect("an array of texts");
        assert_eq!(container.metadata["key"], Value::Array(2));
    }

    #[test]
    fn hostile_arrays_end_soon() {
        let endless = [&[0, 0, 0, 0][..], &[0xff; 8]].concat();
        assert!(read(&with_value(code::ARRAY, &endless)).is_err());
        let nested = [9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0].repeat(100_000);
        assert!(read(&with_value(code::ARRAY, &nested)).is_err());
    }

    #[test]
    fn tensors_do_not_share_bytes() {
        let mut container = sample();
        let large = Tensor { kind: TensorType::F32, shape: vec![200], bytes: vec![0; 800].into() };
        for name in ["d", "e"] {
            container.tensors.insert(name.to_owned(), large.clone());
        }
        let mut bytes = write(&container).expect("no alignment given");
        // Each of the small tensors takes one alignment, and the large ones 25.
        let [first, second] = [3, 28].map(|units| (units * DEFAULT_ALIGNMENT).to_le_bytes());
        let at = bytes.windows(8).rposition(|window| window == second).expect("the offset of e");
        bytes[at..at + 8].copy_from_slice(&first);
        bytes.truncate(bytes.len() - 800);
        let error = read(&bytes).expect_err("d and e have the same bytes").to_string();
        assert!(error.starts_with("model file ends within the data of all tensors"), "{error}");
    }

    #[test]
    fn tensors_of_unknown_types_are_listed_without_data() {
        let mut container = sample();
        let tensor = container.tensors.get_mut("b").expect("in the sample");
        tensor.kind = TensorType::Other(35);
        tensor.bytes = Cow::Borrowed(&[]);
        let bytes = write(&container).expect("no alignment given");
        assert_eq!(read(&bytes), Ok(container));
    }

    #[test]
    fn any_damaged_file_is_refused_or_read() {
        let good = write(&sample()).expect("no alignment given");
        damaged(256, &good, |bytes| drop(Container::read(bytes)));
    }

    #[test]
    fn any_bytes_are_refused_or_read() {
        rounds(256, |config| {
            proptest!(config, |(tail in prop::collection::vec(any::<u8>(), 0..300))| {
                let _ = Container::read(&tail);
                let bytes = [&MAGIC[..], &VERSION.to_le_bytes(), &tail].concat();
                let _ = Container::read(&bytes);
            })
        });
    }
}
