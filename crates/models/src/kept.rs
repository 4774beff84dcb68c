//! Models that stay open between questions, in a process that answers many: opening a transformer takes longer than
//! asking it.
//!
//! A kept model is that of its files as they are: one that was changed, replaced or removed is opened anew.

use std::any::{Any, type_name};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gik_base::{FileStat, Result, fs};

use crate::Options;

/// A user has one or two; each takes about as much memory as its files are large.
const MOST: usize = 3;

static IS_ON: AtomicBool = AtomicBool::new(false);
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

struct Kept {
    key: String,
    model: Arc<dyn Any + Send + Sync>,
}

/// Has models of folders stay open from here on.
pub fn keep_models_open() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// The model of a folder, opened before or now.
pub(crate) fn kept_or_opened<T: Send + Sync + 'static>(
    folder: &Path,
    name: &str,
    options: Options,
    open: impl FnOnce() -> Result<T>,
) -> Result<Arc<T>> {
    if !IS_ON.load(Ordering::Relaxed) {
        return open().map(Arc::new);
    }
    // Looked at before the files are read: a change meanwhile makes the next look differ.
    let key = key_of::<T>(folder, name, options)?;
    let found = find(&mut locked(), &key);
    if let Some(model) = found.and_then(|model| model.downcast().ok()) {
        return Ok(model);
    }
    let model = Arc::new(open()?);
    let mut all = locked();
    // Another question may have opened it meanwhile.
    all.retain(|kept| kept.key != key);
    all.truncate(MOST - 1);
    all.insert(0, Kept { key, model: Arc::<T>::clone(&model) });
    Ok(model)
}

/// The one of that key, which becomes the first.
fn find(all: &mut [Kept], key: &str) -> Option<Arc<dyn Any + Send + Sync>> {
    let at = all.iter().position(|kept| kept.key == key)?;
    all[..=at].rotate_right(1);
    Some(Arc::clone(&all[0].model))
}

/// What decides about a model: its kind, how it is opened, and the state of its files.
fn key_of<T>(folder: &Path, name: &str, options: Options) -> Result<String> {
    let mut key = format!("{} {name:?} {options:?} {folder:?}", type_name::<T>());
    for path in fs::list_dir(folder)? {
        let stat = FileStat::of_any_change(&fs::metadata(&path)?);
        // Writing to a string cannot fail.
        let _ = write!(key, "\n{path:?} {stat:?}");
    }
    Ok(key)
}

fn locked() -> MutexGuard<'static, Vec<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_model_is_opened_once_and_again_when_its_files_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.json");
        std::fs::write(&file, "1").unwrap();
        let opened = Cell::new(0);
        let open = |name: &str| {
            kept_or_opened(folder.path(), name, Options::default(), || {
                opened.set(opened.get() + 1);
                Ok(std::fs::read_to_string(&file).unwrap())
            })
            .unwrap()
        };
        open("a");
        open("a");
        assert_eq!(opened.get(), 2, "nothing is kept where nobody asked for it");
        keep_models_open();
        let first = open("a");
        assert!(Arc::ptr_eq(&first, &open("a")));
        assert_eq!((opened.get(), first.as_str()), (3, "1"));
        std::fs::write(&file, "22").unwrap();
        assert_eq!(open("a").as_str(), "22");
        // Other models push out the one that was not asked for longest.
        for name in ["b", "c", "a", "d"] {
            open(name);
        }
        assert_eq!(opened.get(), 7);
        assert_eq!(locked().len(), MOST);
        open("a");
        assert_eq!(opened.get(), 7);
        open("b");
        assert_eq!(opened.get(), 8);
    }
}
