//! Staged move picking: moves are generated and scored only as far as they are needed.

use crate::history::{Continuations, Histories};
use crate::parameters::{
    ESCAPE_BONUS, capture_victim_weight, check_bonus, good_capture_history_divisor, see_value,
};
use crate::see::see_at_least;
use kaiyo_chess::attacks::{bishop_attacks, knight_attacks, pawn_attacks_from_set, rook_attacks};
use kaiyo_chess::{Bitboard, MAX_MOVES, Move, MoveFlag, MoveSink, PieceType, Position, Square};
use std::mem::MaybeUninit;

/// Where the picker is. Stages follow each other in this order, those of quiet moves in place of those of quiet
/// checks or the other way round.
#[derive(Clone, Copy)]
enum Stage {
    HashMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuietChecks,
    QuietChecks,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Bits of a [`ScoredMoves`] key below the score, which tell the place in the list.
const PLACE_BITS: u32 = MAX_MOVES.next_power_of_two().trailing_zeros();
/// Scores beyond this do not fit into a key.
const SCORE_LIMIT: i32 = (1 << (31 - PLACE_BITS)) - 1;

/// Moves with scores; also the sink of the generator.
///
/// A score and the distance of its place from the end of the list share a number, so that the
/// best move is the greatest number, the first one among equals, and its place is known:
/// a maximum without branches, of many numbers at a time.
struct ScoredMoves {
    keys: [MaybeUninit<i32>; MAX_MOVES],
    moves: [MaybeUninit<Move>; MAX_MOVES],
    len: usize,
}

impl ScoredMoves {
    #[inline(always)]
    const fn new() -> Self {
        // Without `const`, the arrays would be filled with zeros in every node.
        let keys = [const { MaybeUninit::uninit() }; MAX_MOVES];
        let moves = [const { MaybeUninit::uninit() }; MAX_MOVES];
        Self { keys, moves, len: 0 }
    }

    #[inline(always)]
    fn moves(&mut self) -> &mut [Move] {
        // SAFETY: the first `len` elements were written by `push`.
        unsafe { std::slice::from_raw_parts_mut(self.moves.as_mut_ptr().cast(), self.len) }
    }

    #[inline(always)]
    fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.keys[self.len].write(0);
        self.len += 1;
    }

    /// Scores the moves from this place on.
    #[inline(always)]
    fn score_from(&mut self, start: usize, mut score: impl FnMut(Move) -> i32) {
        // SAFETY: the first `len` elements were written by `push`.
        let moves: &[Move] =
            unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) };
        for (place, (key, &mv)) in self.keys.iter_mut().zip(moves).enumerate().skip(start) {
            let score = score(mv);
            debug_assert!(score.abs() <= SCORE_LIMIT);
            key.write(Self::key(score, place));
        }
    }

    #[inline(always)]
    const fn key(score: i32, place: usize) -> i32 {
        score << PLACE_BITS | (MAX_MOVES - 1 - place) as i32
    }

    /// Brings the best move from this place on to this place, and returns it with its score.
    #[inline(always)]
    fn select_best(&mut self, place: usize) -> (Move, i32) {
        // SAFETY: the first `len` elements were written by `push`.
        let keys: &mut [i32] =
            unsafe { std::slice::from_raw_parts_mut(self.keys.as_mut_ptr().cast(), self.len) };
        let highest = keys[place..].iter().copied().fold(i32::MIN, i32::max);
        let best = MAX_MOVES - 1 - (highest & ((1 << PLACE_BITS) - 1)) as usize;
        keys[best] = Self::key(keys[place] >> PLACE_BITS, best);
        let moves = self.moves();
        moves.swap(place, best);
        (moves[place], highest >> PLACE_BITS)
    }
}

