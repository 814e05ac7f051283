//! The model in the program.

use crate::model::Model;
use std::sync::{Arc, OnceLock};

static FILE: &[u8] = include_bytes!(env!("KAIYO_POLICY"));

/// The model in the program, which is read when it is first asked for. `None` only in a program
/// that was built with a file that is no model.
pub fn embedded() -> Option<Arc<Model>> {
    static MODEL: OnceLock<Option<Arc<Model>>> = OnceLock::new();
    MODEL.get_or_init(|| Model::from_bytes(FILE).ok().map(Arc::new)).clone()
}

/// The bytes of its file.
pub const fn embedded_file() -> &'static [u8] {
    FILE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use crate::tokens::{Conditions, Rating};
    use kaiyo_chess::Game;

    #[test]
    fn the_model_in_the_program_knows_openings() {
        let mut session = Session::new(embedded().expect("a model"));
        let conditions = Conditions::rated(Rating::nearest(1800));
        let mut game = Game::default();
        let best = |game: &Game, session: &mut Session| {
            let prediction = session.predict(game, &conditions).expect("finite numbers");
            game.position().san(prediction.moves[0].0)
        };
        assert!(["e4", "d4"].contains(&best(&game, &mut session).as_str()));
        for mv in ["e2e4", "e7e5", "g1f3"] {
            game.play_uci(mv).expect("a legal move");
        }
        assert_eq!(best(&game, &mut session), "Nc6");
    }
}
