//! The values of a part of a table, compressed by recursive pairing and canonical Huffman codes.
//!
//! Values are the leaves of binary trees, the symbols. Blocks of equal size in bytes hold symbols as
//! Huffman codes; the number of values in each block is listed, and a sparse index tells for every
//! so many values in which block the middle one is
//! (<https://en.wikipedia.org/wiki/Re-Pair>, <https://en.wikipedia.org/wiki/Canonical_Huffman_code>).

use crate::error::TableError;
use crate::reader::Reader;
use core::ops::Range;

/// The second child of a symbol that is a value.
const LEAF: u16 = 0xfff;
/// The longest code that can be read.
const MAX_CODE_LEN: u8 = 32;
/// Bytes of an entry of the sparse index: block and place in the block.
const INDEX_ENTRY_LEN: usize = 6;
/// Bytes of the length of a block.
const BLOCK_LEN_LEN: usize = 2;

/// A symbol: two others one after the other, or a value.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    /// The value of a leaf.
    first: u16,
    second: u16,
    /// Values it stands for.
    len: u32,
}

/// Codes of one length.
#[derive(Clone, Copy, Debug)]
struct Codes {
    len: u8,
    /// The lowest code, at the left end of the word.
    lowest: u64,
    /// The symbol of the lowest code.
    symbol: u16,
}

/// Where the values of a part of a table are.
#[derive(Debug)]
pub(crate) enum Pairs {
    /// All have this value.
    Single(u16),
    /// In blocks.
    Blocks(Blocks),
}

/// Compressed values.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// Number of values.
    size: u64,
    /// Bytes of a block.
    block_len: usize,
    /// Values between two entries of the sparse index.
    span: u64,
    blocks: usize,
    /// The block lengths listed, some beyond the last block.
    listed: usize,
    codes: Vec<Codes>,
    symbols: Vec<Symbol>,
    index: Range<usize>,
    block_lens: Range<usize>,
    data: Range<usize>,
}

impl Pairs {
    /// Reads the description of `size` values after its flags.
    pub fn read(reader: &mut Reader, size: u64, single: bool) -> Result<Self, TableError> {
        const PART: &str = "the description of the values";
        const FAULT: TableError = TableError::Damaged(PART);
        if single {
            return Ok(Self::Single(u16::from(reader.u8(PART)?)));
        }
        let block_len = 1_usize.checked_shl(reader.u8(PART)?.into()).ok_or(FAULT)?;
        let span = 1_u64.checked_shl(reader.u8(PART)?.into()).ok_or(FAULT)?;
        let beyond = usize::from(reader.u8(PART)?);
        let blocks = usize::try_from(reader.u32(PART)?).map_err(|_| FAULT)?;
        let listed = blocks.checked_add(beyond).ok_or(FAULT)?;
        let codes = read_codes(reader)?;
        let symbols = read_symbols(reader)?;
        let (index, block_lens, data) = Default::default();
        Ok(Self::Blocks(Blocks {
            size,
            block_len,
            span,
            blocks,
            listed,
            codes,
            symbols,
            index,
            block_lens,
            data,
        }))
    }

    /// Finds the sparse index, which comes after the descriptions of all parts.
    pub fn find_index(&mut self, reader: &mut Reader) -> Result<(), TableError> {
        if let Self::Blocks(blocks) = self {
            let entries = usize::try_from(blocks.size.div_ceil(blocks.span)).unwrap_or(usize::MAX);
            let len = entries.saturating_mul(INDEX_ENTRY_LEN);
            blocks.index = reader.range(len, "the index of the blocks")?;
        }
        Ok(())
    }

    /// Finds the lengths of the blocks, which come after the sparse indices of all parts.
    pub fn find_block_lens(&mut self, reader: &mut Reader) -> Result<(), TableError> {
        if let Self::Blocks(blocks) = self {
            let len = blocks.listed.saturating_mul(BLOCK_LEN_LEN);
            blocks.block_lens = reader.range(len, "the lengths of the blocks")?;
        }
        Ok(())
    }

