//! Which inputs of the network a position sets.
//!
//! Each side sees the board from its own back rank and, when its king stands on files e to h,
//! mirrored between queen side and king side, so that the own king is always on files a to d.
//! A man is then one of 768 features (own or other, 6 types, 64 squares), and these exist once
//! for each of [`KING_BUCKETS`] regions of the own king:
//!
//! `index = bucket * 768 + (own 0, other 1) * 384 + type * 64 + square`
//!
//! with types numbered pawn, knight, bishop, rook, queen, king and a1 = 0, b1 = 1, ... as the
//! side sees it. Mirroring halves what has to be learned and costs only the difference between
//! castling to either side.

use kaiyo_chess::{Colour, Piece, Position, Square};

/// Features of one king bucket: 2 sides x 6 types x 64 squares.
pub const BUCKET_FEATURES: usize = 768;
/// Regions of the own king with weights of their own.
pub const KING_BUCKETS: usize = 10;
/// Rows of the feature transformer.
pub const FEATURES: usize = KING_BUCKETS * BUCKET_FEATURES;
/// Sets of dense layers, chosen by the number of men.
pub const OUTPUT_BUCKETS: usize = 8;
/// Features that one side can see at once: a feature for each man.
pub const MAX_ACTIVE: usize = 32;

/// King bucket of each square as the side sees it, rank 1 first, files a to d.
///
/// Kings live on their first two ranks while there is much on the board: a bucket each. Further
/// up they are rare, and data for more buckets would be too.
#[rustfmt::skip]
const BUCKET_OF_KING: [[u8; 4]; 8] = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 8, 8, 8],
    [9, 9, 9, 9],
    [9, 9, 9, 9],
    [9, 9, 9, 9],
    [9, 9, 9, 9],
    [9, 9, 9, 9],
];

/// Features of the men of one side: those of the other side follow.
const OTHER_SIDE: u16 = 6 * 64;

/// How one side sees the board: what to do with squares, and its king bucket.
///
/// Two positions with the same view of a side differ in that side's features only by the men
/// that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Colour,
    /// What squares are XORed with: 56 turns the board around, 7 mirrors it.
    flip: u8,
    bucket: u8,
}

impl View {
    /// The view of `side` whose king stands on `king`.
    #[inline]
    pub const fn new(side: Colour, king: Square) -> Self {
        let turn = match side {
            Colour::White => 0,
            Colour::Black => 56,
        };
        let seen = king as u8 ^ turn;
        let mirror = if seen & 4 != 0 { 7 } else { 0 };
        let seen = seen ^ mirror;
        let bucket = BUCKET_OF_KING[seen as usize >> 3][seen as usize & 3];
        Self { side, flip: turn ^ mirror, bucket }
    }

    /// The view of `side` in a position.
    #[inline]
    pub fn of(position: &Position, side: Colour) -> Self {
        Self::new(side, position.king(side))
    }

    /// Index of the feature "this man stands there", below [`FEATURES`].
    #[inline(always)]
    pub const fn feature(self, piece: Piece, square: Square) -> u16 {
        // White's men come first for White, Black's for Black.
        let man = piece.index() as u16 * 64 + self.side as u16 * OTHER_SIDE;
        let man = if man < BUCKET_FEATURES as u16 { man } else { man - BUCKET_FEATURES as u16 };
        self.bucket as u16 * BUCKET_FEATURES as u16 + man + (square as u16 ^ self.flip as u16)
    }

    /// The king bucket, below [`KING_BUCKETS`].
    #[inline]
    pub const fn king_bucket(self) -> usize {
        self.bucket as usize
    }

    /// Whether files are mirrored.
    #[inline]
    pub const fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }
}

