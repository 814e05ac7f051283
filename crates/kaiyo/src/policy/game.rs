//! A game from the words of a command line.

use kaiyo_chess::{Game, Position, START_FEN, quote};

/// Reads a FEN, or moves from the start position, or both with `moves` between them.
///
/// # Errors
/// A line that names the FEN or the move that is wrong.
pub(super) fn parse(words: &[String]) -> Result<Game, String> {
    // One argument may hold several words.
    let words: Vec<&str> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    let (start, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None if words.first().is_some_and(|word| is_start(word)) => (&words[..], &[][..]),
        None => (&[][..], &words[..]),
    };
    let start = match start {
        [] | ["startpos"] => START_FEN.to_owned(),
        ["fen", fen @ ..] | fen => fen.join(" "),
    };
    let position = Position::from_fen(&start)
        .map_err(|error| format!("invalid FEN {}: {error}", quote(&start)))?;
    let mut game = Game::new(position);
    for text in moves {
        let mv = game.position().parse_san(text).map_err(|error| error.to_string())?;
        game.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

fn is_start(word: &str) -> bool {
    matches!(word, "startpos" | "fen") || word.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(words: &str) -> Result<String, String> {
        let one_each: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let game = parse(&one_each);
        let together = parse(&[words.to_owned()]);
        assert_eq!(
            game.as_ref().map(|game| game.position().key()),
            together.as_ref().map(|game| game.position().key())
        );
        game.map(|game| game.position().to_string())
    }

    #[test]
    fn positions_and_moves_are_read() {
        const AFTER: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        for words in [
            "e2e4 e7e5",
            "e4 e5",
            "startpos moves e4 e7e5",
            "moves e4 e5",
            AFTER,
            &format!("fen {AFTER}"),
            "fen rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 a7a6",
        ] {
            let position = fen(words).expect(words);
            assert!(position.starts_with("rnbqkbnr/") && position.contains("4P3"), "{position}");
        }
        assert_eq!(fen(""), Ok(START_FEN.to_owned()));
        assert_eq!(fen("startpos"), Ok(START_FEN.to_owned()));
    }

    #[test]
    fn faults_are_named() {
        assert!(fen("e4 e4").expect_err("no such move").contains("'e4'"));
        assert!(fen("8/8 w").expect_err("no position").starts_with("invalid FEN '8/8 w': "));
    }
}
