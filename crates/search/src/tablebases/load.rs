//! Finding tables in folders.

use kaiyo_chess::quote;
use kaiyo_tablebases::{TableKind, Tablebases};
use std::fmt;
use std::path::{Path, PathBuf};

/// Faults that are told; the others are counted.
const TOLD_FAULTS: usize = 3;

/// How many tables an engine has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TablebaseCount {
    /// Those with results.
    pub wdl: usize,
    /// Those with distances.
    pub dtz: usize,
    /// The most men of a position whose result is known.
    pub most_men: usize,
}

impl TablebaseCount {
    pub(crate) const fn of(tables: &Tablebases) -> Self {
        Self {
            wdl: tables.count(TableKind::Wdl),
            dtz: tables.count(TableKind::Dtz),
            most_men: tables.most_men(),
        }
    }

    /// Whether there is no table.
    pub const fn is_empty(self) -> bool {
        self.wdl == 0 && self.dtz == 0
    }
}

impl fmt::Display for TablebaseCount {
    /// Without a verb, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} WDL and {} DTZ tables, up to {} men", self.wdl, self.dtz, self.most_men)
    }
}

/// What came of loading tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadedTablebases {
    /// The tables in use.
    pub count: TablebaseCount,
    /// What is wrong with other folders and files.
    pub faults: Option<String>,
}

impl fmt::Display for LoadedTablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.count.fmt(f)?;
        self.faults.as_ref().map_or(Ok(()), |faults| write!(f, "; but {faults}"))
    }
}

#[cfg(not(target_family = "wasm"))]
fn split(folders: &str) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(folders)
}

/// WebAssembly has no separator of its own.
#[cfg(target_family = "wasm")]
fn split(folders: &str) -> impl Iterator<Item = PathBuf> {
    folders.split(':').map(PathBuf::from)
}

/// The tables in `folders`, which stand between separators of the system's search paths, and in one
/// line what is wrong with folders and files.
pub(crate) fn load(folders: &str) -> (Tablebases, Option<String>) {
    let mut tables = Tablebases::new();
    let mut faults = Vec::new();
    for folder in split(folders).filter(|folder| !folder.as_os_str().is_empty()) {
        match tables.add_folder(&folder) {
            Err(error) => {
                faults.push(format!("cannot read the folder {}: {error}", quoted(&folder)))
            }
            Ok(scan) => {
                if scan.added == 0 && scan.damaged.is_empty() {
                    faults.push(format!("no new tables in {}", quoted(&folder)));
                }
                if let Some((path, error)) = scan.damaged.first() {
                    let more = match scan.damaged.len() - 1 {
                        0 => String::new(),
                        others => format!(", and {others} more files are unfit"),
                    };
                    faults.push(format!("the table {} {error}{more}", quoted(path)));
                }
            }
        }
    }
    let more = faults.len().saturating_sub(TOLD_FAULTS);
    faults.truncate(TOLD_FAULTS);
    if more > 0 {
        faults.push(format!("{more} more faults"));
    }
    (tables, (!faults.is_empty()).then(|| faults.join("; ")))
}

fn quoted(path: &Path) -> String {
    quote(&path.to_string_lossy()).to_string()
}
