//! Finding tables in folders.

use kaiyo_tablebases::Tablebases;
use std::env;

/// The tables in `folders`, which stand between separators of the system's search paths, and in one
/// line what is wrong with folders and files.
pub(crate) fn load(folders: &str) -> (Tablebases, Option<String>) {
    let mut tables = Tablebases::new();
    let mut faults = Vec::new();
    for folder in env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()) {
        match tables.add_folder(&folder) {
            Err(error) => {
                faults.push(format!("cannot read the folder {}: {error}", folder.display()))
            }
            Ok(scan) => {
                if scan.added == 0 && scan.damaged.is_empty() {
                    faults.push(format!("no new tables in {}", folder.display()));
                }
                if let Some((path, error)) = scan.damaged.first() {
                    let more = match scan.damaged.len() - 1 {
                        0 => String::new(),
                        others => format!(", and {others} more files are unfit"),
                    };
                    faults.push(format!("the table {} {error}{more}", path.display()));
                }
            }
        }
    }
    (tables, (!faults.is_empty()).then(|| faults.join("; ")))
}
