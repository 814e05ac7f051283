//! The legal moves of random positions against those of an independent library.

mod common;

use common::{pick, start};
use kaiyo_chess::{FenStyle, Move, PieceType, Position, Random};

const POSITIONS: usize = 100_000;
const LONGEST_GAME: usize = 160;

/// From-square, to-square and promotion in one number that both libraries can give.
fn ours(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, PieceType::index);
    mv.from() as u16 | (mv.to() as u16) << 6 | (promotion as u16) << 12
}

fn theirs(mv: cozy_chess::Move) -> u16 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u16);
    mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
}

fn oracle(position: &Position) -> cozy_chess::Board {
    cozy_chess::Board::from_fen(&position.to_fen(FenStyle::Shredder), true).unwrap()
}

#[test]
fn legal_moves_agree_with_cozy_chess() {
    let mut random = Random::new(0x006b_6169_796f);
    let mut checked = 0;
    let mut starts = (0..960).filter_map(Position::chess960);
    while checked < POSITIONS {
        let mut position = starts.next().unwrap_or_else(|| start(&mut random, checked));
        let mut board = oracle(&position);
        for _ in 0..LONGEST_GAME {
            let moves = position.legal_moves();
            let mut found: Vec<u16> = moves.iter().map(|&mv| ours(mv)).collect();
            let mut expected = Vec::with_capacity(found.len());
            board.generate_moves(|set| {
                expected.extend(set.into_iter().map(theirs));
                false
            });
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{position}");
            checked += 1;

            let Some(mv) = pick(&mut random, &moves) else { break };
            let code = ours(mv);
            let mut same = None;
            board.generate_moves(|set| {
                same = same.or_else(|| set.into_iter().find(|&other| theirs(other) == code));
                same.is_some()
            });
            board.play_unchecked(same.expect("the move sets are equal"));
            position = position.make(mv);
        }
    }
}

#[test]
fn all_960_starts_are_numbered_as_in_cozy_chess() {
    for number in 0..960 {
        let board = cozy_chess::Board::chess960_startpos(number.into());
        let position = Position::chess960(number).unwrap();
        assert_eq!(oracle(&position), board, "{number}");
    }
}
