//! Reading bytes in their order, never beyond the end.

use crate::error::TableError;
use core::ops::Range;

/// A place in a file.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Passes over `len` bytes, which `part` needs, and returns where they are.
    pub fn range(&mut self, len: usize, part: &'static str) -> Result<Range<usize>, TableError> {
        let end = self.at.checked_add(len).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(TableError::Damaged(part))?;
        let range = self.at..end;
        self.at = end;
        Ok(range)
    }

    /// The next `len` bytes.
    pub fn take(&mut self, len: usize, part: &'static str) -> Result<&'a [u8], TableError> {
        let range = self.range(len, part)?;
        Ok(&self.bytes[range])
    }

    pub fn u8(&mut self, part: &'static str) -> Result<u8, TableError> {
        Ok(self.take(1, part)?[0])
    }

    /// A number in two bytes, the low one first.
    pub fn u16(&mut self, part: &'static str) -> Result<u16, TableError> {
        let bytes = self.take(2, part)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// A number in four bytes, the lowest first.
    pub fn u32(&mut self, part: &'static str) -> Result<u32, TableError> {
        let bytes = self.take(4, part)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Goes on to the next multiple of `unit` in the file.
    pub const fn align(&mut self, unit: usize) {
        self.at = self.at.next_multiple_of(unit);
    }
}
