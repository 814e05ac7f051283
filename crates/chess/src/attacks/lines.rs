//! Straight lines through two squares.

use super::sliders::{bishop_attacks_by_ray, rook_attacks_by_ray};
use crate::bitboard::Bitboard;
use crate::square::Square;

struct Lines {
    between: [[Bitboard; 64]; 64],
    line: [[Bitboard; 64]; 64],
}

static LINES: Lines = build();

const fn build() -> Lines {
    let mut lines =
        Lines { between: [[Bitboard::EMPTY; 64]; 64], line: [[Bitboard::EMPTY; 64]; 64] };
    let mut a = 0;
    while a < 64 {
        let from = Square::ALL[a];
        let rook_rays = rook_attacks_by_ray(from, 0);
        let bishop_rays = bishop_attacks_by_ray(from, 0);
        let mut b = 0;
        while b < 64 {
            let to = Square::ALL[b];
            let ends = 1 << a | 1 << b;
            if rook_rays >> b & 1 != 0 {
                let rays = rook_rays & rook_attacks_by_ray(to, 0);
                lines.line[a][b] = Bitboard(rays | ends);
                lines.between[a][b] =
                    Bitboard(rook_attacks_by_ray(from, ends) & rook_attacks_by_ray(to, ends));
            } else if bishop_rays >> b & 1 != 0 {
                let rays = bishop_rays & bishop_attacks_by_ray(to, 0);
                lines.line[a][b] = Bitboard(rays | ends);
                lines.between[a][b] =
                    Bitboard(bishop_attacks_by_ray(from, ends) & bishop_attacks_by_ray(to, ends));
            }
            b += 1;
        }
        a += 1;
    }
    lines
}

/// Squares strictly between `a` and `b`; empty when they share no line.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    LINES.between[a.index()][b.index()]
}

/// The whole rank, file or diagonal through `a` and `b`, edge to edge; empty when they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINES.line[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use Square::*;

    #[test]
    fn lines_run_edge_to_edge_and_between_excludes_the_ends() {
        assert_eq!(between(A1, D4), [B2, C3].into_iter().collect());
        assert_eq!(between(E1, H1), [F1, G1].into_iter().collect());
        assert_eq!(between(A1, B3), Bitboard::EMPTY);
        assert_eq!(line(B2, C3).len(), 8);
        assert_eq!(line(C1, C8), Bitboard::file(C1.file()));
        assert_eq!(line(A1, C2), Bitboard::EMPTY);
        for a in Square::ALL {
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                assert_eq!(between(a, b) & line(a, b), between(a, b));
            }
        }
    }
}
