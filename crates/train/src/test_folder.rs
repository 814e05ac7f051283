//! A folder for the files of one test.

use std::path::PathBuf;

/// A folder that is removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty folder. No other test may take the name.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kaiyo-train-{name}-{}", std::process::id()));
        // An earlier process with the same number may have left one.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
