//! Random games and slow but obvious attack sets.

#![allow(dead_code, reason = "each test binary uses its share")]

use kaiyo_chess::{Bitboard, Colour, File, Move, PieceType, Position, Random, Rank, Square};

pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// One of the moves, if there is one.
pub fn pick(random: &mut Random, moves: &[Move]) -> Option<Move> {
    (!moves.is_empty()).then(|| random.choose(moves))
}

/// Standard chess, Chess960 and double Fischer random starts in turn.
pub fn start(random: &mut Random, game: usize) -> Position {
    let (white, black) = (random.below(960) as u16, random.below(960) as u16);
    match game % 3 {
        0 => Position::start(),
        1 => Position::chess960(white).unwrap(),
        _ => Position::double_chess960(white, black).unwrap(),
    }
}

/// Calls `visit` with the positions of random games until `count` have been seen.
pub fn playouts(seed: u64, count: usize, mut visit: impl FnMut(&Position)) {
    const LONGEST_GAME: usize = 200;
    let mut random = Random::new(seed);
    let mut seen = 0;
    for game in 0.. {
        let mut position = start(&mut random, game);
        for _ in 0..LONGEST_GAME {
            if seen == count {
                return;
            }
            seen += 1;
            visit(&position);
            match pick(&mut random, &position.legal_moves()) {
                Some(mv) => position = position.make(mv),
                None => break,
            }
        }
    }
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Squares the man on `from` attacks, found by walking over the board.
pub fn walked_attacks(position: &Position, from: Square, occupied: Bitboard) -> Bitboard {
    let Some(piece) = position.piece_on(from) else { return Bitboard::EMPTY };
    let all = [STRAIGHT, DIAGONAL].concat();
    let forward = if piece.colour() == Colour::White { 1 } else { -1 };
    let (steps, slides) = match piece.piece_type() {
        PieceType::Pawn => (vec![(-1, forward), (1, forward)], false),
        PieceType::Knight => (KNIGHT.to_vec(), false),
        PieceType::Bishop => (DIAGONAL.to_vec(), true),
        PieceType::Rook => (STRAIGHT.to_vec(), true),
        PieceType::Queen => (all, true),
        PieceType::King => (all, false),
    };
    let mut attacks = Bitboard::EMPTY;
    for (file_step, rank_step) in steps {
        let (mut file, mut rank) = (from.file() as i32, from.rank() as i32);
        loop {
            file += file_step;
            rank += rank_step;
            let (Some(to_file), Some(to_rank)) =
                (File::from_index(file as usize), Rank::from_index(rank as usize))
            else {
                break;
            };
            let to = Square::new(to_file, to_rank);
            attacks |= Bitboard::from(to);
            if !slides || occupied.contains(to) {
                break;
            }
        }
    }
    attacks
}
