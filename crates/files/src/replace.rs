//! Files of which there is a whole one at any moment.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside its place and moved there when it is finished, so that a stop at any
/// moment leaves the old or the new one. What is no plain file, such as a pipe, is written itself. Two of them
/// for one place are refused, in one process or in several.
#[derive(Debug)]
pub struct Replacement {
    file: BufWriter<File>,
    path: PathBuf,
    /// Where the file is until it is finished, if not in its place.
    beside: Option<PathBuf>,
}

impl Replacement {
    /// Creates the file beside its place.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        // The file that a link leads to is replaced, and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let is_special = fs::metadata(&path).is_ok_and(|found| !found.is_file());
        let beside = (!is_special).then(|| with_ending(&path, ".tmp"));
        let file = match &beside {
            Some(beside) => create_alone(beside)?,
            None => File::create(&path)?,
        };
        Ok(Self { file: BufWriter::new(file), path, beside })
    }

    /// Its place.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file into its place.
    ///
    /// # Errors
    /// It cannot be written; the old one stays.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some(beside) = &self.beside {
            self.file.get_ref().sync_all()?;
            fs::rename(beside, &self.path)?;
            self.beside = None;
        }
        Ok(())
    }
}

impl Replacement {
    /// Puts what was written beside its place, under its name with this ending, which is returned: of work that was
    /// broken off.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep_as(mut self, ending: &str) -> io::Result<PathBuf> {
        if self.beside.is_some() {
            self.path = with_ending(&self.path, ending);
        }
        let path = self.path.clone();
        self.finish()?;
        Ok(path)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // Half a file serves nobody; if it cannot be removed, it does no harm either.
            let _ = fs::remove_file(beside);
        }
    }
}

/// An empty file that nobody else is writing.
fn create_alone(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let reason = "it is being written already";
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, reason));
            }
            // Some file systems know no locks.
            Err(TryLockError::Error(_)) => {}
        }
        // Before it was locked, another writer may have put it into its place or removed it.
        if is_at(&file, path) {
            file.set_len(0)?;
            return Ok(file);
        }
    }
}

/// Whether the path leads to this file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().is_ok_and(|a| fs::metadata(path).is_ok_and(|b| same(a, b)))
}

/// Whether the path leads to this file. Where open files cannot be moved, it does.
#[cfg(not(unix))]
const fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

/// A path with more at its end, so that names that differ go on to differ.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Writes a whole file, or leaves the old one.
///
/// # Errors
/// The file cannot be written; the old one stays.
pub fn replace_file(path: &Path, write: impl FnOnce(&mut Replacement) -> Result<()>) -> Result<()> {
    let context = || format!("cannot write {}", path.display());
    let mut output = Replacement::create(path).with_context(context)?;
    write(&mut output).with_context(context)?;
    output.finish().with_context(context)
}

/// Tests before long work that its result can be written to this place.
///
/// # Errors
/// It cannot.
pub fn ensure_writable(path: &Path) -> Result<()> {
    let output = Replacement::create(path);
    output.map(drop).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn a_failure_leaves_the_old_file() {
        let path = std::env::temp_dir().join(format!("kaiyo-replace-{}.txt", std::process::id()));
        let write = |text: &'static str| {
            move |output: &mut Replacement| Ok(output.write_all(text.as_bytes())?)
        };
        replace_file(&path, write("old")).unwrap();
        let failure = replace_file(&path, |output| {
            output.write_all(b"half")?;
            bail!("no more")
        });
        assert!(format!("{:#}", failure.unwrap_err()).contains("no more"));
        ensure_writable(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert!(!with_ending(&path, ".tmp").exists());
        replace_file(&path, write("new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        fs::remove_file(&path).unwrap();
        assert!(ensure_writable(Path::new("/no/such/folder/file")).is_err());
    }

    #[test]
    fn nobody_writes_into_what_another_writes() {
        let path = std::env::temp_dir().join(format!("kaiyo-busy-{}.txt", std::process::id()));
        let mut first = Replacement::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        assert!(Replacement::create(&path).is_err());
        assert!(ensure_writable(&path).is_err());
        first.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        let mut half = Replacement::create(&path).unwrap();
        half.write_all(b"half").unwrap();
        let kept = half.keep_as(".partial").unwrap();
        assert_eq!(kept, with_ending(&fs::canonicalize(&path).unwrap(), ".partial"));
        assert_eq!(fs::read_to_string(&kept).unwrap(), "half");
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        fs::remove_file(kept).unwrap();
        replace_file(&path, |output| Ok(output.write_all(b"second")?)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_moved_away_is_not_at_its_path() {
        let path = std::env::temp_dir().join(format!("kaiyo-moved-{}.txt", std::process::id()));
        let file = create_alone(&path).unwrap();
        assert!(is_at(&file, &path));
        let elsewhere = with_ending(&path, ".moved");
        fs::rename(&path, &elsewhere).unwrap();
        assert!(!is_at(&file, &path));
        fs::write(&path, "another").unwrap();
        assert!(!is_at(&file, &path));
        for path in [path, elsewhere] {
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn endings_keep_names_apart() {
        assert_eq!(with_ending(Path::new("a/spsa.1"), ".csv"), Path::new("a/spsa.1.csv"));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = std::env::temp_dir().join(format!("kaiyo-link-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, link) = (folder.join("file"), folder.join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace_file(&link, |output| Ok(output.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        fs::remove_dir_all(&folder).unwrap();
        replace_file(Path::new("/dev/null"), |output| Ok(output.write_all(b"x")?)).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