impl MoveSink for ScoredMoves {
    #[inline(always)]
    fn targets(&mut self, from: Square, targets: Bitboard, flag: MoveFlag) {
        for to in targets {
            self.push(Move::new(from, to, flag));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8, flag: MoveFlag) {
        for to in targets {
            let from = Square::from_low_bits((to as u8).wrapping_add_signed(-step));
            self.push(Move::new(from, to, flag));
        }
    }
}

/// Hands out the legal moves of a position, likely best first, each once.
pub(crate) struct MovePicker {
    stage: Stage,
    hash_move: Option<Move>,
    earlier: Continuations,
    moves: ScoredMoves,
    next: usize,
    /// Bad captures are moved to the front of the list as they are passed over.
    bad_noisy_len: usize,
    bad_noisy_next: usize,
    /// Centipawns a good capture must win; `None` judges each by its history.
    noisy_threshold: Option<i32>,
    with_quiet: bool,
    with_quiet_checks: bool,
}

impl MovePicker {
    /// All legal moves. `hash_move` must be legal.
    pub fn all(hash_move: Option<Move>, earlier: Continuations) -> Self {
        Self {
            stage: if hash_move.is_some() { Stage::HashMove } else { Stage::GenerateNoisy },
            hash_move,
            earlier,
            moves: ScoredMoves::new(),
            next: 0,
            bad_noisy_len: 0,
            bad_noisy_next: 0,
            noisy_threshold: None,
            with_quiet: true,
            with_quiet_checks: false,
        }
    }

    /// Captures and queen promotions that win at least `threshold` centipawns in exchanges.
    pub fn noisy(hash_move: Option<Move>, threshold: i32) -> Self {
        Self {
            noisy_threshold: Some(threshold),
            with_quiet: false,
            ..Self::all(hash_move, NO_CONTINUATIONS)
        }
    }

    /// Captures and queen promotions that lose nothing in exchanges, then perhaps the quiet moves
    /// that give check and lose nothing.
    pub fn forcing(hash_move: Option<Move>, with_quiet_checks: bool) -> Self {
        Self { with_quiet_checks, ..Self::noisy(hash_move, 0) }
    }

    /// Leaves out the captures not handed out yet.
    #[inline(always)]
    pub const fn skip_noisy(&mut self) {
        if matches!(self.stage, Stage::GoodNoisy) {
            self.stage = self.after_good_noisy();
        }
    }

    /// Leaves out the quiet moves not handed out yet.
    #[inline(always)]
    pub const fn skip_quiet(&mut self) {
        self.with_quiet = false;
    }

