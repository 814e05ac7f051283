//! One file of a table.

use crate::MAX_MEN;
use crate::error::TableError;
use crate::index::Board;
use crate::layout::{Layout, Leading};
use crate::material::Material;
use crate::pairs::Pairs;
use crate::reader::Reader;
use crate::value::{Dtz, Wdl};
use core::ops::Deref;
use kaiyo_chess::{Colour, PieceType, Position};
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// What a table tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Win, draw or loss, for both sides to move.
    Wdl,
    /// Distance to zero, for one side to move.
    Dtz,
}

impl TableKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Wdl, Self::Dtz];

    /// The ending of the names of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    /// The first bytes of its files.
    pub(crate) const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Self::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Whether a whole table can have this length: parts aligned to 64 bytes and a checksum of 16.
pub(crate) const fn is_possible_len(len: u64) -> bool {
    len % 64 == 16 && len > 16
}

/// Opens a file. What is none, as a named pipe, may never answer.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"))
    }
}

/// Flags of a part. Values of `SINGLE` tables are all alike; the others concern distances.
mod flag {
    /// The side to move is the one that has White's part in the name, or else the other one.
    pub const BLACK_TO_MOVE: u8 = 1;
    /// Values are numbers of a list of distances.
    pub const MAPPED: u8 = 2;
    /// Wins are in half-moves rather than moves.
    pub const WINS_IN_PLIES: u8 = 4;
    /// Losses are in half-moves rather than moves.
    pub const LOSSES_IN_PLIES: u8 = 8;
    /// The lists of distances have two bytes each.
    pub const WIDE: u8 = 16;
    /// All values are alike.
    pub const SINGLE: u8 = 128;
}

/// What a lookup of a distance finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distance {
    Known(Dtz),
    /// The table is for the other side to move.
    OtherSide,
}

/// The positions with the first pawn on one file, or all, and with one side to move or both.
#[derive(Debug)]
struct Part {
    layout: Layout,
    flags: u8,
    pairs: Pairs,
    /// The lists of distances of wins, losses, cursed wins and blessed losses.
    lists: [Vec<u16>; 4],
}

