//! Tools run on files, as their users run them.

use super::*;
use crate::random::sequence;
use crate::test_folder::Folder;
use crate::viriformat::{GameResult, GameWriter, PositionReader};
use clap::Parser;
use kaiyo_chess::{Colour, Position};
use stockfish_network::StockfishNetwork;
use stockfish_network::tests::random_file as random_network;

#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

impl Folder {
    /// Runs a command whose file names are in this folder.
    fn run(&self, command: &str) -> Result<()> {
        let words = command.split_whitespace().map(|word| {
            if word.contains('.') && !word.starts_with(|c: char| c.is_ascii_digit()) {
                self.0.join(word).to_str().unwrap().to_owned()
            } else {
                word.to_owned()
            }
        });
        let line = Line::try_parse_from(["data".to_owned()].into_iter().chain(words)).unwrap();
        run(&line.command)
    }

    fn games(&self, name: &str) -> Vec<Vec<u8>> {
        let mut games = Vec::new();
        for_each_game(&[self.0.join(name)], |game, _| {
            let mut bytes = Vec::new();
            game.encode(&mut bytes);
            games.push(bytes);
            Ok(())
        })
        .unwrap();
        games
    }

    /// The positions of a file with White's scores.
    fn positions(&self, name: &str) -> Vec<(Position, i16)> {
        let mut reader = PositionReader::new(open(&self.0.join(name)).unwrap());
        std::iter::from_fn(|| reader.next_position().unwrap())
            .map(|scored| {
                assert_eq!(scored.result, None);
                (scored.position, scored.score)
            })
            .collect()
    }

    /// A game that White wins, from e4 e5 Qh5 Nc6 on: White is said to be 30 and 100 centipawns ahead, and Black to
    /// be 50 and 200 behind.
    fn write_short_win(&self, name: &str) {
        let mut position = Position::start();
        let mut game = ScoredGame::new(position, GameResult::WhiteWon);
        for (text, score) in [("e2e4", 30), ("e7e5", 50), ("d1h5", 100), ("b8c6", 200)] {
            let mv = position.parse_uci_move(text).unwrap();
            game.push(mv, score);
            position = position.make(mv);
        }
        let mut writer = GameWriter::create(&self.0.join(name)).unwrap();
        writer.write(&game).unwrap();
        writer.finish().unwrap();
    }

    fn write_random_games(&self, name: &str, count: usize, seed: u64) {
        let mut writer = GameWriter::create(&self.0.join(name)).unwrap();
        let mut random = sequence(seed, 0);
        for _ in 0..count {
            let mut position = Position::start();
            let mut game = ScoredGame::new(position, GameResult::Draw);
            for _ in 0..10 + random.below(20) {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len())];
                game.push(mv, random.bits() as i16 / 8);
                position = position.make(mv);
            }
            writer.write(&game).unwrap();
        }
        writer.finish().unwrap();
    }
}

fn sorted(mut games: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    games.sort();
    games
}

#[test]
fn shuffling_keeps_every_game() {
    let folder = Folder::new("shuffle");
    folder.write_random_games("a.vf", 30, 1);
    folder.write_random_games("b.vf.zst", 11, 2);
    folder.run("shuffle a.vf b.vf.zst --out x.vf y.vf.zst").unwrap();
    let all = [folder.games("a.vf"), folder.games("b.vf.zst")].concat();
    let dealt = [folder.games("x.vf"), folder.games("y.vf.zst")];
    assert_eq!(dealt.each_ref().map(Vec::len), [21, 20]);
    let dealt = dealt.concat();
    assert_ne!(dealt, all);
    assert_eq!(sorted(dealt), sorted(all));
}

#[test]
fn splitting_keeps_every_game() {
    let folder = Folder::new("split");
    folder.write_random_games("a.vf", 200, 1);
    folder.run("split a.vf --out x.vf --held-out y.vf --share 0.25").unwrap();
    let (most, others) = (folder.games("x.vf"), folder.games("y.vf"));
    assert!((25..75).contains(&others.len()), "{}", others.len());
    assert_eq!(sorted([most, others].concat()), sorted(folder.games("a.vf")));
}

#[test]
fn files_are_not_overwritten_while_they_are_read() {
    let folder = Folder::new("overwrite");
    folder.write_random_games("a.vf", 2, 1);
    assert!(folder.run("shuffle a.vf --out a.vf").is_err());
    assert!(folder.run("split a.vf --out x.vf --held-out x.vf").is_err());
    assert!(folder.run("split a.vf --out x.vf --held-out ./x.vf").is_err());
    assert!(folder.run("relabel a.vf --out a.vf").is_err());
    assert_eq!(folder.games("a.vf").len(), 2);
}