    /// The next move, or `None` when all have been handed out.
    #[inline]
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.hash_move {
                        return Some(mv);
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(mv) = self.next_good_noisy(position) {
                        return Some(mv);
                    }
                    self.stage = self.after_good_noisy();
                }
                Stage::GenerateQuietChecks => {
                    self.generate_quiet_checks(position);
                    self.stage = Stage::QuietChecks;
                }
                Stage::QuietChecks => {
                    if let Some(mv) = self.next_quiet_check(position) {
                        return Some(mv);
                    }
                    self.stage = self.after_quiet();
                }
                Stage::GenerateQuiet => {
                    self.generate_quiet(position, histories);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if self.with_quiet
                        && let Some(mv) = self.next_quiet()
                    {
                        return Some(mv);
                    }
                    self.stage = self.after_quiet();
                }
                Stage::BadNoisy => {
                    if self.bad_noisy_next < self.bad_noisy_len {
                        self.bad_noisy_next += 1;
                        return Some(self.moves.moves()[self.bad_noisy_next - 1]);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    const fn after_good_noisy(&self) -> Stage {
        if self.with_quiet {
            Stage::GenerateQuiet
        } else if self.with_quiet_checks {
            Stage::GenerateQuietChecks
        } else {
            self.after_quiet()
        }
    }

    /// Bad captures are wanted only where no threshold rules them out.
    const fn after_quiet(&self) -> Stage {
        if self.noisy_threshold.is_some() { Stage::Done } else { Stage::BadNoisy }
    }

    fn next_good_noisy(&mut self, position: &Position) -> Option<Move> {
        while self.next < self.moves.len {
            let (mv, score) = self.moves.select_best(self.next);
            self.next += 1;
            if Some(mv) == self.hash_move {
                continue;
            }
            let threshold = self
                .noisy_threshold
                .unwrap_or(-score / (good_capture_history_divisor() * capture_victim_weight()));
            let minor_promotion = mv.promotion().is_some_and(|piece| piece != PieceType::Queen);
            if !minor_promotion && see_at_least(position, mv, threshold) {
                return Some(mv);
            }
            let slot = self.bad_noisy_len;
            self.moves.moves()[slot] = mv;
            self.bad_noisy_len += 1;
        }
        None
    }

    fn next_quiet_check(&mut self, position: &Position) -> Option<Move> {
        while self.next < self.moves.len {
            let mv = self.moves.moves()[self.next];
            self.next += 1;
            if Some(mv) != self.hash_move && see_at_least(position, mv, 0) {
                return Some(mv);
            }
        }
        None
    }

    fn next_quiet(&mut self) -> Option<Move> {
        while self.next < self.moves.len {
            let (mv, _) = self.moves.select_best(self.next);
            self.next += 1;
            if Some(mv) != self.hash_move {
                return Some(mv);
            }
        }
        None
    }

    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, histories: &Histories) {
        position.generate_noisy(&mut self.moves);
        self.moves.score_from(0, |mv| {
            let victim = position.captured(mv).map_or(0, |piece| see_value(piece.piece_type()));
            let promoted = match mv.promotion() {
                Some(PieceType::Queen) => see_value(PieceType::Queen),
                _ => 0,
            };
            capture_victim_weight() * (victim + promoted) + histories.capture_score(position, mv)
        });
    }

    #[inline(never)]
    fn generate_quiet_checks(&mut self, position: &Position) {
        self.moves.len = 0;
        self.next = 0;
        position.generate_quiet_checks(&mut self.moves);
    }

    #[inline(never)]
    fn generate_quiet(&mut self, position: &Position, histories: &Histories) {
        self.moves.len = self.bad_noisy_len;
        self.next = self.bad_noisy_len;
        position.generate_quiet(&mut self.moves);
        let context = QuietContext::new(position);
        let scores = histories.quiet_scores(position, &self.earlier);
        self.moves.score_from(self.next, |mv| scores.of(mv) + context.bonus(position, mv));
    }
}

/// No earlier moves.
pub(crate) const NO_CONTINUATIONS: Continuations = [crate::history::PieceTo::NONE; 4];

/// What the board alone says about quiet moves.
struct QuietContext {
    /// Squares from which each type of man would check the enemy king.
    check_squares: [Bitboard; 6],
    /// Squares where each type of man is attacked by a lesser one.
    unsafe_squares: [Bitboard; 6],
}

impl QuietContext {
    fn new(position: &Position) -> Self {
        let us = position.side_to_move();
        let occupied = position.occupied();
        let check_squares = position.check_squares();
        let by_pawn = pawn_attacks_from_set(!us, position.pieces(!us, PieceType::Pawn));
        let mut by_minor = by_pawn;
        for knight in position.pieces(!us, PieceType::Knight) {
            by_minor |= knight_attacks(knight);
        }
        for bishop in position.pieces(!us, PieceType::Bishop) {
            by_minor |= bishop_attacks(bishop, occupied);
        }
        let mut by_rook = by_minor;
        for rook in position.pieces(!us, PieceType::Rook) {
            by_rook |= rook_attacks(rook, occupied);
        }
        let none = Bitboard::EMPTY;
        Self { check_squares, unsafe_squares: [none, by_pawn, by_pawn, by_minor, by_rook, none] }
    }

    #[inline(always)]
    fn bonus(&self, position: &Position, mv: Move) -> i32 {
        let Some(piece) = position.piece_on(mv.from()) else { return 0 };
        let piece_type = piece.piece_type().index();
        let danger = self.unsafe_squares[piece_type];
        let mut bonus = 0;
        if danger.contains(mv.from()) {
            bonus += ESCAPE_BONUS[piece_type];
        }
        if danger.contains(mv.to()) {
            bonus -= ESCAPE_BONUS[piece_type];
        } else if self.check_squares[piece_type].contains(mv.to())
            && see_at_least(position, mv, -see_value(PieceType::Pawn))
        {
            bonus += check_bonus();
        }
        bonus
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::PieceTo;
    use kaiyo_chess::Random;

    fn drain(mut picker: MovePicker, position: &Position, histories: &Histories) -> Vec<Move> {
        std::iter::from_fn(|| picker.next(position, histories)).collect()
    }

    /// Calls `check` with positions of random games.
    fn for_random_positions(mut check: impl FnMut(&Position, &mut Random)) {
        let mut random = Random::new(0x5eed_1234_5678_9abc);
        for _ in 0..40 {
            let mut position = Position::start();
            for _ in 0..100 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                check(&position, &mut random);
                position = position.make(random.choose(&moves));
            }
        }
    }

