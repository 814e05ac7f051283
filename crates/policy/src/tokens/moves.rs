//! Moves as tokens; see the table in the parent module.

use kaiyo_chess::{Colour, Move, PieceType, Position, Rank, Square};

/// Number of tokens.
pub const VOCABULARY: usize = 72 * 64;

const KNIGHT_PLANE: usize = 56;
const PROMOTION_PLANE: usize = 64;
const ROOK_PROMOTION_PLANE: usize = 70;

/// (file, rank) steps by direction of planes 0 to 55.
const DIRECTIONS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// (file, rank) steps of planes 56 to 63.
const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A token of the vocabulary: an index below [`VOCABULARY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(u16);

impl Token {
    /// The token with this index, or `None` when it is out of range.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < VOCABULARY { Some(Self(index as u16)) } else { None }
    }

    /// Its index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// A cell of the table. Callers keep to its 72 planes.
    pub(super) const fn cell(plane: usize, square: usize) -> Self {
        assert!(plane < 72 && square < 64);
        Self((plane * 64 + square) as u16)
    }

    /// The token of a move of `mover`, or `None` for what is no move of any man.
    pub fn of_move(mover: Colour, mv: Move) -> Option<Self> {
        let seen = |square: Square| match mover {
            Colour::White => square,
            Colour::Black => square.flip_rank(),
        };
        let (from, to) = (seen(mv.from()), seen(mv.to()));
        let files = to.file().index() as i8 - from.file().index() as i8;
        let ranks = to.rank().index() as i8 - from.rank().index() as i8;
        match mv.promotion() {
            None | Some(PieceType::Queen) => {
                let plane = plain_plane(files, ranks)?;
                Some(Self::cell(plane, from.index()))
            }
            Some(piece_type) => under_promotion(piece_type, from, files, ranks),
        }
    }

    /// The legal move of this token.
    pub fn find_move(self, position: &Position) -> Option<Move> {
        let mover = position.side_to_move();
        let is_own = |mv: &Move| Self::of_move(mover, *mv) == Some(self);
        position.legal_moves().iter().copied().find(is_own)
    }
}

fn plain_plane(files: i8, ranks: i8) -> Option<usize> {
    if let Some(step) = KNIGHT_STEPS.iter().position(|&step| step == (files, ranks)) {
        return Some(KNIGHT_PLANE + step);
    }
    let distance = files.unsigned_abs().max(ranks.unsigned_abs());
    let direction = DIRECTIONS.iter().position(|&(file, rank)| {
        let distance = distance as i8;
        (file * distance, rank * distance) == (files, ranks)
    })?;
    Some(7 * direction + usize::from(distance).checked_sub(1)?)
}

fn under_promotion(piece_type: PieceType, from: Square, files: i8, ranks: i8) -> Option<Token> {
    if from.rank() != Rank::R7 || ranks != 1 || files.abs() > 1 {
        return None;
    }
    let side = (files + 1) as usize;
    let (plane, square) = match piece_type {
        PieceType::Knight => (PROMOTION_PLANE + side, from.index()),
        PieceType::Bishop => (PROMOTION_PLANE + 3 + side, from.index()),
        _ if files == 0 => (ROOK_PROMOTION_PLANE, from.file().index()),
        _ => (ROOK_PROMOTION_PLANE + side / 2, from.index()),
    };
    Some(Token::cell(plane, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiyo_chess::Random;
    use std::collections::HashSet;

    fn token(fen: &str, uci: &str) -> usize {
        let position = Position::from_fen(fen).expect(fen);
        let mv = position.parse_uci_move(uci).expect(uci);
        Token::of_move(position.side_to_move(), mv).expect(uci).index()
    }

    /// Every legal move has a token of its own, which leads back to it.
    fn check_all_moves(position: &Position) -> usize {
        let moves = position.legal_moves();
        let mover = position.side_to_move();
        let mut seen = HashSet::new();
        for &mv in &moves {
            let token = Token::of_move(mover, mv)
                .unwrap_or_else(|| panic!("no token for {mv:?} in {position}"));
            assert!(seen.insert(token), "{mv:?} shares its token in {position}");
            assert!(!crate::tokens::Conditions::is_control(token), "{mv:?} in {position}");
        }
        // One of them all the way back, since looking a move up costs a pass over all.
        if let Some(&mv) = moves.last() {
            let token = Token::of_move(mover, mv).expect("seen above");
            assert_eq!(token.find_move(position), Some(mv));
        }
        moves.len()
    }

    fn random_games(positions: usize, seed: u64, start: impl Fn(&mut Random) -> Position) {
        let mut random = Random::new(seed);
        let (mut seen, mut under_promotions, mut castlings) = (0, 0, 0);
        while seen < positions {
            let mut position = start(&mut random);
            for _ in 0..200 {
                check_all_moves(&position);
                seen += 1;
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Castling is rare among random moves.
                let castling = moves.iter().copied().find(|mv| mv.is_castling());
                let mv = castling.unwrap_or(moves[random.below(moves.len())]);
                under_promotions += usize::from(mv.promotion().is_some());
                castlings += usize::from(mv.is_castling());
                position = position.make(mv);
            }
        }
        assert!(under_promotions > 100 && castlings > 100, "{under_promotions} {castlings}");
    }

    #[test]
    fn legal_moves_of_standard_games_have_their_own_tokens() {
        random_games(50_000, 1, |_| Position::start());
    }

    #[test]
    fn legal_moves_of_chess960_games_have_their_own_tokens() {
        random_games(50_000, 2, |random| {
            let number = |random: &mut Random| random.below(960) as u16;
            let (white, black) = (number(random), number(random));
            Position::double_chess960(white, black).expect("numbers below 960")
        });
    }

    #[test]
    fn tokens_are_those_of_the_table() {
        let start = kaiyo_chess::START_FEN;
        assert_eq!(token(start, "e2e4"), 64 + 12);
        assert_eq!(token(start, "g1f3"), 63 * 64 + 6);
        assert_eq!(token(start, "b1c3"), 56 * 64 + 1);
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(token(castling, "e1g1"), (2 * 7 + 2) * 64 + 4);
        assert_eq!(token(castling, "e1c1"), (6 * 7 + 3) * 64 + 4);
        assert_eq!(token(castling, "e1f1"), (2 * 7) * 64 + 4);
        let promotion = "1n1n4/2P4k/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(token(promotion, "c7c8q"), 50);
        assert_eq!(token(promotion, "c7d8q"), 7 * 64 + 50);
        assert_eq!(token(promotion, "c7b8n"), 64 * 64 + 50);
        assert_eq!(token(promotion, "c7c8n"), 65 * 64 + 50);
        assert_eq!(token(promotion, "c7d8b"), 69 * 64 + 50);
        assert_eq!(token(promotion, "c7b8r"), 70 * 64 + 50);
        assert_eq!(token(promotion, "c7c8r"), 70 * 64 + 2);
        assert_eq!(token(promotion, "c7d8r"), 71 * 64 + 50);
    }

    #[test]
    fn black_sees_the_board_as_white_does() {
        let black = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        for (white_move, black_move) in [("e2e4", "e7e5"), ("g1f3", "g8f6"), ("a2a3", "a7a6")] {
            assert_eq!(token(kaiyo_chess::START_FEN, white_move), token(black, black_move));
        }
    }

    #[test]
    fn what_no_man_can_do_has_no_token() {
        use kaiyo_chess::MoveFlag;
        let of = |from, to, flag| Token::of_move(Colour::White, Move::new(from, to, flag));
        assert_eq!(of(Square::A1, Square::B4, MoveFlag::Quiet), None);
        assert_eq!(of(Square::A2, Square::A3, MoveFlag::PromoteRook), None);
        assert_eq!(of(Square::A7, Square::C8, MoveFlag::PromoteKnightCapture), None);
        assert_eq!(Token::from_index(VOCABULARY), None);
    }
}
