//! Files of which there is a whole one at any moment.

use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

/// Writes a file beside its place and moves it there, so that a stop at any moment leaves the old or the
/// new one.
///
/// # Errors
/// The file cannot be written; the old one stays.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    let context = || format!("cannot write {}", path.display());
    let beside = path.with_extension("tmp");
    let mut output = BufWriter::new(File::create(&beside).with_context(context)?);
    write(&mut output).with_context(context)?;
    let file = output.into_inner().map_err(|error| error.into_error()).with_context(context)?;
    file.sync_all().with_context(context)?;
    fs::rename(&beside, path).with_context(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::io::Write;

    #[test]
    fn a_failure_leaves_the_old_file() {
        let path = std::env::temp_dir().join(format!("kaiyo-replace-{}.txt", std::process::id()));
        let write = |text: &'static str| {
            move |output: &mut BufWriter<File>| Ok(output.write_all(text.as_bytes())?)
        };
        replace_file(&path, write("old")).unwrap();
        let failure = replace_file(&path, |output| {
            output.write_all(b"half")?;
            bail!("no more")
        });
        assert!(format!("{:#}", failure.unwrap_err()).contains("no more"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        replace_file(&path, write("new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        fs::remove_file(&path).unwrap();
    }
}
