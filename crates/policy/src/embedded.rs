//! The model in the program.

use crate::model::Model;
use std::sync::{Arc, OnceLock};

static FILE: &[u8] = include_bytes!(env!("KAIYO_POLICY"));
const _: () =
    assert!(has_form(FILE), "the file for the program, see POLICYFILE, is no GGUF or safetensors");

/// The model in the program, which is read when it is first asked for. `None` only in a program
/// that was built with a file that is no model.
pub fn embedded() -> Option<Arc<Model>> {
    static MODEL: OnceLock<Option<Arc<Model>>> = OnceLock::new();
    MODEL.get_or_init(|| Model::from_bytes(FILE).ok().map(Arc::new)).clone()
}

/// Whether bytes begin as a GGUF or safetensors file does.
const fn has_form(bytes: &[u8]) -> bool {
    bytes.len() > 8 && (matches!(bytes.first_chunk(), Some(b"GGUF")) || bytes[8] == b'{')
}

/// The bytes of its file.
pub const fn embedded_file() -> &'static [u8] {
    FILE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use crate::tokens::{Conditions, Rating, TimeControl};
    use kaiyo_chess::{Game, Move};

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

    #[test]
    fn a_time_control_that_no_game_had_is_an_unknown_one() {
        let mut session = Session::new(embedded().expect("a model"));
        let mut moves = |time_control| {
            let conditions =
                Conditions { time_control, ..Conditions::rated(Rating::nearest(1800)) };
            session.predict(&Game::default(), &conditions).expect("finite numbers").moves
        };
        let unknown = moves(TimeControl::Unknown);
        assert_eq!(moves(TimeControl::Correspondence), unknown);
        assert_ne!(moves(TimeControl::Blitz), unknown);
    }

    /// What players of a rating are likely to play after 1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5, which
    /// they defend against as well as they know it.
    fn defences(session: &mut Session, elo: u32) -> Vec<(Move, f32)> {
        let mut game = Game::default();
        for mv in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "f3g5"] {
            game.play_uci(mv).expect("a legal move");
        }
        let conditions = Conditions::rated(Rating::nearest(elo));
        session.predict(&game, &conditions).expect("finite numbers").moves
    }

    /// How far the second distribution is from the first, in nats (Kullback and Leibler).
    fn divergence(from: &[(Move, f32)], to: &[(Move, f32)]) -> f32 {
        let other = |mv| to.iter().find(|entry| entry.0 == mv).map_or(0.0, |entry| entry.1);
        from.iter().map(|&(mv, p)| p * (p / other(mv).max(1e-9)).max(1e-9).ln()).sum()
    }

    #[test]
    fn ratings_near_each_other_play_alike_and_far_ones_do_not() {
        let mut session = Session::new(embedded().expect("a model"));
        let ratings: Vec<u32> =
            (Rating::MIN.elo().into()..=Rating::MAX.elo().into()).step_by(100).collect();
        let players: Vec<_> = ratings.iter().map(|&elo| defences(&mut session, elo)).collect();
        for (pair, elo) in players.windows(2).zip(&ratings) {
            let step = divergence(&pair[0], &pair[1]);
            assert!(step < 0.1, "{step} from {elo} to the next rating");
        }
        // Where nobody has been seen, the nearest known rating stands in.
        assert_eq!(players[0], defences(&mut session, 800));
        let (weak, strong) = (defences(&mut session, 800), defences(&mut session, 2400));
        assert!(divergence(&weak, &strong) > 0.2);
    }
}
