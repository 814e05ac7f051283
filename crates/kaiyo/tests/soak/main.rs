//! Random conversations with the program, legal and hostile ones, and games against itself, whose replies
//! another library for chess checks.
//!
//! They take some seconds, or as many as the environment variable `KAIYO_SOAK_SECONDS` says. A
//! failure names its seed; `KAIYO_SOAK_SEED` begins with that one.

#[path = "../common/mod.rs"]
mod common;
mod games;
mod random;
mod referee;
mod uci;
mod xboard;

use std::time::{Duration, Instant};

/// Without another wish.
const SECONDS: u64 = 8;
/// Of the test that has to be asked for.
const LONG_SECONDS: u64 = 300;

/// Has conversations, one after the other, until the time is over, which breaks off any but the first.
fn soak(seconds: u64, conversation: impl Fn(u64, Option<Instant>)) {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let deadline =
        Instant::now() + Duration::from_secs(number("KAIYO_SOAK_SECONDS").unwrap_or(seconds));
    let mut seed = number("KAIYO_SOAK_SEED").unwrap_or_else(|| u64::from(std::process::id()));
    let mut break_off = None;
    loop {
        eprintln!("KAIYO_SOAK_SEED={seed}");
        conversation(seed, break_off);
        if Instant::now() >= deadline {
            return;
        }
        break_off = Some(deadline);
        seed += 1;
    }
}

#[test]
fn random_uci_conversations() {
    soak(SECONDS, uci::converse);
}

#[test]
fn random_xboard_conversations() {
    soak(SECONDS, xboard::converse);
}

#[test]
fn games_with_pondering() {
    soak(SECONDS, games::converse);
}

#[test]
#[ignore = "takes five minutes"]
fn many_games_with_pondering() {
    soak(LONG_SECONDS, games::converse);
}

#[test]
#[ignore = "takes five minutes"]
fn many_random_uci_conversations() {
    soak(LONG_SECONDS, uci::converse);
}

#[test]
#[ignore = "takes five minutes"]
fn many_random_xboard_conversations() {
    soak(LONG_SECONDS, xboard::converse);
}