    #[test]
    fn every_legal_move_comes_once() {
        let mut histories = Histories::new();
        for_random_positions(|position, random| {
            let moves = position.legal_moves();
            let hash_move = random.bits().is_multiple_of(2).then(|| random.choose(&moves));
            let picker = MovePicker::all(hash_move, NO_CONTINUATIONS);
            let picked = drain(picker, position, &histories);
            assert!(hash_move.is_none() || picked[0] == hash_move.unwrap());
            let codes = |moves: &[Move]| {
                let mut codes: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
                codes.sort_unstable();
                codes
            };
            assert_eq!(codes(&picked), codes(&moves), "{position}");
            let mv = random.choose(&moves);
            histories.update_quiet(position, mv, &NO_CONTINUATIONS, 500);
        });
    }

    #[test]
    fn noisy_picking_keeps_to_the_threshold() {
        let histories = Histories::new();
        for_random_positions(|position, _| {
            for threshold in [-200, 0, 150] {
                let picked = drain(MovePicker::noisy(None, threshold), position, &histories);
                for mv in &picked {
                    assert!(mv.is_noisy() && see_at_least(position, *mv, threshold));
                }
                let wanted = position
                    .legal_moves()
                    .iter()
                    .filter(|mv| mv.is_noisy() && see_at_least(position, **mv, threshold))
                    .filter(|mv| mv.promotion().is_none_or(|piece| piece == PieceType::Queen))
                    .count();
                assert_eq!(picked.len(), wanted, "{position}");
            }
        });
    }

    #[test]
    fn forcing_picking_adds_the_checks_that_lose_nothing() {
        let histories = Histories::new();
        for_random_positions(|position, random| {
            let wanted = |mv: &Move| {
                let forces = mv.is_noisy() || position.gives_check(*mv);
                let promotes = mv.promotion().is_some_and(|piece| piece != PieceType::Queen);
                forces && !promotes && see_at_least(position, *mv, 0)
            };
            let moves = position.legal_moves();
            let wanted: Vec<Move> = moves.iter().copied().filter(wanted).collect();
            let hash_move =
                (!wanted.is_empty()).then(|| random.choose(&wanted)).filter(|mv| mv.is_noisy());
            let picked = drain(MovePicker::forcing(hash_move, true), position, &histories);
            assert_eq!(picked.len(), wanted.len(), "{position}");
            assert!(picked.iter().all(|mv| wanted.contains(mv)), "{position}");
            assert!(picked.is_sorted_by_key(|mv| !mv.is_noisy()), "{position}");
            let mut picker = MovePicker::forcing(None, true);
            if picker.next(position, &histories).is_some_and(|mv| mv.is_noisy()) {
                picker.skip_noisy();
                let rest = drain(picker, position, &histories);
                let checks = wanted.iter().filter(|mv| !mv.is_noisy()).count();
                assert_eq!(rest.len(), checks, "{position}");
            }
        });
    }

    #[test]
    fn skipping_quiet_moves_leaves_the_bad_captures() {
        let histories = Histories::new();
        let position = Position::from_fen("4k3/8/2p1p3/3p4/8/8/8/K2Q4 w - - 0 1").unwrap();
        let mut picker = MovePicker::all(None, NO_CONTINUATIONS);
        picker.skip_quiet();
        let picked = drain(picker, &position, &histories);
        assert_eq!(picked.len(), 1, "only the losing capture of the pawn");
        assert!(picked[0].is_capture());
    }

    #[test]
    fn moves_that_fared_well_come_first() {
        let mut histories = Histories::new();
        let position = Position::start();
        let favourite = position.parse_uci_move("b1a3").unwrap();
        histories.update_quiet(&position, favourite, &[PieceTo::NONE; 4], 1_000);
        let picker = MovePicker::all(None, NO_CONTINUATIONS);
        assert_eq!(drain(picker, &position, &histories)[0], favourite);
    }
}
