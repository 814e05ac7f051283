//! Attacks of bishops, rooks and queens by table lookup.

// The compile-time loops over a hundred thousand occupancies are intended.
#![allow(long_running_const_eval)]

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use crate::bitboard::Bitboard;
use crate::square::{File, Rank, Square};

/// Slots of all squares' rook tables together: the sum of 2^(relevant squares).
const ROOK_TABLE_LEN: usize = 102_400;
const BISHOP_TABLE_LEN: usize = 5_248;

/// Whether the tables are laid out for PEXT rather than for magics.
const USE_PEXT: bool = cfg!(fast_pext);

/// How the occupancy around one square selects a slot.
#[derive(Clone, Copy)]
struct Slots {
    /// Squares whose occupancy matters: the rays without their last square.
    mask: u64,
    #[cfg_attr(fast_pext, allow(dead_code))]
    magic: u64,
    /// Start of this square's slots in the table.
    offset: u32,
    #[cfg_attr(fast_pext, allow(dead_code))]
    shift: u32,
}

impl Slots {
    #[inline(always)]
    fn index(&self, occupied: Bitboard) -> usize {
        #[cfg(fast_pext)]
        // SAFETY: `fast_pext` is set by the build script only where BMI2 is enabled.
        let slot = unsafe { core::arch::x86_64::_pext_u64(occupied.0, self.mask) };
        #[cfg(not(fast_pext))]
        let slot = magic_slot(occupied.0, self.mask, self.magic, self.shift);
        self.offset as usize + slot as usize
    }
}

#[inline(always)]
const fn magic_slot(occupied: u64, mask: u64, magic: u64, shift: u32) -> u64 {
    (occupied & mask).wrapping_mul(magic) >> shift
}

struct SliderTable<const LEN: usize> {
    slots: [Slots; 64],
    attacks: [Bitboard; LEN],
}

impl<const LEN: usize> SliderTable<LEN> {
    #[inline(always)]
    fn attacks(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let index = self.slots[square.index()].index(occupied);
        debug_assert!(index < LEN);
        // SAFETY: a slot number has as many bits as the mask has squares, and the offsets
        // reserve that many slots for each square (`build` fills every one of them).
        unsafe { *self.attacks.get_unchecked(index) }
    }
}

static ROOKS: SliderTable<ROOK_TABLE_LEN> = build_table(true, &ROOK_MAGICS);
static BISHOPS: SliderTable<BISHOP_TABLE_LEN> = build_table(false, &BISHOP_MAGICS);

/// Squares a rook on `square` attacks; the first man on each ray is attacked too.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOKS.attacks(square, occupied)
}

/// Squares a bishop on `square` attacks; the first man on each ray is attacked too.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOPS.attacks(square, occupied)
}

/// Squares a queen on `square` attacks; the first man on each ray is attacked too.
#[inline(always)]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

const fn build_table<const LEN: usize>(rook: bool, magics: &[u64; 64]) -> SliderTable<LEN> {
    let mut table = SliderTable {
        slots: [Slots { mask: 0, magic: 0, offset: 0, shift: 0 }; 64],
        attacks: [Bitboard::EMPTY; LEN],
    };
    let mut offset = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        let mask = relevant_squares(rook, square);
        let shift = 64 - mask.count_ones();
        let magic = magics[index];
        table.slots[index] = Slots { mask, magic, offset: offset as u32, shift };
        // Visits the subsets of the mask in increasing PEXT order (the carry-rippler).
        let mut occupied = 0;
        let mut pext_slot = 0;
        loop {
            let slot = if USE_PEXT {
                pext_slot
            } else {
                magic_slot(occupied, mask, magic, shift) as usize
            };
            table.attacks[offset + slot] = Bitboard(attacks_by_ray(rook, square, occupied));
            pext_slot += 1;
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                break;
            }
        }
        offset += pext_slot;
        index += 1;
    }
    table
}

/// The squares whose occupancy changes what the slider attacks.
const fn relevant_squares(rook: bool, square: Square) -> u64 {
    let ends_of_files = Bitboard::BACK_RANKS.0 & !Bitboard::rank(square.rank()).0;
    let ends_of_ranks =
        (Bitboard::file(File::A).0 | Bitboard::file(File::H).0) & !Bitboard::file(square.file()).0;
    attacks_by_ray(rook, square, 0) & !(ends_of_files | ends_of_ranks)
}

const fn attacks_by_ray(rook: bool, square: Square, occupied: u64) -> u64 {
    if rook {
        rook_attacks_by_ray(square, occupied)
    } else {
        bishop_attacks_by_ray(square, occupied)
    }
}

