//! The table of options.

use super::{Kind, UciOption};
use crate::about;
use crate::strength::{DEFAULT_ELO, MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO};
use crate::uci::book::BookSlot;
use crate::uci::contempt::MAX_CONTEMPT;
use kaiyo_search::{Engine, MAX_HASH_MIB, MAX_MULTI_PV, MAX_THREADS, TablebaseOptions};
use std::time::Duration;

/// Size of the hash table at the start, in MiB. Small, because managers start many engines.
pub const DEFAULT_HASH_MIB: usize = 16;

/// Every option, in the order of the listing.
///
/// Clients may send them in this order: threads are then started once, where they belong, and all
/// of them clear the hash table.
pub const OPTIONS: &[UciOption] = &[
    UciOption { name: "NumaPolicy", alias: None, kind: Kind::NumaPolicy },
    UciOption {
        name: "Threads",
        alias: None,
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS as i64,
            apply: |engine, _, count| engine.set_threads(to_usize(count)),
        },
    },
    UciOption {
        name: "Hash",
        alias: None,
        kind: Kind::Spin {
            default: DEFAULT_HASH_MIB as i64,
            min: 1,
            max: MAX_HASH_MIB as i64,
            apply: |engine, _, mib| engine.set_hash(to_usize(mib)),
        },
    },
    UciOption {
        name: "Clear Hash",
        alias: Some("ClearHash"),
        kind: Kind::Button { apply: Engine::clear_hash },
    },
    UciOption {
        name: "Ponder",
        alias: None,
        kind: Kind::Check { default: false, apply: |engine, _, ponder| engine.set_ponder(ponder) },
    },
    UciOption {
        name: "OwnBook",
        alias: None,
        kind: Kind::Check {
            default: false,
            apply: |_, settings, own_book| settings.book.own_book = own_book,
        },
    },
    UciOption { name: "BookFile", alias: None, kind: Kind::BookFile(BookSlot::First) },
    UciOption { name: "Book2File", alias: None, kind: Kind::BookFile(BookSlot::Second) },
    UciOption {
        name: "BookDepth",
        alias: None,
        kind: Kind::Spin {
            default: 30,
            min: 0,
            max: 1000,
            apply: |_, settings, plies| {
                settings.book.max_ply = u32::try_from(plies).unwrap_or(u32::MAX);
                Ok(())
            },
        },
    },
    UciOption {
        name: "BookBestMove",
        alias: None,
        kind: Kind::Check {
            default: false,
            apply: |_, settings, best_move| settings.book.best_move = best_move,
        },
    },
    UciOption {
        name: "BookSeed",
        alias: None,
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            apply: |_, settings, seed| {
                settings.book.seed = seed.unsigned_abs();
                Ok(())
            },
        },
    },
    UciOption {
        name: "MultiPV",
        alias: None,
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_MULTI_PV as i64,
            apply: |engine, settings, lines| {
                settings.lines = to_usize(lines);
                engine.set_multi_pv(settings.lines);
                Ok(())
            },
        },
    },
    UciOption {
        name: "Move Overhead",
        alias: Some("MoveOverhead"),
        kind: Kind::Spin {
            default: 20,
            min: 0,
            max: 5000,
            apply: |engine, _, milliseconds| {
                engine.set_move_overhead(Duration::from_millis(milliseconds.unsigned_abs()));
                Ok(())
            },
        },
    },
    UciOption {
        name: "Use NNUE",
        alias: Some("UseNNUE"),
        kind: Kind::Check { default: true, apply: |engine, _, on| engine.set_use_network(on) },
    },
    UciOption { name: "EvalFile", alias: None, kind: Kind::NetworkFile },
    UciOption {
        name: "Policy",
        alias: None,
        kind: Kind::Check { default: false, apply: |_, settings, on| settings.policy = on },
    },
    UciOption { name: "PolicyFile", alias: None, kind: Kind::PolicyFile },
    UciOption {
        name: "UCI_LimitStrength",
        alias: None,
        kind: Kind::Check {
            default: false,
            apply: |_, settings, limited| settings.strength.limited = limited,
        },
    },
    UciOption {
        name: "UCI_Elo",
        alias: None,
        kind: Kind::Spin {
            default: DEFAULT_ELO as i64,
            min: MIN_ELO as i64,
            max: MAX_ELO as i64,
            apply: |_, settings, elo| {
                settings.strength.elo = to_u16(elo);
                Ok(())
            },
        },
    },
    UciOption {
        name: "Skill Level",
        alias: Some("SkillLevel"),
        kind: Kind::Spin {
            default: MAX_SKILL_LEVEL as i64,
            min: 0,
            max: MAX_SKILL_LEVEL as i64,
            apply: |_, settings, level| {
                settings.strength.skill_level = level.unsigned_abs() as u8;
                Ok(())
            },
        },
    },
    UciOption {
        name: "SelfElo",
        alias: Some("Elo"),
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: MAX_HUMAN_ELO,
            apply: |_, settings, elo| {
                settings.strength.self_elo = to_u16(elo);
                Ok(())
            },
        },
    },
    UciOption {
        name: "OppoElo",
        alias: None,
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: MAX_HUMAN_ELO,
            apply: |_, settings, elo| {
                settings.strength.opponent_elo = to_u16(elo);
                Ok(())
            },
        },
    },
    UciOption {
        name: "Temperature",
        alias: None,
        kind: Kind::Fraction {
            default: 1.0,
            min: 0.0,
            max: 10.0,
            apply: |settings, temperature| settings.strength.temperature = temperature,
        },
    },
    UciOption {
        name: "TopP",
        alias: None,
        kind: Kind::Fraction {
            default: 1.0,
            min: 0.0,
            max: 1.0,
            apply: |settings, share| settings.strength.top_p = share,
        },
    },
    UciOption {
        name: "StrengthSeed",
        alias: None,
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            apply: |_, settings, seed| {
                settings.strength.seed = seed.unsigned_abs();
                Ok(())
            },
        },
    },
    UciOption { name: "SyzygyPath", alias: None, kind: Kind::Tablebases },
    UciOption {
        name: "SyzygyProbeDepth",
        alias: None,
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 100,
            apply: |engine, _, depth| {
                change_probing(engine, |options| options.probe_depth = depth.unsigned_abs() as u32);
                Ok(())
            },
        },
    },
    UciOption {
        name: "Syzygy50MoveRule",
        alias: None,
        kind: Kind::Check {
            default: true,
            apply: |engine, _, on| change_probing(engine, |options| options.fifty_move_rule = on),
        },
    },
    UciOption {
        name: "SyzygyProbeLimit",
        alias: None,
        kind: Kind::Spin {
            default: 7,
            min: 0,
            max: 7,
            apply: |engine, _, men| {
                change_probing(engine, |options| options.probe_limit = men.unsigned_abs() as u32);
                Ok(())
            },
        },
    },
    UciOption {
        name: "UCI_Chess960",
        alias: None,
        kind: Kind::Check {
            default: false,
            apply: |_, settings, chess960| settings.chess960 = chess960,
        },
    },
    UciOption {
        name: "UCI_ShowWDL",
        alias: None,
        kind: Kind::Check {
            default: false,
            apply: |_, settings, show_wdl| settings.show_wdl = show_wdl,
        },
    },
    UciOption {
        name: "UCI_AnalyseMode",
        alias: Some("Analysis Mode"),
        kind: Kind::Check {
            default: false,
            apply: |_, settings, analyse| settings.analyse = analyse,
        },
    },
    UciOption { name: "UCI_Opponent", alias: None, kind: Kind::Opponent },
    UciOption { name: "UCI_EngineAbout", alias: None, kind: Kind::About(about::ABOUT) },
    UciOption {
        name: "Contempt",
        alias: None,
        kind: Kind::Spin {
            default: 0,
            min: -MAX_CONTEMPT,
            max: MAX_CONTEMPT,
            apply: |_, settings, centipawns| {
                settings.contempt = centipawns as i32;
                Ok(())
            },
        },
    },
    UciOption {
        name: "Opponent Contempt",
        alias: Some("OpponentContempt"),
        kind: Kind::OpponentContempt,
    },
    UciOption {
        name: "nodestime",
        alias: None,
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: 100_000,
            apply: |engine, _, nodes| {
                engine.set_nodes_per_millisecond(nodes.unsigned_abs());
                Ok(())
            },
        },
    },
    UciOption {
        name: "VerboseMoveStats",
        alias: None,
        kind: Kind::Check {
            default: false,
            apply: |_, settings, on| settings.move_statistics = on,
        },
    },
    UciOption {
        name: "LogLiveStats",
        alias: None,
        kind: Kind::Check {
            default: false,
            apply: |_, settings, on| settings.live_statistics = on,
        },
    },
    UciOption { name: "Debug Log File", alias: Some("LogFile"), kind: Kind::LogFile },
];

/// Ratings that clients of human-like engines may send; the model knows those up to 3400 and takes the nearest for others.
const MAX_HUMAN_ELO: i64 = 5000;

fn to_u16(number: i64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn to_usize(number: i64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Changes how the engine uses tablebases.
fn change_probing(engine: &mut Engine, change: impl FnOnce(&mut TablebaseOptions)) {
    let mut options = engine.tablebase_options();
    change(&mut options);
    engine.set_tablebase_options(options);
}
