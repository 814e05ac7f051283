//! Games as the transformer reads them, for its trainer.
//!
//! `cargo run --release -p kaiyo-policy --example steps < GAMES > STEPS`. Every line of the input
//! is a game (`tokens::parse_game` has the form). Every line of the output is
//! `step step ...|token token ...`: a step is `token` or `token:row,row,...` with the rows of the
//! board after it, and the tokens are those of the legal moves in the last position.

use kaiyo_policy::tokens::{self, Token};
use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let fault = |error| io::Error::other(format!("line {}: {error}", number + 1));
        let (game, conditions) = tokens::parse_game(&line?).map_err(fault)?;
        let steps: Vec<String> =
            tokens::steps(&game, &conditions).iter().map(ToString::to_string).collect();
        let position = game.position();
        let legal: Vec<String> = position
            .legal_moves()
            .iter()
            .filter_map(|&mv| Token::of_move(position.side_to_move(), mv))
            .map(|token| token.index().to_string())
            .collect();
        writeln!(out, "{}|{}", steps.join(" "), legal.join(" "))?;
    }
    Ok(())
}