#[test]
fn a_failure_leaves_older_files_as_they_were() {
    let folder = Folder::new("failures");
    for name in ["old.vf", "old.bin", "held.vf"] {
        std::fs::write(folder.0.join(name), "old").unwrap();
    }
    for command in [
        "import missing.pgn --out old.vf",
        "split missing.vf --out old.vf --held-out held.vf",
        "shuffle missing.vf --out old.vf",
    ] {
        assert!(folder.run(command).is_err(), "{command}");
    }
    std::fs::write(folder.0.join("games"), "1-0 1 1 blitz e2e4\n").unwrap();
    let out = folder.0.to_str().unwrap();
    for input in [format!("{out}/games"), format!("{out}/missing.games")] {
        let words = ["data", "sequences", &input, "--out", out];
        assert!(run(&Line::try_parse_from(words).unwrap().command).is_err(), "{input}");
    }
    for (name, text) in [("old.vf", "old"), ("held.vf", "old"), ("games", "1-0 1 1 blitz e2e4\n")] {
        assert_eq!(std::fs::read_to_string(folder.0.join(name)).unwrap(), text, "{name}");
    }
    let left: Vec<_> =
        std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn illegal_games_are_found() {
    let folder = Folder::new("validate");
    folder.write_random_games("a.vf", 5, 1);
    folder.run("validate a.vf").unwrap();
    let mut bytes = std::fs::read(folder.0.join("a.vf")).unwrap();
    // The first move of the first game: to the square that it came from plus one file and rank.
    bytes[32..34].copy_from_slice(&(8_u16 | 17 << 6).to_le_bytes());
    std::fs::write(folder.0.join("a.vf"), bytes).unwrap();
    let error = folder.run("validate a.vf").unwrap_err();
    assert!(error.to_string().contains("1 of 5"), "{error}");
}

#[test]
fn relabelled_games_have_the_same_moves_and_other_scores() {
    let folder = Folder::new("relabel");
    folder.write_random_games("a.vf", 6, 1);
    folder.run("relabel a.vf --out b.vf --nodes 100 --hash 1").unwrap();
    folder.run("relabel a.vf --out c.vf --nodes 100 --hash 1 --threads 1").unwrap();
    let (old, new) = (folder.games("a.vf"), folder.games("b.vf"));
    assert_eq!(new, folder.games("c.vf"));
    for (old, new) in old.iter().zip(&new) {
        assert_ne!(old, new);
        let moves = |game: &[u8]| game[32..].chunks(4).map(|pair| [pair[0], pair[1]]).collect();
        let (old, new): (Vec<_>, Vec<_>) = (moves(old), moves(new));
        assert_eq!(old, new);
    }
}

#[test]
fn long_work_that_is_broken_off_keeps_what_is_done() {
    let folder = Folder::new("partial");
    folder.write_random_games("a.vf", 4, 1);
    folder.write_random_games("b.vf", 2, 2);
    let path = |name| folder.0.join(name);
    let bytes = std::fs::read(path("b.vf")).unwrap();
    std::fs::write(path("b.vf"), &bytes[..bytes.len() - 3]).unwrap();
    let error = folder.run("relabel a.vf b.vf --out c.vf --nodes 50 --hash 1").unwrap_err();
    let text = format!("{error:#}");
    assert!(text.contains("before a fault are in") && text.contains("b.vf"), "{text}");
    assert!(!path("c.vf").exists() && folder.games("c.vf.partial").len() >= 4);
    folder.run("relabel a.vf --out d.vf --nodes 50 --hash 1").unwrap();
    assert_eq!(folder.games("c.vf.partial")[..4], folder.games("d.vf")[..]);
}

#[test]
fn other_formats_become_games() {
    let folder = Folder::new("import");
    let pgn = "[Result \"1-0\"]\n\n1. e4 {+0.10/5 1s} e5 {+0.20/5 1s} 2. Nf3 Nc6 {-0.30/5 1s} \
               3. Bb5 {+M4/5 1s} 1-0\n\n1. e4 Ke5 *\n";
    std::fs::write(folder.0.join("a.pgn"), pgn).unwrap();
    std::fs::write(folder.0.join("b.txt"), "0-1|-|f2f3:-50 e7e5:-60 g2g4:-32000\n").unwrap();
    folder.run("import a.pgn b.txt --out c.vf --min-plies 1 --scale 2").unwrap();
    let mut scores = Vec::new();
    for_each_game(&[folder.0.join("c.vf")], |game, _| {
        let mut list = Vec::new();
        game.replay(|_, _, score| list.push(score))?;
        scores.push(list);
        Ok(())
    })
    .unwrap();
    assert_eq!(scores, [vec![20, -40], vec![60, 32_000], vec![-100, -120, -32_000]]);
}

#[test]
fn statistics_are_printed() {
    let folder = Folder::new("stats");
    folder.write_random_games("a.vf", 20, 1);
    folder.run("stats a.vf").unwrap();
    folder.write_short_win("b.vf");
    let counts = stats::count(&stats::Options { files: vec![folder.0.join("b.vf")] }).unwrap();
    counts.assert_of_short_win();
    std::fs::write(folder.0.join("empty.vf"), "").unwrap();
    assert!(folder.run("stats empty.vf").is_err());
}

/// An engine that gives all moves of every position the same two scores.
#[cfg(unix)]
const TWO_SCORES: &str = r#"#!/bin/sh
while read -r word rest; do
    case "$word" in
        uci)
            echo "id name two scores"
            echo "option name MultiPV type spin default 1 min 1 max 256"
            echo uciok ;;
        isready) echo readyok ;;
        go)
            echo "info string searching"
            echo "info depth 1 multipv 1 score cp 35 nodes 2 pv e2e4 e7e5"
            echo "info depth 1 multipv 2 score cp -90 nodes 2 pv f2f3"
            echo "info depth 1 multipv 3 score mate -3 nodes 2 pv g2g4"
            echo "bestmove e2e4" ;;
        quit) exit ;;
    esac
