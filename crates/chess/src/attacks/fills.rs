//! Attacks of whole sets of sliders at once
//! (<https://www.chessprogramming.org/Kogge-Stone_Algorithm>).

use crate::bitboard::Bitboard;

use core::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_slli_epi64, _mm256_sllv_epi64,
    _mm256_srlv_epi64,
};

const FILE_A: i64 = 0x0101_0101_0101_0101;
const FILE_H: i64 = FILE_A << 7;

/// Squares that at least one of these sliders attacks with these men on the board.
#[inline(always)]
pub(crate) fn slider_attacks_from_sets(
    straight: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    // SAFETY: this module is compiled only where AVX2 is enabled.
    Bitboard(unsafe { fill_rays(straight.0 as i64, diagonal.0 as i64, occupied.0 as i64) })
}

/// The four climbing rays lie side by side in one vector, the four descending ones in another.
/// In order: rank, file, a1-h8 parallel, h1-a8 parallel.
#[target_feature(enable = "avx2")]
#[inline]
fn fill_rays(straight: i64, diagonal: i64, occupied: i64) -> u64 {
    let sliders = _mm256_setr_epi64x(straight, straight, diagonal, diagonal);
    let occupied = _mm256_set1_epi64x(occupied);
    // Where a ray arrives after running over the edge of the board.
    let climbing_wraps = _mm256_setr_epi64x(FILE_A, 0, FILE_A, FILE_H);
    let descending_wraps = _mm256_setr_epi64x(FILE_H, 0, FILE_H, FILE_A);
    let both = _mm256_or_si256(
        fill::<true>(sliders, occupied, climbing_wraps),
        fill::<false>(sliders, occupied, descending_wraps),
    );
    let half = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

/// Attacks along one ray in each lane.
#[target_feature(enable = "avx2")]
#[inline]
fn fill<const CLIMBING: bool>(sliders: __m256i, occupied: __m256i, wraps: __m256i) -> __m256i {
    let one = _mm256_setr_epi64x(1, 8, 9, 7);
    let (two, four) = (_mm256_slli_epi64::<1>(one), _mm256_slli_epi64::<2>(one));
    let shift = |set, steps| {
        if CLIMBING { _mm256_sllv_epi64(set, steps) } else { _mm256_srlv_epi64(set, steps) }
    };
    // Every round doubles the length of the rays: 1, 3, 7 squares.
    let blocked = _mm256_or_si256(occupied, wraps);
    let free = _mm256_andnot_si256(blocked, _mm256_set1_epi64x(-1));
    let reached = _mm256_or_si256(sliders, _mm256_and_si256(free, shift(sliders, one)));
    let free = _mm256_and_si256(free, shift(free, one));
    let reached = _mm256_or_si256(reached, _mm256_and_si256(free, shift(reached, two)));
    let free = _mm256_and_si256(free, shift(free, two));
    let reached = _mm256_or_si256(reached, _mm256_and_si256(free, shift(reached, four)));
    _mm256_andnot_si256(wraps, shift(reached, one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::{bishop_attacks, rook_attacks};

    #[test]
    fn fills_equal_lookups_of_single_sliders() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for _ in 0..20_000 {
            let occupied = Bitboard(next() & next().rotate_left(23));
            let straight = Bitboard(next() & next()) & occupied;
            let diagonal = Bitboard(next() & next()) & occupied;
            let mut expected = Bitboard::EMPTY;
            for slider in straight {
                expected |= rook_attacks(slider, occupied);
            }
            for slider in diagonal {
                expected |= bishop_attacks(slider, occupied);
            }
            assert_eq!(slider_attacks_from_sets(straight, diagonal, occupied), expected);
        }
    }
}