    /// Finds the blocks, which come last.
    pub fn find_data(&mut self, reader: &mut Reader) -> Result<(), TableError> {
        if let Self::Blocks(blocks) = self {
            reader.align(64);
            let len = blocks.blocks.saturating_mul(blocks.block_len);
            blocks.data = reader.range(len, "the blocks")?;
        }
        Ok(())
    }

    /// The value with number `index`, in the file that the description was read from.
    pub fn value(&self, file: &[u8], index: u64) -> Result<u16, TableError> {
        match self {
            Self::Single(value) => Ok(*value),
            Self::Blocks(blocks) => blocks.value(file, index),
        }
    }
}

/// Reads the lowest symbol for each length of codes. The codes of a length follow those of the
/// next longer one.
fn read_codes(reader: &mut Reader) -> Result<Vec<Codes>, TableError> {
    const PART: &str = "the lengths of the codes";
    let longest = reader.u8(PART)?;
    let shortest = reader.u8(PART)?;
    if shortest == 0 || longest < shortest || longest > MAX_CODE_LEN {
        return Err(TableError::Damaged(PART));
    }
    let mut codes = Vec::new();
    for len in shortest..=longest {
        codes.push(Codes { len, lowest: 0, symbol: reader.u16(PART)? });
    }
    let mut lowest: u64 = 0;
    for place in (0..codes.len()).rev() {
        if let Some(longer) = codes.get(place + 1) {
            let count = codes[place].symbol.checked_sub(longer.symbol);
            let end = count.map(|count| lowest + u64::from(count));
            lowest = end.ok_or(TableError::Damaged(PART))? / 2;
        }
        let len = codes[place].len;
        if lowest >> len != 0 {
            return Err(TableError::Damaged(PART));
        }
        codes[place].lowest = lowest << (64 - len);
    }
    Ok(codes)
}

/// Reads the symbols, three bytes each, and counts the values they stand for.
fn read_symbols(reader: &mut Reader) -> Result<Vec<Symbol>, TableError> {
    const PART: &str = "the symbols";
    let count = usize::from(reader.u16(PART)?);
    let bytes = reader.take(count * 3, PART)?;
    if count % 2 != 0 {
        reader.u8(PART)?;
    }
    let to_symbol = |bytes: &[u8; 3]| {
        let [low, middle, high] = bytes.map(u16::from);
        let (first, second) = (low | (middle & 15) << 8, middle >> 4 | high << 4);
        Symbol { first, second, len: u32::from(second == LEAF) }
    };
    let mut symbols: Vec<Symbol> = bytes.as_chunks().0.iter().map(to_symbol).collect();
    for symbol in 0..count {
        count_values(&mut symbols, symbol).ok_or(TableError::Damaged(PART))?;
    }
    Ok(symbols)
}

/// Sets the length of a symbol and of those below it. `None` if one contains itself, does not exist
/// or is longer than any block.
fn count_values(symbols: &mut [Symbol], root: usize) -> Option<()> {
    const LONGEST: u32 = 1 << 16;
    let mut path = vec![root];
    while let Some(&top) = path.last() {
        let Symbol { first, second, len } = *symbols.get(top)?;
        let below = [usize::from(first), usize::from(second)];
        if len == 0 {
            let lens = [symbols.get(below[0])?.len, symbols.get(below[1])?.len];
            if let Some(unknown) = lens.iter().position(|&len| len == 0) {
                path.push(below[unknown]);
                // A path longer than there are symbols goes round in a circle.
                if path.len() > symbols.len() {
                    return None;
                }
                continue;
            }
            let len = lens[0] + lens[1];
            if len > LONGEST {
                return None;
            }
            symbols[top].len = len;
        }
        path.pop();
    }
    Some(())
}

impl Blocks {
    fn value(&self, file: &[u8], index: u64) -> Result<u16, TableError> {
        let found = (index < self.size).then(|| {
            let (block, place) = self.find(file, index)?;
            self.decode(file, block, place)
        });
        found.flatten().ok_or(TableError::Damaged("the blocks contradict the index"))
    }

