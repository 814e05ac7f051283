//! The process that plays games. As the constants of the search are the same for all engines of a
//! process, it sets those of a side whenever that side is to move.

use super::protocol::{Order, Outcome, Setup};
use crate::datagen::{Player, play};
use crate::viriformat::GameResult;
use anyhow::{Context, Result, ensure};
use kaiyo_chess::{Colour, Position};
use kaiyo_search::tuning::{self, Parameter};
use kaiyo_tablebases::Tablebases;
use std::io::{BufRead, Write};

/// Reads how to play and then games, each from a line of the standard input, and answers each game
/// with a line, until the input ends.
pub fn work() -> Result<()> {
    // An interrupt of the terminal reaches all processes: the one that tunes ends the others.
    ctrlc::set_handler(|| ()).context("cannot wait for interrupts")?;
    serve(std::io::stdin().lock(), std::io::stdout().lock())
}

fn serve(input: impl BufRead, mut output: impl Write) -> Result<()> {
    let mut lines = input.lines();
    let Some(line) = lines.next() else { return Ok(()) };
    let setup: Setup = serde_json::from_str(&line?).context("expected how to play")?;
    let mut table = Table::new(setup)?;
    for line in lines {
        let order: Order = serde_json::from_str(&line?).context("expected a game to play")?;
        let outcome = table.play(&order)?;
        writeln!(output, "{}", serde_json::to_string(&outcome)?)?;
        output.flush()?;
    }
    Ok(())
}

/// Two players and how they play.
struct Table {
    setup: Setup,
    parameters: Vec<&'static Parameter>,
    players: [Player; 2],
}

impl Table {
    fn new(setup: Setup) -> Result<Self> {
        let find = |name: &String| {
            tuning::parameter(name).with_context(|| format!("there is no constant '{name}'"))
        };
        let parameters = setup.parameters.iter().map(find).collect::<Result<_>>()?;
        let player = || Player::new(setup.hash, &setup.evaluation);
        let players = [player()?, player()?];
        Ok(Self { setup, parameters, players })
    }

    fn play(&mut self, order: &Order) -> Result<Outcome> {
        let Self { setup, parameters, players } = self;
        let start = Position::from_fen(&order.start)?;
        for values in &order.values {
            ensure!(values.len() == parameters.len(), "expected a value for each parameter");
        }
        players.iter_mut().for_each(Player::new_game);
        let game = play(start, &setup.game, &Tablebases::new(), |game| {
            let white_moves = game.position().side_to_move() == Colour::White;
            let side = if white_moves { order.white } else { 1 - order.white };
            for (parameter, &value) in parameters.iter().zip(&order.values[side]) {
                ensure!(parameter.set(value), "{} cannot be {value}", parameter.name);
            }
            players[side].search_exactly(game, setup.nodes)
        })?;
        let white = match game.result {
            GameResult::WhiteWon => 1,
            GameResult::Draw => 0,
            GameResult::BlackWon => -1,
        };
        Ok(Outcome { points: if order.white == 0 { white } else { -white } })
    }
}
