//! Whole trainings.

use super::*;
use crate::test_folder::Folder;
use crate::viriformat::{PositionWriter, ScoredPosition};
use clap::Parser;
use kaiyo_chess::{Position, Random};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    options: Options,
}

impl Folder {
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Trains for a few steps on small batches; file names are those of this folder.
    fn train(&self, arguments: &str) -> Result<()> {
        let fixed =
            "nnue --steps 6 --warmup 2 --batch 64 --validation-share 0 --checkpoint-every 3";
        let words = fixed.split(' ').chain(arguments.split(' ')).map(|word| match word {
            "data.bin" | "out.nnue" | "again.nnue" | "run" => self.path(word).display().to_string(),
            _ => word.to_owned(),
        });
        run(&Command::try_parse_from(words).unwrap().options)
    }
}

fn write_positions(path: &Path) {
    let mut writer = PositionWriter::create(path).unwrap();
    let mut random = Random::new(1);
    for score in 0..600 {
        let position = Position::start().after_random_moves(8, &mut random);
        let position = position.unwrap_or_else(Position::start);
        writer.write(&ScoredPosition { position, score: score - 300, result: None }).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn a_training_is_repeatable_and_its_checkpoint_its_own() {
    let folder = Folder::new("nnue-run");
    write_positions(&folder.path("data.bin"));
    folder.train("--data data.bin --out out.nnue --checkpoint run").unwrap();
    folder.train("--data data.bin --out again.nnue --threads 1").unwrap();
    let bytes = |name| std::fs::read(folder.path(name)).unwrap();
    let network = bytes("out.nnue");
    assert!(network == bytes("again.nnue"), "another number of threads makes another network");
    assert!(network == bytes("run/network.nnue"), "the network of the last checkpoint");
    let lines = String::from_utf8(bytes("run/log.csv")).unwrap().lines().count();
    assert_eq!(lines, 3, "a header and what was measured at two checkpoints");
    for (arguments, fault) in [
        ("--checkpoint run", "--resume goes on"),
        ("--checkpoint run --resume --lr 0.5", "other options"),
        ("--keep-share 50", "--keep-share must be above 0"),
        ("--threads 100000", "--threads must be from 1 to 1024"),
        ("--scale inf", "--scale must be a positive number"),
    ] {
        let error =
            folder.train(&format!("--data data.bin --out out.nnue {arguments}")).unwrap_err();
        assert!(format!("{error:#}").contains(fault), "{arguments}: {error:#}");
    }
    let error = folder.train("--data data.bin --out data.bin").unwrap_err();
    assert!(error.to_string().contains("is read and written"), "{error}");
    folder.train("--data data.bin --out again.nnue --checkpoint run --resume").unwrap();
    assert!(bytes("again.nnue") == network, "nothing was left to train");
}
