use super::*;
use kaiyo_chess::{Bitboard, Piece, Setup, Square};

fn fen(text: &str) -> Position {
    Position::from_fen(text).unwrap()
}

/// The evaluation from White's point of view.
fn white_value(text: &str) -> i32 {
    let position = fen(text);
    let value = evaluate(&position).value();
    if position.side_to_move() == Colour::White { value } else { -value }
}

/// Positions from games of random moves, of all phases.
fn random_positions(count: usize) -> Vec<Position> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % bound
    };
    let mut positions = Vec::new();
    let mut position = Position::start();
    while positions.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.is_insufficient_material() {
            position = Position::start();
            continue;
        }
        // Captures are preferred now and then, so that the games reach end games.
        let captures: Vec<_> = moves.iter().filter(|mv| mv.is_capture()).collect();
        let mv = if !captures.is_empty() && random(3) == 0 {
            *captures[random(captures.len())]
        } else {
            moves[random(moves.len())]
        };
        position = position.make(mv);
        positions.push(position);
    }
    positions
}

fn transformed(
    position: &Position,
    square: fn(Square) -> Square,
    colour: fn(Colour) -> Colour,
) -> Position {
    let from = position.to_setup();
    let mut setup = Setup::EMPTY;
    for place in Square::ALL {
        setup.board[square(place).index()] = from.board[place.index()]
            .map(|piece| Piece::new(colour(piece.colour()), piece.piece_type()));
    }
    setup.side_to_move = colour(from.side_to_move);
    setup.castling_rooks = from.castling_rooks.map(square).collect();
    Position::from_setup(&setup).unwrap()
}

#[test]
fn both_colours_are_evaluated_alike() {
    for position in random_positions(4000) {
        let flipped = transformed(&position, Square::flip_rank, |colour| !colour);
        assert_eq!(evaluate(&position), evaluate(&flipped), "{position}");
    }
}

#[test]
fn both_wings_are_evaluated_alike() {
    for position in random_positions(4000) {
        let mut setup = position.to_setup();
        setup.castling_rooks = Bitboard::EMPTY;
        let position = Position::from_setup(&setup).unwrap();
        let flipped = transformed(&position, Square::flip_file, |colour| colour);
        assert_eq!(evaluate(&position), evaluate(&flipped), "{position}");
    }
}

#[test]
fn the_start_position_is_worth_the_tempo() {
    let tempo = weight(features::TEMPO).middle_game();
    assert_eq!(evaluate(&Position::start()).value(), tempo);
    assert!((0..60).contains(&tempo));
}

#[test]
fn missing_men_lose_in_order_of_their_value() {
    let values = ["ppb1pppp/2n2n2", "1pb1pppp/2n2n2", "ppb1pppp/5n2", "pp2pppp/2n2n2"]
        .map(|men| white_value(&format!("r2q1rk1/{men}/3p4/3P4/2N2N2/PPB1PPPP/R2Q1RK1 w - - 0 1")));
    assert!(values.is_sorted(), "{values:?}");
    let queen = white_value("r4rk1/ppb1pppp/2n2n2/3p4/3P4/2N2N2/PPB1PPPP/R2Q1RK1 w - - 0 1");
    let tempo = values[0];
    assert!(values[1] > tempo + 20 && values[2] > tempo + 200 && queen > tempo + 700, "{values:?}");
}

#[test]
fn passed_pawns_are_worth_more_the_further_they_are() {
    // Rooks keep the race of pawn and king out of the evaluation.
    let value = |rank: usize| {
        let mut ranks = ["5rk1", "8", "8", "8", "8", "8", "8", "5RK1"];
        ranks[8 - rank] = "1P6";
        white_value(&format!("{} w - - 0 1", ranks.join("/")))
    };
    let values: Vec<i32> = (3..=7).map(value).collect();
    assert!(values.is_sorted(), "{values:?}");
    assert!(values[4] > values[0] + 50, "{values:?}");
}

