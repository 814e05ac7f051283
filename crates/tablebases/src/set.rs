//! The tables found in folders.

use crate::error::TableError;
use crate::material::Material;
use crate::table::{Table, TableKind, is_possible_len, open_file};
use core::hash::BuildHasherDefault;
use kaiyo_chess::{KeyHasher, Position};
use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A set of tables, which threads may share.
///
/// Of each kind and material the first table added counts.
#[derive(Debug, Default)]
pub struct Tablebases {
    /// By the men as in the name, and as they are with colours exchanged.
    tables: HashMap<u64, Files, BuildHasherDefault<KeyHasher>>,
    counts: [usize; 2],
    most_men: usize,
    /// What was found wrong with tables since the last [`Self::take_faults`].
    faults: Mutex<Vec<String>>,
}

/// The files of one material, by kind.
type Files = [Option<std::sync::Arc<LazyTable>>; 2];

/// What looking through a folder showed.
#[derive(Debug, Default)]
pub struct Scan {
    /// Tables that were added.
    pub added: usize,
    /// Files with names of tables that are none, with the reasons.
    pub damaged: Vec<(PathBuf, TableError)>,
}

/// A table that is opened when it is first needed.
#[derive(Debug)]
struct LazyTable {
    path: PathBuf,
    material: Material,
    kind: TableKind,
    table: OnceLock<Option<Table>>,
    /// Whether a fault was reported. One report is enough, however often it shows.
    reported: AtomicBool,
}

impl Tablebases {
    /// A set without tables. It knows only that bare kings draw.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the tables in a folder. Only length and first bytes of each file are looked at now.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn add_folder(&mut self, folder: &Path) -> std::io::Result<Scan> {
        let mut paths = fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()?;
        paths.sort();
        let mut scan = Scan::default();
        for path in paths {
            let Some((material, kind)) = of_file_name(&path) else { continue };
            match check_file(&path, kind) {
                Ok(()) => scan.added += usize::from(self.add(path, material, kind)),
                Err(error) => scan.damaged.push((path, error)),
            }
        }
        Ok(scan)
    }

    /// Adds a table unless there is one of this kind and material.
    fn add(&mut self, path: PathBuf, material: Material, kind: TableKind) -> bool {
        let files = self.tables.entry(material.key()).or_default();
        if files[kind as usize].is_some() {
            return false;
        }
        let lazy = std::sync::Arc::new(LazyTable {
            path,
            material,
            kind,
            table: OnceLock::new(),
            reported: AtomicBool::new(false),
        });
        files[kind as usize] = Some(lazy.clone());
        self.tables.entry(material.swapped().key()).or_default()[kind as usize] = Some(lazy);
        self.counts[kind as usize] += 1;
        if kind == TableKind::Wdl {
            self.most_men = self.most_men.max(material.men());
        }
        true
    }

    /// Number of tables of a kind.
    pub const fn count(&self, kind: TableKind) -> usize {
        self.counts[kind as usize]
    }

    /// The most men of a position whose result is known; zero without tables.
    pub const fn most_men(&self) -> usize {
        self.most_men
    }

    /// What was found wrong with tables since this was last asked, each table once.
    pub fn take_faults(&self) -> Vec<String> {
        std::mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What `read` finds in the table of a position. `None` if there is none or it is damaged.
    pub(crate) fn with_table<T>(
        &self,
        position: &Position,
        kind: TableKind,
        read: impl FnOnce(&Table) -> Result<T, TableError>,
    ) -> Option<T> {
        let lazy = self.tables.get(&Material::of(position).key())?[kind as usize].as_deref()?;
        let table = lazy.table.get_or_init(|| {
            Table::open(&lazy.path, lazy.material, lazy.kind)
                .map_err(|error| self.report(lazy, &error))
                .ok()
        });
        read(table.as_ref()?).map_err(|error| self.report(lazy, &error)).ok()
    }

    #[cold]
    fn report(&self, lazy: &LazyTable, error: &TableError) {
        if !lazy.reported.swap(true, Relaxed) {
            let fault = format!("the table {} {error}", lazy.path.display());
            self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
        }
    }
}

/// Which table a file with this name is.
fn of_file_name(path: &Path) -> Option<(Material, TableKind)> {
    let extension = path.extension()?.to_str()?;
    let kind = TableKind::ALL.into_iter().find(|kind| kind.extension() == extension)?;
    Some((path.file_stem()?.to_str()?.parse().ok()?, kind))
}

/// Looks at what shows without reading a file whether it can be a table.
fn check_file(path: &Path, kind: TableKind) -> Result<(), TableError> {
    let mut file = open_file(path)?;
    let len = file.metadata()?.len();
    if !is_possible_len(len) {
        return Err(TableError::Length(len));
    }
    let mut magic = [0; 4];
    file.read_exact(&mut magic)?;
    if magic == kind.magic() { Ok(()) } else { Err(TableError::Magic) }
}
