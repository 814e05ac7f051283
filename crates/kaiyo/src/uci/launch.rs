//! Starting searches as the settings want them.

use super::policy::{ENGINES, PolicyPlayer, PredictionFault};
use super::settings::Settings;
use crate::strength::{Choice, ChoosingListener, Style};
use kaiyo_chess::{Colour, Move};
use kaiyo_search::{Engine, Limits, Priors, SearchListener};

/// Starts a search of the engine's game: at full strength, or one from whose lines a move is chosen
/// as a weaker player would.
pub fn launch(
    engine: &mut Engine,
    policy: &mut PolicyPlayer,
    settings: &Settings,
    limits: Limits,
    mut client: impl SearchListener + 'static,
) {
    // Whoever analyses at a limited strength wants to know how good the moves are, not how such a player
    // errs; to show what people play is what the humans of `SelfElo` are for.
    let analyses = settings.analyse || limits.infinite && !limits.ponder;
    let style = Style::new(&settings.strength);
    match style.filter(|_| !analyses || settings.strength.self_elo > 0) {
        Some(style) => launch_in_style(engine, policy, settings, style, limits, analyses, client),
        None => {
            let priors = engine_priors(engine, policy, settings, &limits, &mut client);
            engine.go_with_priors(limits, &priors, Box::new(client));
        }
    }
}

fn launch_in_style(
    engine: &mut Engine,
    policy: &mut PolicyPlayer,
    settings: &Settings,
    style: Style,
    mut limits: Limits,
    analyses: bool,
    mut client: impl SearchListener + 'static,
) {
    let style = style.in_position(engine.game().position());
    let side = engine.game().position().side_to_move();
    let opponent = settings.opponent.as_ref().filter(|opponent| !opponent.is_computer);
    let opponent = opponent.and_then(|opponent| opponent.rating);
    let conditions = style.conditions(side == Colour::White, opponent, policy.time_control());
    let time = engine.time_for_move(&limits);
    let found = policy.predict_within(engine.game(), &conditions, time);
    let of_moves = moves_or_complaint(found, &mut client);
    let style = if of_moves.is_empty() { style.without_habits() } else { style };
    style.restrict(&mut limits, settings.lines);
    let choice = if analyses {
        Choice::Likeliest
    } else {
        Choice::Drawn(settings.strength.random(engine.game()))
    };
    let listener = ChoosingListener::new(client, style, of_moves.clone(), choice, settings.lines);
    let priors = Priors { of_moves, order_moves: false };
    engine.go_with_priors(limits, &priors, Box::new(listener));
}

/// What engines are likely to play, if statistics show it, or if it is to order the moves and there
/// is time to ask.
fn engine_priors(
    engine: &Engine,
    policy: &mut PolicyPlayer,
    settings: &Settings,
    limits: &Limits,
    client: &mut impl SearchListener,
) -> Priors {
    let game = engine.game();
    let time = engine.time_for_move(limits);
    let order_moves = settings.policy && policy.is_worth_its_time(game, &ENGINES, limits, time);
    if !settings.move_statistics && !order_moves {
        return Priors::default();
    }
    let of_moves = moves_or_complaint(policy.predict_within(game, &ENGINES, time), client);
    Priors { of_moves, order_moves }
}

/// What was predicted; nothing, and a word to the client, if the model failed.
fn moves_or_complaint(
    found: Result<Vec<(Move, f32)>, PredictionFault>,
    client: &mut impl SearchListener,
) -> Vec<(Move, f32)> {
    found.unwrap_or_else(|fault| {
        client.fault(&fault.to_string());
        Vec::new()
    })
}