/// The dense layers for a position with so many men: `(men - 2) / 4`, at most 7.
#[inline]
pub const fn output_bucket(men: u32) -> usize {
    let bucket = men.saturating_sub(2) as usize / 4;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

/// Calls `visit` with every feature that `side` sees.
pub fn visit_active(position: &Position, side: Colour, mut visit: impl FnMut(u16)) {
    let view = View::of(position, side);
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            visit(view.feature(piece, square));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::{File, PieceType};

    fn active(position: &Position, side: Colour) -> Vec<u16> {
        let mut features = Vec::new();
        visit_active(position, side, |feature| features.push(feature));
        features.sort_unstable();
        features
    }

    #[test]
    fn every_index_of_every_view_is_in_range_and_different() {
        for side in Colour::ALL {
            for king in Square::ALL {
                let view = View::new(side, king);
                let mut seen = [false; BUCKET_FEATURES];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        let index = usize::from(view.feature(piece, square));
                        let start = view.king_bucket() * BUCKET_FEATURES;
                        assert!(index < FEATURES);
                        assert!((start..start + BUCKET_FEATURES).contains(&index));
                        assert!(!core::mem::replace(&mut seen[index - start], true));
                    }
                }
            }
        }
    }

    #[test]
    fn all_king_buckets_are_used() {
        let mut used = [false; KING_BUCKETS];
        for square in Square::ALL {
            used[View::new(Colour::White, square).king_bucket()] = true;
        }
        assert_eq!(used, [true; KING_BUCKETS]);
    }

    #[test]
    fn the_own_king_is_seen_on_files_a_to_d() {
        for side in Colour::ALL {
            for king in Square::ALL {
                let view = View::new(side, king);
                let feature = view.feature(Piece::new(side, PieceType::King), king);
                let seen = Square::from_low_bits((feature & 63) as u8);
                assert!(seen.file() <= File::D, "{king}");
                assert_eq!(view.is_mirrored(), king.file() >= File::E);
                assert_eq!(usize::from(feature) % BUCKET_FEATURES / 64, PieceType::King.index());
            }
        }
    }

    #[test]
    fn known_indices() {
        let white = View::new(Colour::White, Square::G1);
        // The king on g1 is seen on b1: bucket 1. A white pawn on e4 is seen on d4.
        assert_eq!(white.feature(Piece::WhitePawn, Square::E4), 768 + Square::D4 as u16);
        let black = View::new(Colour::Black, Square::C7);
        // The king on c7 is seen on c2: bucket 6. A white queen on h1 is seen on h8.
        assert_eq!(
            black.feature(Piece::WhiteQueen, Square::H1),
            6 * 768 + 384 + 4 * 64 + Square::H8 as u16
        );
    }

    #[test]
    fn both_sides_see_a_symmetric_position_alike() {
        let start = Position::start();
        assert_eq!(active(&start, Colour::White), active(&start, Colour::Black));
        assert_eq!(active(&start, Colour::White).len(), 32);
    }

    /// A position, the same with colours exchanged, and the same mirrored.
    const KIN: [&str; 3] = [
        "4k2r/1pp2p2/8/3N4/8/6P1/PP6/R3K3 w - - 0 1",
        "r3k3/pp6/6p1/8/3n4/8/1PP2P2/4K2R b - - 0 1",
        "r2k4/2p2pp1/8/4N3/8/1P6/6PP/3K3R w - - 0 1",
    ];

    #[test]
    fn exchanged_colours_exchange_the_views() {
        let [one, exchanged, _] = KIN.map(|fen| Position::from_fen(fen).unwrap());
        for side in Colour::ALL {
            assert_eq!(active(&one, side), active(&exchanged, !side));
        }
    }

    #[test]
    fn a_mirrored_position_looks_the_same() {
        let [one, _, mirrored] = KIN.map(|fen| Position::from_fen(fen).unwrap());
        for side in Colour::ALL {
            assert_eq!(active(&one, side), active(&mirrored, side));
        }
    }

    #[test]
    fn output_buckets_split_the_men_by_four() {
        let buckets: Vec<usize> = (0..=33).map(output_bucket).collect();
        assert_eq!(buckets[..7], [0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(buckets[29..], [6, 7, 7, 7, 7]);
        assert!(buckets.is_sorted());
    }
}