/// Rook attacks without tables.
pub(super) const fn rook_attacks_by_ray(square: Square, occupied: u64) -> u64 {
    line_attacks(square, Bitboard::file(square.file()).0, occupied)
        | line_attacks(square, Bitboard::rank(square.rank()).0, occupied)
}

/// Bishop attacks without tables.
pub(super) const fn bishop_attacks_by_ray(square: Square, occupied: u64) -> u64 {
    line_attacks(square, diagonal(square), occupied)
        | line_attacks(square, anti_diagonal(square), occupied)
}

/// Attacks along one line by subtraction: `o ^ (o - 2s)` upwards, the same on the reversed
/// board downwards (<https://www.chessprogramming.org/Hyperbola_Quintessence>).
const fn line_attacks(square: Square, line: u64, occupied: u64) -> u64 {
    let slider = 1u64 << square as u8;
    let blockers = occupied & line & !slider;
    let up = blockers.wrapping_sub(slider.wrapping_mul(2));
    let down =
        blockers.reverse_bits().wrapping_sub(slider.reverse_bits().wrapping_mul(2)).reverse_bits();
    (up ^ down) & line & !slider
}

/// The a1-h8 parallel through `square`.
const fn diagonal(square: Square) -> u64 {
    const MAIN: u64 = 0x8040_2010_0804_0201;
    let shift = square.rank() as i32 - square.file() as i32;
    if shift >= 0 { MAIN << (8 * shift) } else { MAIN >> (-8 * shift) }
}

/// The h1-a8 parallel through `square`.
const fn anti_diagonal(square: Square) -> u64 {
    const MAIN: u64 = 0x0102_0408_1020_4080;
    let shift = square.rank() as i32 - (Rank::R8 as i32 - square.file() as i32);
    if shift >= 0 { MAIN << (8 * shift) } else { MAIN >> (-8 * shift) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(square: Square, occupied: u64, steps: [(i32, i32); 4]) -> u64 {
        let mut attacks = 0;
        for (file_step, rank_step) in steps {
            let (mut file, mut rank) = (square.file() as i32, square.rank() as i32);
            loop {
                file += file_step;
                rank += rank_step;
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let bit = 1u64 << (rank * 8 + file);
                attacks |= bit;
                if occupied & bit != 0 {
                    break;
                }
            }
        }
        attacks
    }

    /// Software PEXT, to check the slot order on machines that lack the instruction.
    fn pext(value: u64, mask: u64) -> u64 {
        Bitboard(mask)
            .enumerate()
            .fold(0, |slot, (bit, square)| slot | (value >> square as u8 & 1) << bit)
    }

    fn check(rook: bool, square: Square, occupied: u64) {
        let steps = if rook {
            [(0, 1), (1, 0), (0, -1), (-1, 0)]
        } else {
            [(1, 1), (1, -1), (-1, -1), (-1, 1)]
        };
        let expected = walk(square, occupied, steps);
        assert_eq!(attacks_by_ray(rook, square, occupied), expected, "{square} {occupied:#x}");
        let looked_up = if rook {
            rook_attacks(square, Bitboard(occupied))
        } else {
            bishop_attacks(square, Bitboard(occupied))
        };
        assert_eq!(looked_up.0, expected, "{square} {occupied:#x}");
    }

    #[test]
    fn lookups_equal_walking_the_rays() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for square in Square::ALL {
            for _ in 0..2_000 {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                check(true, square, random & random.rotate_left(23));
                check(false, square, random & random.rotate_left(23));
            }
        }
    }

    #[test]
    fn both_slot_orders_keep_different_attacks_apart() {
        for (rook, magics) in [(true, &ROOK_MAGICS), (false, &BISHOP_MAGICS)] {
            for square in Square::ALL {
                let mask = relevant_squares(rook, square);
                let slots = 1usize << mask.count_ones();
                let mut by_magic = vec![None; slots];
                let mut by_pext = vec![None; slots];
                let mut occupied = 0u64;
                loop {
                    let attacks = attacks_by_ray(rook, square, occupied);
                    let shift = 64 - mask.count_ones();
                    let magic = magic_slot(occupied, mask, magics[square.index()], shift);
                    for (table, slot) in
                        [(&mut by_magic, magic), (&mut by_pext, pext(occupied, mask))]
                    {
                        let previous = table[slot as usize].replace(attacks);
                        assert!(previous.is_none_or(|p| p == attacks), "{square}: collision");
                    }
                    occupied = occupied.wrapping_sub(mask) & mask;
                    if occupied == 0 {
                        break;
                    }
                }
            }
        }
    }
}