/// A table in memory.
///
/// Nothing is assumed about its bytes: every access is checked.
#[derive(Debug)]
pub struct Table {
    bytes: Bytes,
    kind: TableKind,
    material: Material,
    leading: Leading,
    /// By file of the first pawn, and for WDL tables by side to move.
    parts: Vec<Vec<Part>>,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl Table {
    /// Maps a file into memory and reads its header.
    ///
    /// # Errors
    /// [`TableError`] says why the file is no table of this kind and material.
    pub fn open(path: &Path, material: Material, kind: TableKind) -> Result<Self, TableError> {
        let file = open_file(path)?;
        let len = file.metadata()?.len();
        if !is_possible_len(len) {
            return Err(TableError::Length(len));
        }
        // SAFETY: the map is only read, as bytes of which any are valid. That another process
        // cuts the file while it is in use cannot be ruled out, as for every mapped file.
        let map = unsafe { Mmap::map(&file)? };
        // Lookups touch pages here and there; reading ahead would only displace others.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Self::read(Bytes::Mapped(map), material, kind)
    }

    /// A table from bytes that are already in memory.
    ///
    /// # Errors
    /// [`TableError`] says why the bytes are no table of this kind and material.
    pub fn from_bytes(
        bytes: Vec<u8>,
        material: Material,
        kind: TableKind,
    ) -> Result<Self, TableError> {
        let len = bytes.len() as u64;
        if !is_possible_len(len) {
            return Err(TableError::Length(len));
        }
        Self::read(Bytes::Owned(bytes), material, kind)
    }

    fn read(bytes: Bytes, material: Material, kind: TableKind) -> Result<Self, TableError> {
        // The numberings know no more.
        if !(3..=MAX_MEN).contains(&material.men()) {
            return Err(TableError::Damaged("the number of men"));
        }
        let leading = Leading::of(material);
        let mut reader = Reader::new(&bytes, 0);
        if reader.take(4, "the header")? != kind.magic() {
            return Err(TableError::Magic);
        }
        let flags = reader.u8("the header")?;
        let has_pawns = matches!(leading, Leading::Pawns(..));
        let sides = if material.is_symmetric() { 1 } else { 2 };
        if (flags & 1 != 0) != (sides == 2) || (flags & 2 != 0) != has_pawns {
            return Err(TableError::Damaged("the header"));
        }
        let files = if has_pawns { 4 } else { 1 };
        let sides = if kind == TableKind::Wdl { sides } else { 1 };
        let layouts = read_layouts(&mut reader, material, files, sides)?;
        reader.align(2);
        let mut parts: Vec<Vec<Part>> = Vec::new();
        for layouts in layouts {
            let read = |layout| read_part(&mut reader, layout);
            parts.push(layouts.into_iter().map(read).collect::<Result<_, _>>()?);
        }
        if kind == TableKind::Dtz {
            for part in parts.iter_mut().flatten() {
                part.lists = read_lists(&mut reader, part.flags)?;
            }
            reader.align(2);
        }
        for find in [Pairs::find_index, Pairs::find_block_lens, Pairs::find_data] {
            for part in parts.iter_mut().flatten() {
                find(&mut part.pairs, &mut reader)?;
            }
        }
        Ok(Self { bytes, kind, material, leading, parts })
    }

    /// Its men.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// What it tells.
    pub const fn kind(&self) -> TableKind {
        self.kind
    }

    /// The entry of a WDL table for a position: never better than the result, and right unless a
    /// capture is as good or better. The table knows of no en passant.
    ///
    /// # Errors
    /// The table is damaged, or not one for this position.
    pub fn wdl_entry(&self, position: &Position) -> Result<Wdl, TableError> {
        const FAULT: TableError = TableError::Damaged("a result");
        let board = Board::new(position, self.material).ok_or(FAULT)?;
        let file = self.parts.get(board.file(self.leading)).ok_or(FAULT)?;
        let part = file.get(board.side.index()).or_else(|| file.first()).ok_or(FAULT)?;
        let value = part.value(&self.bytes, &board, self.leading)?;
        Wdl::ALL.get(usize::from(value)).copied().ok_or(FAULT)
    }

    /// The entry of a DTZ table for a position with the result `wdl`. It has a meaning only if that
    /// is no draw and no capture or winning pawn move is best.
    ///
    /// # Errors
    /// The table is damaged, or not one for this position.
    pub(crate) fn dtz_entry(&self, position: &Position, wdl: Wdl) -> Result<Distance, TableError> {
        const FAULT: TableError = TableError::Damaged("a distance");
        let board = Board::new(position, self.material).ok_or(FAULT)?;
        let file = self.parts.get(board.file(self.leading)).ok_or(FAULT)?;
        let part = file.first().ok_or(FAULT)?;
        let side = (part.flags & flag::BLACK_TO_MOVE != 0).then_some(Colour::Black);
        let same_for_both = self.material.is_symmetric() && !self.has_pawns();
        if board.side != side.unwrap_or(Colour::White) && !same_for_both {
            return Ok(Distance::OtherSide);
        }
        let value = part.value(&self.bytes, &board, self.leading)?;
        let winner = if wdl > Wdl::Draw { board.side } else { !board.side };
        let only_winner_zeroes = self.material.only_winner_zeroes(winner);
        let distance = distance(part.flags, &part.lists, value, wdl, only_winner_zeroes);
        distance.map(Distance::Known).ok_or(FAULT)
    }

    /// The entry of a DTZ table for a position as if it were won, in plies; `None` if the table is for
    /// the other side to move. [`crate::Tablebases::probe_dtz`] gives it its meaning.
    ///
    /// # Errors
    /// The table is damaged, or not one for this position.
    pub fn dtz_value(&self, position: &Position) -> Result<Option<i32>, TableError> {
        Ok(match self.dtz_entry(position, Wdl::Win)? {
            Distance::Known(dtz) => Some(dtz.plies()),
            Distance::OtherSide => None,
        })
    }

    const fn has_pawns(&self) -> bool {
        matches!(self.leading, Leading::Pawns(..))
    }
}

impl Part {
    fn value(&self, file: &[u8], board: &Board, leading: Leading) -> Result<u16, TableError> {
        let index = board.index(leading, &self.layout);
        let index = index.ok_or(TableError::Damaged("the order of the men"))?;
        self.pairs.value(file, index)
    }
}

/// What the value of a DTZ table means, by the flags and the lists of its part.
fn distance(
    flags: u8,
    lists: &[Vec<u16>; 4],
    value: u16,
    wdl: Wdl,
    only_winner_zeroes: bool,
) -> Option<Dtz> {
    let (list, in_plies) = match wdl {
        Wdl::Win => (0, flags & flag::WINS_IN_PLIES != 0),
        Wdl::Loss => (1, flags & flag::LOSSES_IN_PLIES != 0),
        Wdl::CursedWin => (2, false),
        Wdl::BlessedLoss => (3, false),
        Wdl::Draw => return Some(Dtz::DRAW),
    };
    let mapped = flags & flag::MAPPED != 0;
    let value = if mapped { *lists[list].get(usize::from(value))? } else { value };
    let unit = if in_plies { 1 } else { 2 };
    let beyond = if matches!(wdl, Wdl::CursedWin | Wdl::BlessedLoss) { 100 } else { 0 };
    let plies = i32::from(value) * unit + 1 + beyond;
    let plies = plies * i32::from(wdl.number().signum());
    Some(if in_plies { Dtz::exactly(plies) } else { Dtz::in_moves(plies, only_winner_zeroes) })
}

/// Reads the orders of the men: by file of the first pawn, then by side.
fn read_layouts(
    reader: &mut Reader,
    material: Material,
    files: usize,
    sides: usize,
) -> Result<Vec<Vec<Layout>>, TableError> {
    const PART: &str = "the order of the men";
    let both_have_pawns = Colour::ALL.iter().all(|&c| material.count(c, PieceType::Pawn) > 0);
    let mut layouts = Vec::new();
    for file in 0..files {
        let lead = reader.u8(PART)?;
        let pawns = if both_have_pawns { reader.u8(PART)? } else { 0xff };
        let men = reader.take(material.men(), PART)?;
        // The low half of each byte is for White to move, the high half for Black.
        let layout = |side: usize| {
            let half = |byte: u8| byte >> (4 * side) & 15;
            let numbers: Vec<u8> = men.iter().map(|&byte| half(byte)).collect();
            Layout::new(material, &numbers, [half(lead), half(pawns)], file)
        };
        layouts.push((0..sides).map(layout).collect::<Result<_, _>>()?);
    }
    Ok(layouts)
}

fn read_part(reader: &mut Reader, layout: Layout) -> Result<Part, TableError> {
    let flags = reader.u8("the flags")?;
    let pairs = Pairs::read(reader, layout.size, flags & flag::SINGLE != 0)?;
    Ok(Part { layout, flags, pairs, lists: Default::default() })
}

/// Reads the lists of distances, each after its length.
fn read_lists(reader: &mut Reader, flags: u8) -> Result<[Vec<u16>; 4], TableError> {
    const PART: &str = "the lists of distances";
    let mut lists: [Vec<u16>; 4] = Default::default();
    if flags & flag::MAPPED == 0 {
        return Ok(lists);
    }
    let wide = flags & flag::WIDE != 0;
    if wide {
        reader.align(2);
    }
    for list in &mut lists {
        if wide {
            let len = usize::from(reader.u16(PART)?);
            let bytes = reader.take(2 * len, PART)?;
            list.extend(bytes.as_chunks().0.iter().map(|&pair| u16::from_le_bytes(pair)));
        } else {
            let len = usize::from(reader.u8(PART)?);
            list.extend(reader.take(len, PART)?.iter().map(|&byte| u16::from(byte)));
        }
    }
    Ok(lists)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_result_has_its_own_distances() {
        let lists = [vec![10], vec![20], vec![30], vec![40]];
        let plies = |flags: u8, wdl: Wdl| {
            distance(flags, &lists, 0, wdl, false).map(|distance| distance.plies())
        };
        // In moves, and beyond the hundred half-moves of the rule for cursed wins and blessed losses.
        assert_eq!(plies(flag::MAPPED, Wdl::Win), Some(21));
        assert_eq!(plies(flag::MAPPED, Wdl::Loss), Some(-41));
        assert_eq!(plies(flag::MAPPED, Wdl::CursedWin), Some(161));
        assert_eq!(plies(flag::MAPPED, Wdl::BlessedLoss), Some(-181));
        assert_eq!(plies(flag::MAPPED, Wdl::Draw), Some(0));
        let in_plies = flag::MAPPED | flag::WINS_IN_PLIES | flag::LOSSES_IN_PLIES;
        assert_eq!(plies(in_plies, Wdl::Win), Some(11));
        assert_eq!(plies(in_plies, Wdl::Loss), Some(-21));
        // Without a list the value is the distance; beyond its end is damage.
        assert_eq!(plies(0, Wdl::CursedWin), Some(101));
        assert!(distance(flag::MAPPED, &lists, 1, Wdl::Win, false).is_none());
    }

    #[test]
    fn tables_of_too_many_men_are_refused() {
        let material = Material::of(&Position::start());
        let mut bytes = vec![0; 64 + 16];
        bytes[..4].copy_from_slice(&TableKind::Wdl.magic());
        assert!(matches!(
            Table::from_bytes(bytes, material, TableKind::Wdl),
            Err(TableError::Damaged("the number of men"))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_waited_for() {
        assert!(open_file(Path::new("/dev/zero")).is_err());
        assert!(open_file(&std::env::temp_dir()).is_err());
    }
}