#[test]
fn tables_are_the_right_way_up() {
    assert!(
        white_value("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
            > white_value("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")
    );
    let on = |square: &str| {
        white_value(&format!("rnbqkb1r/pppppppp/8/8/{square}/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"))
    };
    assert!(on("3N4") > on("N7"));
    // In the middle game the king is at home on its own back rank.
    assert!(
        white_value("r2q1rk1/ppp2ppp/2n5/3p4/8/2N5/PPP2PPP/R2Q1RK1 w - - 0 1")
            > white_value("r2q1rk1/ppp2ppp/2n5/3p4/8/2N1K3/PPP2PPP/R2Q1R2 w - - 0 1") + 50
    );
    // A rook belongs on the seventh rank rather than before the own king.
    assert!(
        white_value("6k1/1R3ppp/8/8/8/8/5PPP/r5K1 w - - 0 1")
            > white_value("6k1/5ppp/8/8/8/1R6/5PPP/r5K1 w - - 0 1")
    );
}

#[test]
fn the_explanation_adds_up() {
    for position in random_positions(500) {
        let text = explain(&position);
        let total = evaluate(&position).value();
        assert!(text.contains(&format!("{total:+} for the side to move")), "{text}");
        assert!(text.contains("Threats") && text.contains("Phase"));
    }
}

/// Sums the two phases without packing.
#[derive(Default)]
struct PlainSum([i64; 2]);

impl FeatureSink for PlainSum {
    fn add(&mut self, feature: usize, side: Colour, count: i32) {
        let sign = if side == Colour::White { 1 } else { -1 };
        let weight = weight(feature);
        self.0[0] += sign * i64::from(weight.middle_game()) * i64::from(count);
        self.0[1] += sign * i64::from(weight.end_game()) * i64::from(count);
    }
}

#[test]
fn packed_sums_equal_plain_sums() {
    for position in random_positions(2000) {
        let (mut packed, mut plain) = (Sum::default(), PlainSum::default());
        visit_features(&position, &mut packed);
        visit_features(&position, &mut plain);
        let pair = [packed.0.middle_game(), packed.0.end_game()].map(i64::from);
        assert_eq!(pair, plain.0, "{position}");
    }
}

#[test]
fn a_board_full_of_queens_is_no_trouble() {
    let position = fen("QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQ3/8/8/5q2/K6k b - - 0 1");
    assert!(evaluate(&position).value() < -10_000);
    assert!(!evaluate(&position).is_decisive());
}

#[test]
fn features_stay_inside_their_tables() {
    struct Check;
    impl FeatureSink for Check {
        fn add(&mut self, feature: usize, _side: Colour, count: i32) {
            assert!(feature < FEATURE_COUNT);
            // The trainer stores counts in a byte.
            assert!(i8::try_from(count).is_ok());
        }
    }
    for position in random_positions(2000) {
        visit_features(&position, &mut Check);
    }
    assert_eq!(TERMS.iter().map(|term| term.len).sum::<usize>(), FEATURE_COUNT);
    assert!(TERMS.windows(2).all(|pair| pair[0].first + pair[0].len == pair[1].first));
}

#[test]
fn material_that_cannot_win_is_a_draw() {
    for draw in [
        "8/8/4k3/8/8/3NN3/8/4K3 w - - 0 1",
        "8/8/4k3/8/8/3B4/8/4K3 w - - 0 1",
        // Bishop of the wrong colour for the rook pawn.
        "1k6/8/8/P7/8/4B3/8/4K3 w - - 0 1",
        "1k6/8/8/P7/8/8/8/4K3 w - - 0 1",
    ] {
        assert_eq!(white_value(draw), 0, "{draw}");
    }
    // The right colour wins.
    assert!(white_value("1k6/8/8/P7/8/3B4/8/4K3 w - - 0 1") > 200);
    assert!(white_value("8/8/4k3/3b4/8/3R4/8/4K3 w - - 0 1") < 80);
}

#[test]
fn opposite_bishops_are_drawish() {
    let same = white_value("8/5k2/5bp1/8/3P4/2P1B3/5K2/8 w - - 0 1");
    let opposite = white_value("8/5k2/4b1p1/8/3P4/2P1B3/5K2/8 w - - 0 1");
    assert!(opposite > 0 && opposite < same, "{opposite} {same}");
}

#[test]
fn the_bare_king_is_driven_to_the_edge() {
    let centre = white_value("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1");
    let edge = white_value("3k4/8/8/8/8/8/1Q6/K7 w - - 0 1");
    let close = white_value("3k4/8/3K4/8/8/8/1Q6/8 w - - 0 1");
    assert!(centre > 1000 && edge > centre && close > edge, "{centre} {edge} {close}");
    // Promoting the last pawn is no loss.
    let pawn = white_value("8/1P6/8/3k4/8/8/1Q6/K7 w - - 0 1");
    let queen = white_value("1Q6/8/8/3k4/8/8/1Q6/K7 b - - 0 1");
    assert!(queen > pawn && pawn > centre, "{queen} {pawn} {centre}");
    // Bishop and knight mate only in a corner of the bishop's colour.
    let right = white_value("7k/8/5K2/8/8/2B5/3N4/8 w - - 0 1");
    let wrong = white_value("k7/8/2K5/8/8/2B5/3N4/8 w - - 0 1");
    assert!(right > wrong + 50, "{right} {wrong}");
}

/// Prints the cost of an evaluation: `cargo test --release cost -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn cost_of_an_evaluation() {
    let positions = random_positions(4096);
    let mut best = f64::INFINITY;
    let mut sum = 0;
    for _ in 0..50 {
        let start = std::time::Instant::now();
        for position in &positions {
            sum += evaluate(position).value();
        }
        best = best.min(start.elapsed().as_secs_f64() / positions.len() as f64);
    }
    println!("{:.0} ns per evaluation (checksum {sum})", best * 1e9);
}
