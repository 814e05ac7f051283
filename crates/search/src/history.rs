//! Statistics of how moves fared in earlier nodes, which order and reduce moves
//! (<https://www.chessprogramming.org/History_Heuristic>).

use crate::correction::Corrections;
use crate::depth::Depth;
use crate::parameters::*;
use kaiyo_chess::{Colour, Move, Piece, PieceType, Position, Square};
use kaiyo_memory::{HugeBox, Zeroable};

/// No statistic exceeds this.
const HISTORY_MAX: i32 = 16_384;
/// Pawn structures told apart; a power of two, so that keys are cut by a mask.
const PAWN_STRUCTURES: usize = 512;

/// A man and the square it moved to: the index of a continuation table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// Stands for a null move or for no move at all.
    pub const NONE: Self = Self(12 * 64);
    /// Men and squares, [`Self::NONE`] not counted.
    pub const COUNT: usize = 12 * 64;

    #[inline(always)]
    pub fn new(piece: Piece, to: Square) -> Self {
        Self((piece.index() * 64 + to.index()) as u16)
    }

    /// A number up to and including [`Self::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The man that `mv` moves in `position`, and where it goes.
    #[inline(always)]
    pub fn of_move(position: &Position, mv: Move) -> Self {
        position.piece_on(mv.from()).map_or(Self::NONE, |piece| Self::new(piece, mv.to()))
    }
}

/// Moves a number by `bonus`, less the further it is from zero already: this "gravity" keeps it within
/// `limit` and lets it forget.
#[inline(always)]
pub(crate) fn learn(number: &mut i16, bonus: i32, limit: i32) {
    let value = i32::from(*number);
    *number = (value + bonus - value * bonus.abs() / limit) as i16;
}

/// One statistic.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
struct Statistic(i16);

impl Statistic {
    #[inline(always)]
    const fn get(self) -> i32 {
        self.0 as i32
    }

    #[inline(always)]
    fn update(&mut self, bonus: i32) {
        learn(&mut self.0, bonus, HISTORY_MAX);
    }
}

/// The histories of one search thread.
pub(crate) struct Histories {
    /// By colour, whether the from- and to-squares are attacked, from and to.
    quiet: [[[[Statistic; 64]; 64]; 4]; 2],
    /// By man, to-square and captured type.
    capture: [[[Statistic; 6]; 64]; 12],
    /// By the pawn structure, then man and to-square.
    pawn: [[Statistic; PieceTo::COUNT]; PAWN_STRUCTURES],
    /// By an earlier man and its to-square, then man and to-square.
    continuation: [[Statistic; PieceTo::COUNT]; PieceTo::COUNT + 1],
    /// How the static evaluation erred.
    pub corrections: Corrections,
}

/// A quiet move that has been made, by what the histories know it by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietMade {
    mv: Move,
    colour: Colour,
    threats: usize,
    moved: PieceTo,
}

impl QuietMade {
    /// The quiet move `mv` made in `position`; none if it is noisy.
    #[inline(always)]
    pub fn new(position: &Position, mv: Move) -> Option<Self> {
        (!mv.is_noisy()).then(|| Self {
            mv,
            colour: position.side_to_move(),
            threats: threat_index(position, mv),
            moved: PieceTo::of_move(position, mv),
        })
    }
}

/// The earlier moves of a line that a move is judged by: one, two, four and six plies back.
pub(crate) type Continuations = [PieceTo; 4];

// SAFETY: arrays of integers.
unsafe impl Zeroable for Histories {}

impl Histories {
    /// Histories that know nothing, or `None` if there is no memory for them.
    pub fn try_new() -> Option<HugeBox<Self>> {
        HugeBox::try_zeroed()
    }

    /// The same where tests want them.
    #[cfg(test)]
    pub fn new() -> HugeBox<Self> {
        HugeBox::zeroed()
    }

    #[inline(always)]
    fn quiet_entry(&mut self, position: &Position, mv: Move) -> &mut Statistic {
        &mut self.quiet[position.side_to_move().index()][threat_index(position, mv)]
            [mv.from().index()][mv.to().index()]
    }

