//! Invariants of positions met in random games.

mod common;

use common::{KIWIPETE, playouts, walked_attacks};
use kaiyo_chess::{
    Bitboard, CastlingNotation, Colour, FenStyle, Move, MoveList, Piece, PieceType, Position,
    Random, Rank, Setup, SetupError, Square,
};

fn every_move_code() -> impl Iterator<Item = Move> {
    (0..=u16::MAX).filter_map(Move::from_bits)
}

fn sorted(moves: &[Move]) -> Vec<u16> {
    let mut codes: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
    codes.sort_unstable();
    codes
}

#[test]
fn exactly_48_of_all_move_codes_are_legal_in_kiwipete() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    assert_eq!(every_move_code().filter(|&mv| position.is_legal(mv)).count(), 48);
}

#[test]
fn lists_hold_the_moves_of_boards_full_of_queens() {
    let moves = |fen| Position::from_fen(fen).unwrap().legal_moves().len();
    assert_eq!(moves("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"), 218);
    assert_eq!(moves("QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"), 265);
}

#[test]
fn the_generated_moves_are_the_legal_ones() {
    playouts(1, 600, |position| {
        let legal: Vec<Move> = every_move_code().filter(|&mv| position.is_legal(mv)).collect();
        assert_eq!(sorted(&position.legal_moves()), sorted(&legal), "{position}");
        assert_eq!(position.count_legal_moves(), legal.len() as u64, "{position}");
    });
}

#[test]
fn noisy_and_quiet_moves_are_all_moves_once() {
    playouts(2, 20_000, |position| {
        let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
        position.generate_noisy(&mut noisy);
        position.generate_quiet(&mut quiet);
        assert!(noisy.iter().all(|mv| mv.is_noisy()), "{position}: {noisy:?}");
        assert!(!quiet.iter().any(|mv| mv.is_noisy()), "{position}: {quiet:?}");
        let both = sorted(&[&noisy[..], &quiet[..]].concat());
        assert!(both.windows(2).all(|pair| pair[0] < pair[1]), "{position}: {both:?}");
        assert_eq!(both, sorted(&position.legal_moves()), "{position}");
    });
}

#[test]
fn made_moves_keep_checks_and_keys() {
    playouts(3, 10_000, |position| {
        assert_eq!(*position.keys(), position.keys_from_scratch(), "{position}");
        for &mv in position.legal_moves().iter() {
            let next = position.make(mv);
            assert_eq!(position.gives_check(mv), next.in_check(), "{position} {mv:?}");
            assert_eq!(*next.keys(), next.keys_from_scratch(), "{position} {mv:?}");
            let plain = !mv.is_castling()
                && !mv.is_en_passant()
                && !mv.is_promotion()
                && next.en_passant().is_none()
                && next.castling_rooks() == position.castling_rooks();
            if plain {
                assert_eq!(position.key_after(mv), next.key(), "{position} {mv:?}");
            }
        }
        if !position.in_check() {
            let next = position.make_null();
            assert_eq!(*next.keys(), next.keys_from_scratch(), "{position} null");
            check_attack_info(&next);
        }
    });
}

#[test]
fn text_forms_round_trip() {
    playouts(4, 3_000, |position| {
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            let fen = position.to_fen(style);
            assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position), "{fen}");
        }
        for &mv in position.legal_moves().iter() {
            for notation in [CastlingNotation::KingMove, CastlingNotation::KingTakesRook] {
                let text = position.uci_text(mv, notation);
                assert_eq!(position.parse_uci_move(&text), Ok(mv), "{position} {text}");
                assert_eq!(position.parse_san(&text), Ok(mv), "{position} {text}");
            }
            let san = position.san(mv);
            assert_eq!(position.parse_san(&san), Ok(mv), "{position} {san}");
        }
    });
}

#[test]
fn checkers_pins_and_threats_equal_a_walk_over_the_board() {
    playouts(5, 20_000, check_attack_info);
}

