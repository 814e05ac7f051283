//! Whole runs of the generator.

use super::*;
use crate::test_folder::Folder;
use crate::viriformat::{GameReader, open};
use clap::Parser;
use kaiyo_chess::Position;
use std::path::Path;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    options: Options,
}

fn options(folder: &Path, arguments: &str) -> Options {
    let folder = folder.to_str().unwrap();
    let fixed = "datagen --nodes 50 --verify-nodes 50 --hash 1 --max-plies 40 --out";
    let arguments = fixed.split(' ').chain([folder]).chain(arguments.split_whitespace());
    Command::try_parse_from(arguments).unwrap().options
}

impl Folder {
    fn file(&self, thread: usize) -> PathBuf {
        self.0.join(format!("thread-{thread:02}.vf"))
    }
}

#[test]
fn games_are_whole_and_legal() {
    let folder = Folder::new("datagen-games");
    run(&options(&folder.0, "--games 7 --chess960-share 0.5")).unwrap();
    let mut games = 0;
    for thread in 0..2 {
        let mut reader = GameReader::new(open(&folder.file(thread)).unwrap());
        while let Some(game) = reader.next_game().unwrap() {
            assert!(game.len() > 0);
            game.replay(|_, _, _| {}).unwrap();
            games += 1;
        }
    }
    assert_eq!(games, 7);
}

#[test]
fn a_run_that_was_broken_off_goes_on_as_if_it_had_not_been() {
    let whole = Folder::new("datagen-whole");
    run(&options(&whole.0, "--games 8")).unwrap();
    let broken = Folder::new("datagen-broken");
    run(&options(&broken.0, "--games 5")).unwrap();
    let path = broken.file(0);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 10]).unwrap();
    assert!(run(&options(&broken.0, "--games 8")).is_err(), "needs --resume");
    run(&options(&broken.0, "--games 8 --resume")).unwrap();
    for thread in 0..2 {
        let read = |folder: &Folder| std::fs::read(folder.file(thread)).unwrap();
        assert_eq!(read(&whole), read(&broken), "thread {thread}");
    }
}

#[test]
fn a_damaged_file_is_left_alone() {
    let folder = Folder::new("datagen-damaged");
    run(&options(&folder.0, "--games 2 --threads 1")).unwrap();
    let path = folder.file(0);
    let mut bytes = std::fs::read(&path).unwrap();
    // More men than a board can have.
    bytes[..8].fill(0xff);
    std::fs::write(&path, &bytes).unwrap();
    let error = run(&options(&folder.0, "--games 3 --threads 1 --resume")).unwrap_err();
    assert!(format!("{error:#}").contains("64 men"), "{error:#}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_folder_does_not_mix_games_of_different_options() {
    let folder = Folder::new("datagen-mixed");
    run(&options(&folder.0, "--games 1 --threads 1")).unwrap();
    for other in ["--seed 2", "--win-score 700", "--threads 2"] {
        let arguments = format!("--games 2 --resume --threads 1 {other}");
        let arguments = arguments.replace("--threads 1 --threads 2", "--threads 2");
        let error = run(&options(&folder.0, &arguments)).unwrap_err();
        assert!(error.to_string().contains("made differently"), "{other}: {error}");
    }
}

#[test]
fn a_book_that_has_changed_is_another_book() {
    let folder = Folder::new("datagen-book");
    std::fs::create_dir_all(&folder.0).unwrap();
    let book = folder.0.join("book.epd");
    let start = Position::start().to_string();
    std::fs::write(&book, format!("{start}\n")).unwrap();
    let arguments = format!("--threads 1 --book {}", book.display());
    run(&options(&folder.0, &format!("--games 1 {arguments}"))).unwrap();
    // The same book elsewhere is the same book.
    let copy = folder.0.join("copy.epd");
    std::fs::copy(&book, &copy).unwrap();
    let by_copy = format!("--threads 1 --book {}", copy.display());
    run(&options(&folder.0, &format!("--games 2 --resume {by_copy}"))).unwrap();
    std::fs::write(&book, format!("{start}\n{start}\n")).unwrap();
    let error = run(&options(&folder.0, &format!("--games 3 --resume {arguments}"))).unwrap_err();
    assert!(error.to_string().contains("made differently: book \""), "{error}");
}

#[test]
fn the_manifest_tells_what_is_there() {
    let folder = Folder::new("datagen-manifest");
    run(&options(&folder.0, "--games 3 --threads 1")).unwrap();
    run(&options(&folder.0, "--games 1 --threads 1 --resume")).unwrap();
    let manifest = folder.0.join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    assert!(text.contains("\"games\": 3"), "{text}");
    std::fs::remove_file(&manifest).unwrap();
    let before = std::fs::read(folder.file(0)).unwrap();
    let error = run(&options(&folder.0, "--games 5 --threads 1")).unwrap_err();
    assert!(error.to_string().contains("nothing tells"), "{error}");
    assert_eq!(std::fs::read(folder.file(0)).unwrap(), before);
}
