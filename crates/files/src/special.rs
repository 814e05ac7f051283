//! Files that are none.

use std::path::Path;

/// Whether there is something to open that may never end or answer, as a named pipe.
pub fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The same, but for what may be written to at any time, as `/dev/null`.
pub fn is_special_to_write(path: &Path) -> bool {
    is_special(path) && !is_character_device(path)
}

#[cfg(unix)]
fn is_character_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device())
}

#[cfg(not(unix))]
const fn is_character_device(_path: &Path) -> bool {
    false
}