done
"#;

#[cfg(unix)]
#[test]
fn an_engine_scores_the_positions_after_all_moves() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("children");
    let engine = folder.0.join("engine.sh");
    std::fs::write(&engine, TWO_SCORES).unwrap();
    std::fs::set_permissions(&engine, PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(folder.0.join("a.txt"), "1-0|-|e2e4:10\n".repeat(3)).unwrap();
    folder.run("import a.txt --out a.vf --min-plies 1").unwrap();
    folder.run("children a.vf --engine engine.sh --share 1 --out b.bin").unwrap();
    let children = folder.positions("b.bin");
    let start = Position::start();
    let after = |mv: &str| start.make(start.parse_uci_move(mv).unwrap());
    let expected = [(after("e2e4"), 35), (after("f2f3"), -90)];
    assert_eq!(children, expected.repeat(3));

    let error = folder.run("stats b.bin").unwrap_err();
    assert!(error.to_string().contains("single positions"), "{error}");
    assert!(folder.run("children a.vf --engine engine.sh --out b.vf").is_err());
    assert!(folder.run("children a.vf --engine missing.sh --out b.bin").is_err());
    // One that shows few lines would leave moves out without a word.
    std::fs::write(&engine, TWO_SCORES.replace("max 256", "max 4")).unwrap();
    let error = folder.run("children a.vf --engine engine.sh --share 1 --out c.bin").unwrap_err();
    assert!(format!("{error:#}").contains("found 4 at most"), "{error:#}");
}

#[test]
fn networks_score_quiet_positions_after_moves() {
    let folder = Folder::new("distil");
    let file = random_network();
    std::fs::write(folder.0.join("teacher.nnue"), &file).unwrap();
    folder.write_random_games("a.vf", 20, 7);
    folder.run("distil a.vf --network teacher.nnue --share 0.5 --out b.bin").unwrap();
    folder.run("distil a.vf --network teacher.nnue --share 0.5 --threads 1 --out c.bin").unwrap();
    let children = folder.positions("b.bin");
    assert_eq!(children, folder.positions("c.bin"), "threads change nothing");
    assert!(children.len() > 1000, "{}", children.len());
    let network = StockfishNetwork::read(&file).unwrap();
    for (position, score) in children {
        assert!(is_quiet(&position), "{position}");
        let own = network.score(&network.accumulate(&position));
        let white = if position.side_to_move() == Colour::White { own } else { -own };
        assert_eq!(i32::from(score), white, "{position}");
    }

    folder.run("distil a.vf --network teacher.nnue --max-positions 17 --out few.bin").unwrap();
    assert_eq!(folder.positions("few.bin").len(), 17);

    std::fs::write(folder.0.join("short.nnue"), &file[..1000]).unwrap();
    let error = folder.run("distil a.vf --network short.nnue --out d.bin").unwrap_err();
    assert!(format!("{error:#}").contains("cut off"), "{error:#}");
    assert!(folder.run("distil a.vf --network teacher.nnue --out d.vf").is_err());
    assert!(folder.run("distil a.vf --network teacher.nnue --share 0 --out d.bin").is_err());
}
