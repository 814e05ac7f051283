//! Starting searches as the settings want them.

use super::policy::PolicyPlayer;
use super::settings::Settings;
use crate::strength::{ChoosingListener, Style};
use kaiyo_chess::{Colour, Random};
use kaiyo_search::{Engine, Limits, Priors, SearchListener};

/// Starts a search of the engine's game: at full strength, or one from whose lines a move is chosen
/// as a weaker player would.
pub fn launch(
    engine: &mut Engine,
    policy: &mut PolicyPlayer,
    settings: &Settings,
    limits: Limits,
    client: impl SearchListener + 'static,
) {
    // Whoever analyses at a limited strength wants to know how good the moves are, not how such a player
    // errs; to show what people play is what the humans of `SelfElo` are for.
    let analyses = settings.analyse || limits.infinite && !limits.ponder;
    let style = Style::new(&settings.strength);
    match style.filter(|_| !analyses || settings.strength.self_elo > 0) {
        Some(style) => launch_in_style(engine, policy, settings, style, limits, client),
        None => {
            let priors = engine_priors(engine, policy, settings, &limits);
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
    client: impl SearchListener + 'static,
) {
    let style = style.in_position(engine.game().position());
    let side = engine.game().position().side_to_move();
    let opponent = settings.opponent.as_ref().filter(|opponent| !opponent.is_computer);
    let opponent = opponent.and_then(|opponent| opponent.rating);
    let time_control = policy.time_control(&limits, side);
    let conditions = style.conditions(side == Colour::White, opponent, time_control);
    let time = engine.time_for_move(&limits);
    let of_moves = policy.predict_within(engine.game(), &conditions, time).unwrap_or_default();
    style.restrict(&mut limits, settings.lines);
    let live = limits.infinite;
    let random = Random::from_entropy();
    let listener =
        ChoosingListener::new(client, style, of_moves.clone(), random, settings.lines, live);
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
) -> Priors {
    let game = engine.game();
    let conditions =
        PolicyPlayer::engines(policy.time_control(limits, game.position().side_to_move()));
    let time = engine.time_for_move(limits);
    let order_moves = settings.policy && policy.is_worth_its_time(game, &conditions, limits, time);
    if !settings.move_statistics && !order_moves {
        return Priors::default();
    }
    let of_moves = policy.predict_within(game, &conditions, time).unwrap_or_default();
    Priors { of_moves, order_moves }
}