    /// How a quiet move fared, over all tables.
    #[inline]
    pub fn quiet_score(&self, position: &Position, mv: Move, earlier: &Continuations) -> i32 {
        self.quiet_scores(position, earlier).of(mv)
    }

    /// How the quiet moves of a position fared, over all tables.
    #[inline(always)]
    pub fn quiet_scores<'a>(
        &'a self,
        position: &'a Position,
        earlier: &Continuations,
    ) -> QuietScores<'a> {
        QuietScores {
            position,
            butterfly: &self.quiet[position.side_to_move().index()],
            pawn: &self.pawn[pawn_index(position)],
            continuations: earlier.map(|before| &self.continuation[before.0 as usize]),
        }
    }

    /// How a capture fared.
    #[inline]
    pub fn capture_score(&self, position: &Position, mv: Move) -> i32 {
        match capture_index(position, mv) {
            Some((piece, to, captured)) => self.capture[piece][to][captured].get(),
            None => 0,
        }
    }

    pub fn update_quiet(
        &mut self,
        position: &Position,
        mv: Move,
        earlier: &Continuations,
        bonus: i32,
    ) {
        self.quiet_entry(position, mv).update(bonus);
        let now = PieceTo::of_move(position, mv);
        if now != PieceTo::NONE {
            self.pawn[pawn_index(position)][now.0 as usize].update(bonus);
            self.update_continuations(now, earlier, bonus);
        }
    }

    /// Learns how a quiet move fared that led to the position now searched.
    pub fn update_made(&mut self, made: QuietMade, earlier: &Continuations, bonus: i32) {
        self.update_made_by_itself(made, bonus);
        self.update_continuations(made.moved, earlier, bonus);
    }

    /// Learns how a quiet move fared, whatever came before it.
    #[inline]
    pub fn update_made_by_itself(&mut self, made: QuietMade, bonus: i32) {
        let QuietMade { mv, colour, threats, .. } = made;
        self.quiet[colour.index()][threats][mv.from().index()][mv.to().index()].update(bonus);
    }

    /// Learns how a quiet move fared after the earlier moves, and nothing more general.
    pub fn update_continuations(&mut self, now: PieceTo, earlier: &Continuations, bonus: i32) {
        if now == PieceTo::NONE {
            return;
        }
        for &before in earlier {
            if before != PieceTo::NONE {
                self.continuation[before.0 as usize][now.0 as usize].update(bonus);
            }
        }
    }

    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let Some((piece, to, captured)) = capture_index(position, mv) {
            self.capture[piece][to][captured].update(bonus);
        }
    }
}

/// The parts of the histories that judge the quiet moves of a position.
pub(crate) struct QuietScores<'a> {
    position: &'a Position,
    butterfly: &'a [[[Statistic; 64]; 64]; 4],
    pawn: &'a [Statistic; PieceTo::COUNT],
    continuations: [&'a [Statistic; PieceTo::COUNT]; 4],
}

impl QuietScores<'_> {
    /// How a quiet move fared, over all tables.
    #[inline(always)]
    pub fn of(&self, mv: Move) -> i32 {
        let context = &self.butterfly[threat_index(self.position, mv)];
        let butterfly = context[mv.from().index()][mv.to().index()].get();
        let now = PieceTo::of_move(self.position, mv).0 as usize;
        let tables = self.continuations.iter().chain(std::iter::once(&self.pawn));
        let by_destination = tables.filter_map(|table| table.get(now));
        butterfly + by_destination.map(|statistic| statistic.get()).sum::<i32>()
    }
}

/// What a cutoff at this depth is worth.
#[inline]
pub(crate) fn bonus(depth: Depth) -> i32 {
    (history_bonus_per_depth() * depth.plies() - history_bonus_offset())
        .clamp(0, history_bonus_max())
}

