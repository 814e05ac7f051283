//! Accumulators that follow the moves.
//!
//! Making a move only records which men it changes. When a position is evaluated, the nearest
//! earlier accumulator with the same view of the board is carried forward; where a king has
//! left its bucket or half of the board since, the accumulator is rebuilt from the last one with
//! that view ("Finny table", by Luecx), which usually differs in a few men.

use crate::features::{KING_BUCKETS, MAX_ACTIVE, View};
use crate::kernels;
use crate::network::{HalfRow, Network};
use kaiyo_chess::{Bitboard, Colour, File, Move, MoveFlag, Piece, PieceType, Position, Square};

/// Plies that need no new memory.
const USUAL_PLIES: usize = 256;

/// A list of at most `N` values.
#[derive(Clone, Copy, Debug)]
struct Few<T, const N: usize> {
    values: [T; N],
    /// As wide as registers: the processor is slow to read a byte back as part of a word.
    len: usize,
}

impl<T: Copy, const N: usize> Few<T, N> {
    const fn new(filler: T) -> Self {
        Self { values: [filler; N], len: 0 }
    }

    /// Appends a value; more than `N` are dropped, which callers rule out.
    #[inline(always)]
    fn push(&mut self, value: T) {
        debug_assert!(self.len < N);
        if let Some(slot) = self.values.get_mut(self.len) {
            *slot = value;
            self.len += 1;
        }
    }

    #[inline(always)]
    fn as_slice(&self) -> &[T] {
        self.values.get(..self.len).unwrap_or(&[])
    }

    /// Maps the fillers too, which is faster than to look where they begin.
    #[inline(always)]
    fn map<U>(&self, map: impl Fn(T) -> U) -> Few<U, N> {
        Few { values: self.values.map(map), len: self.len }
    }
}

type Men = Few<(Piece, Square), 2>;

/// The men that a move changes.
#[derive(Clone, Copy, Debug)]
struct Change {
    added: Men,
    removed: Men,
}

impl Change {
    const NONE: Self = {
        let nobody = Few::new((Piece::WhitePawn, Square::A1));
        Self { added: nobody, removed: nobody }
    };

    /// What `mv` changes in the position before it.
    #[inline]
    fn new(before: &Position, mv: Move) -> Self {
        let mut change = Self::NONE;
        let us = before.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = before.piece_on(from) else { return change };
        change.removed.push((piece, from));
        if mv.is_castling() {
            let (king, rook) = castling_squares(us, mv);
            change.removed.push((Piece::new(us, PieceType::Rook), to));
            change.added.push((piece, king));
            change.added.push((Piece::new(us, PieceType::Rook), rook));
            return change;
        }
        if mv.is_en_passant() {
            let square = Square::new(to.file(), from.rank());
            change.removed.push((Piece::new(!us, PieceType::Pawn), square));
        } else if mv.is_capture()
            && let Some(captured) = before.piece_on(to)
        {
            change.removed.push((captured, to));
        }
        let piece = mv.promotion().map_or(piece, |promoted| Piece::new(us, promoted));
        change.added.push((piece, to));
        change
    }
}

/// Where king and rook stand after castling.
const fn castling_squares(us: Colour, mv: Move) -> (Square, Square) {
    let (king, rook) = match mv.flag() {
        MoveFlag::CastleKingSide => (File::G, File::F),
        _ => (File::C, File::D),
    };
    (Square::new(king, us.back_rank()), Square::new(rook, us.back_rank()))
}

/// What is known of one ply, besides the sums.
#[derive(Clone, Copy, Debug)]
struct Ply {
    /// By colour, whether the sums are valid.
    computed: [bool; 2],
    /// How each side sees this position.
    views: [View; 2],
    /// What the move to this position changed.
    change: Change,
}

/// An accumulator for later, with the men that it has.
#[derive(Clone, Debug)]
struct Cached {
    sums: HalfRow,
    men: [Bitboard; 12],
}

impl Cached {
    fn empty(bias: &HalfRow) -> Self {
        Self { sums: *bias, men: [Bitboard::EMPTY; 12] }
    }
}

/// The accumulators along the line that is being searched. One for each thread.
///
/// `reset` to a position, then `push` every move before it is made and `pop` after it is taken
/// back.
#[derive(Clone, Debug)]
pub struct Accumulators {
    plies: Vec<Ply>,
    /// The sums of each ply by colour: apart, since paths are walked more often than summed.
    sums: Vec<[HalfRow; 2]>,
    top: usize,
    /// By side, mirroring and king bucket. Empty until the first network is seen.
    cache: Vec<Cached>,
    /// Checksum of the network that the sums belong to.
    checksum: Option<u32>,
}

impl Default for Accumulators {
    fn default() -> Self {
        Self::new()
    }
}

impl Accumulators {
    /// Accumulators that wait for a [`Self::reset`].
    pub fn new() -> Self {
        Self::within(Vec::new(), Vec::new())
    }

    /// The same, or `None` if there is no memory for them.
    pub fn try_new() -> Option<Self> {
        let (mut plies, mut sums) = (Vec::new(), Vec::new());
        plies.try_reserve_exact(USUAL_PLIES).ok()?;
        sums.try_reserve_exact(USUAL_PLIES).ok()?;
        Some(Self::within(plies, sums))
    }

