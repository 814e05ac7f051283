//! Checkpoints: everything a training needs to go on as if it had never stopped.
//!
//! A file has the magic `KYTC`, a version (`u32`), a fingerprint of the options and the data
//! (`u64`), the number of steps (`u64`), the number of arrays (`u32`), for each array its length
//! in floats (`u64`) and the floats, and at the end a CRC-32 of everything before. All little
//! endian.

use super::parameters::Layout;
use super::trainer::State;
use anyhow::{Context, Result, bail, ensure};
use kaiyo_files::replace_file;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

const MAGIC: [u8; 4] = *b"KYTC";
const VERSION: u32 = 2;

/// Writes a state. `fingerprint` stands for everything that must be the same to go on.
pub fn save(path: &Path, state: &mut State, fingerprint: u64) -> Result<()> {
    replace_file(path, |file| {
        let mut output = Checked::new(file);
        output.write(&MAGIC)?;
        output.write(&VERSION.to_le_bytes())?;
        output.write(&fingerprint.to_le_bytes())?;
        output.write(&state.step.to_le_bytes())?;
        let arrays = state.arrays_mut();
        output.write(&(arrays.len() as u32).to_le_bytes())?;
        for array in arrays {
            output.write(&(array.len() as u64).to_le_bytes())?;
            for row in array.iter() {
                let mut bytes = [[0; 4]; 16];
                for (bytes, value) in bytes.iter_mut().zip(row.0) {
                    *bytes = value.to_le_bytes();
                }
                output.write(bytes.as_flattened())?;
            }
        }
        let checksum = output.hasher.clone().finalize();
        output.write(&checksum.to_le_bytes())
    })
}

/// Reads a state that was saved with the same fingerprint.
pub fn load(path: &Path, layout: Layout, fingerprint: u64) -> Result<State> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut input = Checked::new(BufReader::new(file));
    let read = |input: &mut Checked<_>| -> Result<State> {
        ensure!(input.read()? == MAGIC, "no checkpoint");
        let version = u32::from_le_bytes(input.read()?);
        ensure!(version == VERSION, "checkpoint version {VERSION} expected, found {version}");
        let found = u64::from_le_bytes(input.read()?);
        ensure!(
            found == fingerprint,
            "the checkpoint is from a training with other options or other data"
        );
        let mut state = State::new(layout, 0);
        state.step = u64::from_le_bytes(input.read()?);
        let arrays = state.arrays_mut();
        let count = u32::from_le_bytes(input.read()?);
        ensure!(count as usize == arrays.len(), "{} arrays expected, found {count}", arrays.len());
        for array in arrays {
            let len = u64::from_le_bytes(input.read()?);
            ensure!(len == array.len() as u64, "{} rows expected, found {len}", array.len());
            for value in array.iter_mut().flat_map(|row| &mut row.0) {
                *value = f32::from_le_bytes(input.read()?);
            }
        }
        let expected = input.hasher.clone().finalize();
        let found = u32::from_le_bytes(input.read()?);
        if found != expected {
            bail!("the checkpoint is damaged");
        }
        Ok(state)
    };
    read(&mut input).with_context(|| format!("in {}", path.display()))
}

/// A stream with a checksum of what passed.
struct Checked<T> {
    inner: T,
    hasher: crc32fast::Hasher,
}

impl<T> Checked<T> {
    fn new(inner: T) -> Self {
        Self { inner, hasher: crc32fast::Hasher::new() }
    }
}

impl<T: Write> Checked<T> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.hasher.update(bytes);
        Ok(self.inner.write_all(bytes)?)
    }
}

impl<T: Read> Checked<T> {
    fn read<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes).context("the file is too short")?;
        self.hasher.update(&bytes);
        Ok(bytes)
    }
}
