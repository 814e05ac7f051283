//! Files of games that can be gone on with.

use crate::viriformat::{GameReader, ScoredGame, ViriformatError};
use anyhow::{Context, Result, bail, ensure};
use kaiyo_files::replace_file;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::Path;

/// Name of the manifest in its folder.
pub const MANIFEST: &str = "manifest.json";

/// Name of the file of a thread's games.
pub fn file_name(thread: usize) -> String {
    format!("thread-{thread:02}.vf")
}

/// What made the games of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always "viriformat".
    pub format: String,
    /// Version of the generator, for people.
    pub version: String,
    /// Commit it was built from, for people.
    pub commit: String,
    /// What tells its search from others.
    #[serde(default)]
    pub search: String,
    /// Checksum of the network, if one evaluated.
    pub network: Option<String>,
    /// Checksum of the positions of the books, if games begin there.
    pub book: Option<String>,
    /// Number of the tablebases that end games.
    pub tablebases: usize,
    /// Number from which all random ones come.
    pub seed: u64,
    /// Threads, each with a file.
    pub threads: usize,
    /// Everything else that decides which games are played.
    pub options: String,
    /// Games asked for.
    pub games: u64,
}

impl Manifest {
    /// What sets the games of an earlier run apart from those of this one.
    fn differences(&self, old: &Self) -> Result<Vec<String>> {
        const FOR_PEOPLE: [&str; 3] = ["version", "commit", "games"];
        let fields = |manifest| serde_json::to_value::<&Self>(manifest);
        let (new, old) = (fields(self)?, fields(old)?);
        let names = new.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let differs = |name: &&str| !FOR_PEOPLE.contains(name) && new[*name] != old[*name];
        Ok(names
            .filter(differs)
            .map(|name| format!("{name} {} expected, found {}", old[name], new[name]))
            .collect())
    }

    /// Writes the manifest into a new folder; in an old one, tests that the games there were made
    /// in the same way, and that going on was asked for.
    ///
    /// # Errors
    /// The folder cannot be used.
    pub fn enter(&self, folder: &Path, resume: bool) -> Result<()> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let path = folder.join(MANIFEST);
        let mut games = self.games;
        if path.exists() {
            ensure!(resume, "{} holds games already: --resume goes on with them", folder.display());
            let text = std::fs::read_to_string(&path)?;
            let old: Self = serde_json::from_str(&text)
                .with_context(|| format!("{} is no manifest", path.display()))?;
            // More games may be asked for, but what is there stays.
            games = games.max(old.games);
            let differences = self.differences(&old)?;
            if !differences.is_empty() {
                bail!(
                    "the games in {} were made differently: {}",
                    folder.display(),
                    differences.join("; ")
                );
            }
        } else if let Some(found) =
            (0..self.threads).map(file_name).find(|name| folder.join(name).exists())
        {
            bail!("nothing tells how the games in {} were made", folder.join(found).display());
        }
        let text = serde_json::to_string_pretty(&Self { games, ..self.clone() })? + "\n";
        replace_file(&path, |output| Ok(output.write_all(text.as_bytes())?))
    }
}

/// A file that whole games are appended to.
#[derive(Debug)]
pub struct GameFile {
    file: File,
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    bytes: Vec<u8>,
}

impl GameFile {
    /// Opens a file, which may be new. A game at its end that was not written completely is
    /// removed.
    ///
    /// # Errors
    /// The file cannot be used, or holds something else than games.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        let (mut games, mut positions, mut end) = (0, 0, 0);
        let mut bytes = Vec::new();
        let mut reader = GameReader::new(BufReader::new(&file));
        loop {
            let game = match reader.next_game() {
                Ok(Some(game)) => game,
                Ok(None) | Err(ViriformatError::Truncated) => break,
                // Not the trace of an interruption: better not to touch the file.
                Err(error) => {
                    return Err(error).with_context(|| format!("in {}", path.display()));
                }
            };
            games += 1;
            positions += game.len() as u64;
            bytes.clear();
            game.encode(&mut bytes);
            end += bytes.len() as u64;
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, games, positions, bytes })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, game: &ScoredGame) -> Result<()> {
        self.bytes.clear();
        game.encode(&mut self.bytes);
        self.file.write_all(&self.bytes).context("cannot write the games")?;
        self.games += 1;
        self.positions += game.len() as u64;
        Ok(())
    }
}