    fn within(mut plies: Vec<Ply>, mut sums: Vec<[HalfRow; 2]>) -> Self {
        let views = Colour::ALL.map(|side| View::new(side, Square::A1));
        plies.resize(USUAL_PLIES, Ply { computed: [false; 2], views, change: Change::NONE });
        sums.resize(USUAL_PLIES, [HalfRow::ZERO; 2]);
        Self { plies, sums, top: 0, cache: Vec::new(), checksum: None }
    }

    /// Starts a new line from this position.
    pub fn reset(&mut self, position: &Position) {
        self.top = 0;
        let root = &mut self.plies[0];
        root.computed = [false; 2];
        root.views = Colour::ALL.map(|side| View::of(position, side));
        root.change = Change::NONE;
    }

    /// Follows a move that is legal in `before`.
    #[inline]
    pub fn push(&mut self, before: &Position, mv: Move) {
        let us = before.side_to_move();
        let king = before.king(us);
        let view = (mv.from() == king).then(|| {
            let king = if mv.is_castling() { castling_squares(us, mv).0 } else { mv.to() };
            View::new(us, king)
        });
        let ply = self.next_ply();
        if let Some(view) = view {
            ply.views[us.index()] = view;
        }
        ply.change = Change::new(before, mv);
    }

    /// Follows a passed turn.
    #[inline]
    pub fn push_null(&mut self) {
        self.next_ply().change = Change::NONE;
    }

    /// Goes back to the position before the last move; at the root it does nothing.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "more pops than pushes");
        self.top = self.top.saturating_sub(1);
    }

    /// Enters the next ply, as yet with the views of this one and nothing computed.
    #[inline]
    fn next_ply(&mut self) -> &mut Ply {
        let views = self.plies[self.top].views;
        self.top += 1;
        if self.top == self.plies.len() {
            self.plies.push(self.plies[self.top - 1]);
            self.sums.push([HalfRow::ZERO; 2]);
        }
        let ply = &mut self.plies[self.top];
        ply.views = views;
        ply.computed = [false; 2];
        ply
    }

    /// Centipawns for the side to move in `position`, which the moves pushed have led to.
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> i32 {
        self.bind(network);
        for side in Colour::ALL {
            self.compute(network, position, side);
        }
        let sums = &self.sums[self.top];
        debug_assert_eq!(
            *sums,
            Colour::ALL.map(|side| network.accumulate(position, side)),
            "accumulators out of step with {position}"
        );
        let us = position.side_to_move();
        let (own, other) = (&sums[us.index()], &sums[(!us).index()]);
        network.centipawns(network.output(own, other, position.occupied().len()))
    }

    /// Forgets the sums of another network.
    #[inline]
    fn bind(&mut self, network: &Network) {
        if self.checksum != Some(network.checksum()) {
            self.checksum = Some(network.checksum());
            let bias = &network.weights().transformer_bias;
            self.cache.clear();
            self.cache.resize(2 * 2 * KING_BUCKETS, Cached::empty(bias));
            self.plies.iter_mut().for_each(|ply| ply.computed = [false; 2]);
        }
    }

    /// Brings the sums of one side up to date.
    #[inline]
    fn compute(&mut self, network: &Network, position: &Position, side: Colour) {
        let side_index = side.index();
        let view = self.plies[self.top].views[side_index];
        let mut known = self.top;
        while !self.plies[known].computed[side_index] {
            if known == 0 || self.plies[known - 1].views[side_index] != view {
                return self.refresh(network, position, side, view);
            }
            known -= 1;
        }
        let rows = &network.weights().transformer;
        for index in known..self.top {
            let Some([before, after]) = self.sums.get_mut(index..index + 2) else { return };
            let ply = &mut self.plies[index + 1];
            let feature = |(piece, square)| view.feature(piece, square);
            let added = ply.change.added.map(feature);
            let removed = ply.change.removed.map(feature);
            kernels::update(
                network.backend(),
                rows,
                Some(&before[side_index]),
                &mut after[side_index],
                added.as_slice(),
                removed.as_slice(),
            );
            ply.computed[side_index] = true;
        }
    }

    /// Rebuilds the sums of one side from those that were last seen with the same view.
    fn refresh(&mut self, network: &Network, position: &Position, side: Colour, view: View) {
        let slot = (side.index() * 2 + usize::from(view.is_mirrored())) * KING_BUCKETS
            + view.king_bucket();
        let cached = &mut self.cache[slot];
        let mut added = Few::<u16, MAX_ACTIVE>::new(0);
        let mut removed = Few::<u16, MAX_ACTIVE>::new(0);
        for (&piece, had) in Piece::ALL.iter().zip(&mut cached.men) {
            let has = position.pieces(piece.colour(), piece.piece_type());
            if has == *had {
                continue;
            }
            for square in has & !*had {
                added.push(view.feature(piece, square));
            }
            for square in *had & !has {
                removed.push(view.feature(piece, square));
            }
            *had = has;
        }
        let rows = &network.weights().transformer;
        let backend = network.backend();
        kernels::update(
            backend,
            rows,
            None,
            &mut cached.sums,
            added.as_slice(),
            removed.as_slice(),
        );
        self.sums[self.top][side.index()] = cached.sums;
        self.plies[self.top].computed[side.index()] = true;
    }
}