fn check_attack_info(position: &Position) {
    let us = position.side_to_move();
    let king = position.king(us);
    let occupied = position.occupied();
    let attacked_by = |from: Square, occupied| walked_attacks(position, from, occupied);
    let checks = |from: &Square, occupied| attacked_by(*from, occupied).contains(king);
    let them = position.colour(!us);

    let checkers: Bitboard = them.filter(|from| checks(from, occupied)).collect();
    assert_eq!(position.checkers(), checkers, "{position}");

    let shields = |man: &Square| {
        let lifted = occupied ^ Bitboard::from(*man);
        them.filter(|from| !checks(from, occupied) && checks(from, lifted)).count() > 0
    };
    let pinned: Bitboard =
        position.colour(us).filter(|&man| man != king && shields(&man)).collect();
    assert_eq!(position.pinned(), pinned, "{position}");

    let through_king = occupied ^ position.pieces(us, PieceType::King);
    let threats =
        them.fold(Bitboard::EMPTY, |threats, from| threats | attacked_by(from, through_king));
    assert_eq!(position.threats(), threats, "{position}");
}

/// Men strewn over the board: many queens, triple checks and what else no game leads to.
fn strewn_position(random: &mut Random) -> Option<Position> {
    let mut setup = Setup { castling_rooks: Bitboard::ALL, ..Setup::EMPTY };
    setup.side_to_move = Colour::ALL[random.below(2)];
    let mut free: Vec<Square> = Square::ALL.to_vec();
    let mut put = |piece: Piece, random: &mut Random| {
        let square = free.swap_remove(random.below(free.len()));
        let misplaced =
            piece.piece_type() == PieceType::Pawn && Bitboard::BACK_RANKS.contains(square);
        if !misplaced {
            setup.board[square.index()] = Some(piece);
        }
    };
    put(Piece::WhiteKing, random);
    put(Piece::BlackKing, random);
    // Few kinds at a time, so that boards full of queens come up too.
    let kinds = [random.below(10), random.below(10), random.below(10)];
    for _ in 0..random.below(31) {
        let kind = kinds[random.below(3)];
        put(Piece::new(Colour::ALL[kind % 2], PieceType::ALL[kind / 2]), random);
    }
    let fifth = (!setup.side_to_move).relative_rank(Rank::R3);
    setup.en_passant = Bitboard::rank(fifth).nth(random.below(8));
    Position::from_setup(&setup).ok()
}

#[test]
fn positions_no_game_leads_to_keep_the_invariants() {
    let mut random = Random::new(6);
    let (mut positions, mut most_moves) = (0, 0);
    while positions < 10_000 {
        let Some(position) = strewn_position(&mut random) else { continue };
        positions += 1;
        check_attack_info(&position);
        check_piece_moves(&position);
        let moves = position.legal_moves();
        most_moves = most_moves.max(moves.len());
        assert_eq!(position.count_legal_moves(), moves.len() as u64, "{position}");
        for &mv in moves.iter() {
            assert!(position.is_legal(mv), "{position} {mv:?}");
            let next = position.make(mv);
            assert_eq!(position.gives_check(mv), next.in_check(), "{position} {mv:?}");
            assert_eq!(Position::from_setup(&next.to_setup()), Ok(next), "{position} {mv:?}");
        }
    }
    assert!(most_moves > 100, "{most_moves}: no board full of queens came up");
}

/// A piece may go where it attacks, unless its king can be taken then.
fn check_piece_moves(position: &Position) {
    let us = position.side_to_move();
    let pieces = position.colour(us) & !position.piece_type(PieceType::Pawn);
    let moves = position.legal_moves();
    for from in pieces {
        let targets = walked_attacks(position, from, position.occupied()) & !position.colour(us);
        for to in Square::ALL {
            let exposes_king = || {
                let mut setup = position.to_setup();
                setup.board[to.index()] = setup.board[from.index()].take();
                setup.side_to_move = !us;
                Position::from_setup(&setup) == Err(SetupError::OpponentInCheck(us))
            };
            let expected = targets.contains(to) && !exposes_king();
            let found =
                moves.iter().any(|mv| mv.from() == from && mv.to() == to && !mv.is_castling());
            assert_eq!(found, expected, "{position} {from}{to}");
        }
    }
}
