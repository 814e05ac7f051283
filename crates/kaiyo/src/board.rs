//! Boards for people.

use kaiyo_chess::{FenStyle, File, Game, Position, Rank, Setup, Square};

/// A drawing of the board with what else there is to know about the position.
pub fn describe(game: &Game, style: FenStyle) -> String {
    let position = game.position();
    let checkers: Vec<String> =
        position.checkers().into_iter().map(|square| square.to_string()).collect();
    format!(
        "{}\nFen: {}\nKey: {:016X}\nCheckers: {}\nRepetitions: {}\nLegal moves: {}",
        draw(position),
        position.to_fen(style),
        position.key(),
        if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") },
        game.repetitions(),
        position.count_legal_moves(),
    )
}

fn draw(position: &Position) -> String {
    const RULE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut board = String::from(RULE);
    for &rank in Rank::ALL.iter().rev() {
        for file in File::ALL {
            let piece = position.piece_on(Square::new(file, rank));
            board.push_str(" | ");
            board.push(piece.map_or(' ', |piece| piece.to_char()));
        }
        board.push_str(" | ");
        board.push(rank.to_char());
        board.push('\n');
        board.push_str(RULE);
    }
    board.push_str("   a   b   c   d   e   f   g   h\n");
    board
}

/// The same position with the colours exchanged.
pub fn flip(position: &Position) -> Position {
    let setup = position.to_setup();
    let mut flipped = Setup {
        side_to_move: !setup.side_to_move,
        castling_rooks: setup.castling_rooks.flip_rank(),
        en_passant: setup.en_passant.map(Square::flip_rank),
        ..Setup::EMPTY
    };
    flipped.halfmove_clock = setup.halfmove_clock;
    flipped.fullmove_number = setup.fullmove_number;
    for file in File::ALL {
        for rank in Rank::ALL {
            let square = Square::new(file, rank);
            flipped.board[square.flip_rank().index()] = setup.board[square.index()]
                .map(|piece| kaiyo_chess::Piece::new(!piece.colour(), piece.piece_type()));
        }
    }
    Position::from_setup(&flipped).expect("a legal position is legal with colours exchanged")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_exchanges_the_colours() {
        let position =
            Position::from_fen("r3k2r/8/8/3pP3/8/8/8/R3K3 w Qk d6 3 9").expect("a legal position");
        let flipped = flip(&position);
        assert_eq!(flipped.to_string(), "r3k3/8/8/8/3Pp3/8/8/R3K2R b Kq d3 3 9");
        assert_eq!(flip(&flipped), position);
    }

    #[test]
    fn the_description_shows_board_and_key_facts() {
        let mut game = Game::default();
        for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            game.play_uci(mv).expect("a legal move");
        }
        let text = describe(&game, FenStyle::XFen);
        assert!(text.contains(" | r | n | b |   | k | b | n | r | 8\n"), "{text}");
        assert!(
            text.contains("\nFen: rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n")
        );
        assert!(text.ends_with("\nCheckers: h4\nRepetitions: 1\nLegal moves: 0"), "{text}");
    }
}