    /// The block that holds a value, and the place of the value in it.
    fn find(&self, file: &[u8], index: u64) -> Option<(usize, u32)> {
        let entry = usize::try_from(index / self.span).ok()?.checked_mul(INDEX_ENTRY_LEN)?;
        let entry = file.get(self.index.clone())?.get(entry..entry + INDEX_ENTRY_LEN)?;
        let mut block = u32::from_le_bytes(entry[..4].try_into().ok()?) as usize;
        // The entry tells about the value in the middle of its span.
        let from_middle = (index % self.span) as i64 - (self.span / 2) as i64;
        let mut place = i64::from(u16::from_le_bytes([entry[4], entry[5]])) + from_middle;
        let lens = file.get(self.block_lens.clone())?.as_chunks::<BLOCK_LEN_LEN>().0;
        let len = |block: usize| lens.get(block).map(|&len| i64::from(u16::from_le_bytes(len)) + 1);
        while place < 0 {
            block = block.checked_sub(1)?;
            place += len(block)?;
        }
        while place >= len(block)? {
            place -= len(block)?;
            block += 1;
        }
        Some((block, u32::try_from(place).ok()?))
    }

    /// The value at a place in a block.
    fn decode(&self, file: &[u8], block: usize, mut place: u32) -> Option<u16> {
        let begin = block.checked_mul(self.block_len)?;
        let data = file.get(self.data.clone())?.get(begin..begin.checked_add(self.block_len)?)?;
        let mut bit = 0;
        let mut symbol = loop {
            if bit >= 8 * data.len() {
                return None;
            }
            let word = word_at(data, bit);
            // The shortest length whose lowest code is not above the word.
            let codes = self.codes.iter().find(|codes| word >= codes.lowest)?;
            let number = (word - codes.lowest) >> (64 - codes.len);
            let number = u64::from(codes.symbol).checked_add(number)?;
            let symbol = self.symbols.get(usize::try_from(number).ok()?)?;
            if place < symbol.len {
                break symbol;
            }
            place -= symbol.len;
            bit += usize::from(codes.len);
        };
        while symbol.second != LEAF {
            let first = self.symbols.get(usize::from(symbol.first))?;
            if place < first.len {
                symbol = first;
            } else {
                place -= first.len;
                symbol = self.symbols.get(usize::from(symbol.second))?;
            }
        }
        Some(symbol.first)
    }
}

/// At least 57 bits from `bit` on, the first one highest; zeros beyond the end.
#[inline]
fn word_at(data: &[u8], bit: usize) -> u64 {
    let rest = &data[bit / 8..];
    let word = match rest.first_chunk() {
        Some(&bytes) => u64::from_be_bytes(bytes),
        None => {
            let mut bytes = [0; 8];
            bytes[..rest.len()].copy_from_slice(rest);
            u64::from_be_bytes(bytes)
        }
    };
    word << (bit % 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(pairs: &[(u16, u16)]) -> Vec<Symbol> {
        pairs
            .iter()
            .map(|&(first, second)| Symbol { first, second, len: u32::from(second == LEAF) })
            .collect()
    }

    #[test]
    fn symbols_stand_for_all_values_below_them() {
        let mut symbols = symbols(&[(2, 1), (7, LEAF), (1, 1)]);
        for symbol in 0..3 {
            assert!(count_values(&mut symbols, symbol).is_some());
        }
        assert_eq!(symbols.iter().map(|symbol| symbol.len).collect::<Vec<_>>(), [3, 1, 2]);
    }

    #[test]
    fn symbols_that_make_no_tree_are_refused() {
        assert!(count_values(&mut symbols(&[(0, 0)]), 0).is_none());
        assert!(count_values(&mut symbols(&[(1, 1), (0, 0)]), 0).is_none());
        assert!(count_values(&mut symbols(&[(5, 0)]), 0).is_none());
        // Each doubles the one before it.
        let mut doubling = vec![(0, LEAF)];
        doubling.extend((0..40).map(|below| (below, below)));
        assert!(count_values(&mut symbols(&doubling), 40).is_none());
        assert!(count_values(&mut symbols(&doubling), 16).is_some());
    }

    #[test]
    fn bits_beyond_the_end_are_zero() {
        assert_eq!(word_at(&[0x80, 0xff], 9), 0x7f << 57);
        assert_eq!(word_at(&[1; 9], 7), 0x8080_8080_8080_8080);
    }
}
