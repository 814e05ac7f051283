//! Scores of searches that are kept in a file.

use anyhow::{Context, Result, ensure};
use kaiyo_search::Score;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

/// Scores by the key of the position and the nodes of the search, in memory and, if wanted, in
/// a file: a line of key, nodes and centipawns for each.
#[derive(Default)]
pub struct Scores {
    known: HashMap<(u64, u64), i32>,
    file: Option<File>,
}

impl Scores {
    /// The scores in a file, which is made if there is none. Its first line is `title`, which
    /// tells what searched: scores of another engine are of no use.
    ///
    /// # Errors
    /// The file cannot be read or has another title.
    pub fn open(path: &Path, title: &str) -> Result<Self> {
        let context = || format!("cannot use the scores in {}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(context)?;
        let mut known = HashMap::new();
        if file.metadata().with_context(context)?.len() == 0 {
            writeln!(file, "{title}").with_context(context)?;
        } else {
            let mut lines = BufReader::new(&file).lines();
            let found = lines.next().transpose().with_context(context)?.unwrap_or_default();
            ensure!(
                found == title,
                "the scores in {} are of '{found}', expected '{title}'",
                path.display()
            );
            let mut is_cut = false;
            for line in lines {
                let line = line.with_context(context)?;
                is_cut = !line.ends_with('.');
                if let Some((key, nodes, score)) = parse(&line) {
                    known.insert((key, nodes), score);
                }
            }
            // The last line of a run that was broken off stays alone.
            if is_cut {
                writeln!(file).with_context(context)?;
            }
        }
        Ok(Self { known, file: Some(file) })
    }

    /// The score of a search, if it is known.
    pub fn get(&self, key: u64, nodes: u64) -> Option<i32> {
        self.known.get(&(key, nodes)).copied()
    }

    /// Keeps a score.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn insert(&mut self, key: u64, nodes: u64, score: Score) -> Result<()> {
        self.known.insert((key, nodes), score.value());
        if let Some(file) = &mut self.file {
            writeln!(file, "{key:016x} {nodes} {}.", score.value())
                .context("cannot write the scores")?;
        }
        Ok(())
    }
}

/// Key, nodes and score of a line; the point at its end shows that it is whole.
fn parse(line: &str) -> Option<(u64, u64, i32)> {
    let mut words = line.strip_suffix('.')?.split(' ');
    let key = u64::from_str_radix(words.next()?, 16).ok()?;
    let known = (key, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_found_again_by_the_same_engine() {
        let path = std::env::temp_dir().join(format!("kaiyo-scores-{}", std::process::id()));
        let mut scores = Scores::open(&path, "engine A").unwrap();
        scores.insert(5, 100, Score::centipawns(-31)).unwrap();
        scores.insert(5, 200, Score::mate_in(3)).unwrap();
        write!(scores.file.as_mut().unwrap(), "0000000000000007 100 -3").unwrap();
        let mut again = Scores::open(&path, "engine A").unwrap();
        assert_eq!(again.get(5, 100), Some(-31));
        assert_eq!(again.get(5, 200), Some(Score::mate_in(3).value()));
        assert_eq!((again.get(5, 300), again.get(7, 100)), (None, None));
        // What comes after a line that was cut is not lost with it.
        again.insert(9, 100, Score::centipawns(4)).unwrap();
        let third = Scores::open(&path, "engine A").unwrap();
        assert_eq!(
            (third.get(9, 100), third.get(5, 100), third.get(7, 100)),
            (Some(4), Some(-31), None)
        );
        let other = Scores::open(&path, "engine B").map(|_| ()).unwrap_err().to_string();
        assert!(other.contains("engine A") && other.contains("engine B"), "{other}");
        std::fs::remove_file(&path).unwrap();
    }
}