/// What being tried before a cutoff at this depth costs.
#[inline]
pub(crate) fn malus(depth: Depth) -> i32 {
    (history_malus_per_depth() * depth.plies() - history_malus_offset())
        .clamp(0, history_malus_max())
}

/// A quiet move out of or into an attack is another move than one that is not.
#[inline(always)]
fn threat_index(position: &Position, mv: Move) -> usize {
    let threats = position.threats();
    usize::from(threats.contains(mv.from())) * 2 + usize::from(threats.contains(mv.to()))
}

#[inline(always)]
const fn pawn_index(position: &Position) -> usize {
    position.keys().pawn as usize & (PAWN_STRUCTURES - 1)
}

/// Man, to-square and captured type; queen promotions count as captures of a pawn.
#[inline(always)]
fn capture_index(position: &Position, mv: Move) -> Option<(usize, usize, usize)> {
    let piece = position.piece_on(mv.from())?;
    let captured = position.captured(mv).map_or(PieceType::Pawn, |piece| piece.piece_type());
    Some((piece.index(), mv.to().index(), captured.index()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(position: &Position, name: &str) -> Move {
        *position
            .legal_moves()
            .iter()
            .find(|mv| format!("{}{}", mv.from(), mv.to()) == name)
            .unwrap()
    }

    #[test]
    fn statistics_stay_bounded_and_forget() {
        let mut statistic = Statistic::default();
        for _ in 0..10_000 {
            statistic.update(history_bonus_max());
        }
        let high = statistic.get();
        assert!(high > HISTORY_MAX * 9 / 10 && high <= HISTORY_MAX);
        for _ in 0..10_000 {
            statistic.update(-history_bonus_max());
        }
        assert!(statistic.get() < -HISTORY_MAX * 9 / 10 && statistic.get() >= -HISTORY_MAX);
    }

    #[test]
    fn quiet_moves_are_remembered_by_context() {
        let mut histories = Histories::new();
        let position = Position::start();
        let mv = find(&position, "g1f3");
        let before = PieceTo::new(Piece::new(Colour::Black, PieceType::Knight), Square::C6);
        let earlier = [before, PieceTo::NONE, PieceTo::NONE, PieceTo::NONE];
        histories.update_quiet(&position, mv, &earlier, 1_000);
        assert_eq!(histories.quiet_score(&position, mv, &earlier), 3_000);
        assert_eq!(histories.quiet_score(&position, mv, &[PieceTo::NONE; 4]), 2_000);
        let other_pawns =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(histories.quiet_score(&other_pawns.unwrap(), mv, &earlier), 2_000);
        assert_eq!(histories.quiet_score(&position, find(&position, "b1c3"), &earlier), 0);
        histories.clear();
        assert_eq!(histories.quiet_score(&position, mv, &earlier), 0);
    }

    #[test]
    fn quiet_moves_can_be_judged_after_they_are_made() {
        let position = Position::start();
        let mv = find(&position, "g1f3");
        let before = PieceTo::new(Piece::new(Colour::Black, PieceType::Knight), Square::C6);
        let earlier = [before, PieceTo::NONE, PieceTo::NONE, PieceTo::NONE];
        let made = QuietMade::new(&position, mv).unwrap();
        let mut histories = Histories::new();
        histories.update_made(made, &earlier, 1_000);
        // By itself and after the earlier move.
        assert_eq!(histories.quiet_score(&position, mv, &earlier), 2_000);
        histories.update_made_by_itself(made, -300);
        let alone = histories.quiet_score(&position, mv, &[PieceTo::NONE; 4]);
        assert!((600..700).contains(&alone), "{alone}");
        let capture = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        assert!(QuietMade::new(&capture, find(&capture, "e4d5")).is_none());
    }

    #[test]
    fn bonuses_grow_with_depth_up_to_a_limit() {
        assert!(bonus(Depth::new(2)) < bonus(Depth::new(5)));
        assert_eq!(bonus(Depth::new(100)), history_bonus_max());
        assert_eq!(bonus(Depth::new(0)), 0);
    }
}
