//! The walk over a workspace that was walked before: folders whose time did not change are not listed again, their files
//! are only looked at. As git does with its cache of untracked files.
//!
//! What counts beyond the listings (ignore files, nested repositories, markers) is checked first; if any of it changed,
//! or if too many folders did, everything is walked anew. So the result is always that of [`super::walk`].

use std::path::Path;

use gik_base::collections::HashSet;
use gik_base::{Below, Cancel, FileKey, FolderStat, Result, clock, parallel};

use super::seen::Taken;
use super::{Explain, Found, Listed, Seen, WalkOptions, Walked, too_large};
use crate::changes::is_racy;
use crate::explain::{Approach, approach};
use crate::rules::{Grounds, Rules, Standing};
use crate::skip::Skipped;
use crate::traverse::{Folder, Part, Traversal, Wanted, unreadable};

/// Everything in the workspace, as [`super::walk`] finds it without [`Explain::WithSkipped`]; and what to keep for the
/// next time, where it differs from `seen` by enough to matter.
pub fn walk_again(
    root: &Path,
    options: &WalkOptions,
    cancel: &Cancel,
    seen: Option<Seen>,
) -> Result<(Walked, Option<Seen>)> {
    let options = &WalkOptions { explain: Explain::Quiet, ..options.clone() };
    let look = Look { root, options, cancel, looked_at_ns: clock::now_ns() };
    if let Some(seen) = seen.filter(|seen| seen.grounds.hold(root))
        && let Some(walked) = look.again(seen)?
    {
        return Ok(walked);
    }
    look.first()
}

struct Look<'a> {
    root: &'a Path,
    options: &'a WalkOptions,
    cancel: &'a Cancel,
    looked_at_ns: i64,
}

/// What became of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Same,
    /// The same folder with other names in it, perhaps.
    Changed,
    /// Not there, or another one.
    Gone,
}

/// Each thread gets at least this many: whoever waits for the look reads the index meanwhile, and a thread more would
/// only take a core from that.
const WORTH_A_THREAD: usize = 512;
/// What is kept is written anew when one in this many folders had to be listed.
const WORTH_WRITING: usize = 16;
/// Everything is walked anew when one in this many folders changed.
const TOO_MANY: usize = 3;

impl Look<'_> {
    fn first(&self) -> Result<(Walked, Option<Seen>)> {
        let (rules, layer) = Rules::load(self.root)?;
        let folder = Folder {
            path: self.root.to_owned(),
            key: String::new(),
            layer,
            standing: Standing::Open,
        };
        let mut all = Part::default();
        Traversal::new(self.root, &rules, self.options, self.cancel)
            .wanting(Wanted::FilesAndListed)
            .run(vec![folder], &mut all)?;
        self.settle(&mut all.listed);
        let walked = all.walked.sorted();
        if all.has_reached || !FolderStat::can_be_trusted(self.root) {
            return Ok((walked, None));
        }
        Ok(self.keep(walked, rules.into_grounds(), all.listed))
    }

    /// What was found, and what to keep of it where that will be of use.
    fn keep(
        &self,
        walked: Walked,
        grounds: Grounds,
        mut folders: Vec<Listed>,
    ) -> (Walked, Option<Seen>) {
        folders.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        let files = taken(&folders, &walked);
        // Such a key is no path.
        let encoded = FileKey::ENCODED.trim_end_matches('/');
        if !grounds.are_settled(self.looked_at_ns)
            || folders.iter().any(|folder| folder.key.starts_with(encoded))
            || files.iter().any(|file| file.key.as_str().starts_with(encoded))
        {
            return (walked, None);
        }
        (walked, Some(Seen { grounds, folders, files }))
    }

    /// The walk with the help of an earlier one; `None` where that is of no use.
    fn again(&self, seen: Seen) -> Result<Option<(Walked, Option<Seen>)>> {
        let Ok(below) = Below::open(self.root) else { return Ok(None) };
        let states =
            parallel::in_parts(&seen.folders, self.n_threads(seen.folders.len()), |folders| {
                states(&below, folders)
            });
        let n_changed = states.iter().filter(|state| **state != State::Same).count();
        if n_changed > WORTH_WRITING && n_changed * TOO_MANY > states.len() {
            return Ok(None);
        }
        let mut part = Part::default();
        let mut grounds = Grounds::default();
        if n_changed > 0 {
            let (rules, layer) = Rules::load(self.root)?;
            let mut folders = Vec::new();
            let mut known = HashSet::default();
            for (folder, state) in seen.folders.iter().zip(&states) {
                if *state == State::Changed {
                    let key = FileKey::from_text(&*folder.key);
                    let Approach::Folder {
                        path, layer, standing: standing @ Standing::Open, ..
                    } = approach(self.root, &rules, &layer, &key)?
                    else {
                        return Ok(None);
                    };
                    folders.push(Folder { path, key: folder.key.clone(), layer, standing });
                }
                if *state != State::Gone {
                    known.insert(&*folder.key);
                }
            }
            Traversal::new(self.root, &rules, self.options, self.cancel)
                .wanting(Wanted::FilesAndListed)
                .leaving_alone(known)
                .run(folders, &mut part)?;
            grounds = rules.into_grounds();
            // A new ignore file says something about folders that were not looked into again.
            if part.has_reached || !grounds.are_covered_by(&seen.grounds) {
                return Ok(None);
            }
        }
        let Some(alive) = alive(&seen.folders, &states, &part) else { return Ok(None) };
        let mut walked = part.walked;
        let look_at = |files: &[Taken]| vec![self.look_at(&below, files, &alive)];
        for looked in parallel::in_parts(&seen.files, self.n_threads(seen.files.len()), look_at) {
            walked.files.extend(looked.files);
            walked.skipped.extend(looked.skipped);
        }
        self.cancel.check()?;
        let walked = walked.sorted();
        self.settle(&mut part.listed);
        let is_settling = seen.folders.iter().any(|folder| !folder.is_settled)
            && part.listed.iter().all(|folder| folder.is_settled);
        if n_changed * WORTH_WRITING <= states.len() && !is_settling {
            return Ok(Some((walked, None)));
        }
        let kept = seen.folders.into_iter().zip(alive).filter(|(_, is_alive)| *is_alive);
        part.listed.extend(kept.map(|(folder, _)| folder));
        Ok(Some(self.keep(walked, seen.grounds.and(grounds), part.listed)))
    }

    fn look_at(&self, below: &Below, files: &[Taken], alive: &[bool]) -> Walked {
        let mut walked = Walked::default();
        for Taken { folder, key } in files {
            if !alive.get(*folder as usize).copied().unwrap_or_default() {
                continue;
            }
            match below.file(key.as_str()) {
                Ok(Some(stat)) => match too_large(stat.size, self.options.max_file_bytes) {
                    Some(reason) => walked.skipped.push(Skipped { key: key.clone(), reason }),
                    None => walked.files.push(Found { key: key.clone(), stat }),
                },
                // It went away, or became something else, in this very moment.
                Ok(None) => {},
                Err(failure) => {
                    let reason = unreadable(&failure);
                    walked.skipped.push(Skipped { key: key.clone(), reason });
                },
            }
        }
        walked
    }

    /// As many threads as pay.
    fn n_threads(&self, n_items: usize) -> usize {
        self.options.threads.min(n_items / WORTH_A_THREAD)
    }

    /// Marks folders whose time will not tell of the next change.
    fn settle(&self, listed: &mut [Listed]) {
        let device = FolderStat::at(self.root).unwrap_or_default().device;
        for folder in listed {
            let Listed { stat, is_settled, .. } = folder;
            *is_settled &= stat.device == device
                && !is_racy(stat.mtime_ns, self.looked_at_ns)
                && !is_racy(stat.ctime_ns, self.looked_at_ns);
        }
    }
}

fn states(below: &Below, folders: &[Listed]) -> Vec<State> {
    let state = |folder: &Listed| match below.folder(&folder.key) {
        Some(now) if now == folder.stat && folder.is_settled => State::Same,
        Some(now) if now.inode == folder.stat.inode && now.device == folder.stat.device => {
            State::Changed
        },
        _ => State::Gone,
    };
    folders.iter().map(state).collect()
}

/// For each folder whether its files are where they were; `None` where the answers do not fit together.
fn alive(folders: &[Listed], states: &[State], part: &Part) -> Option<Vec<bool>> {
    let met: HashSet<&str> = part.met.iter().map(String::as_str).collect();
    let mut reached = vec![false; folders.len()];
    for (at, folder) in folders.iter().enumerate() {
        if folder.key.is_empty() {
            reached[at] = states[at] != State::Gone;
        } else {
            let above = Seen::folder_of(folders, &folder.key)? as usize;
            let is_listed = states[above] == State::Same || met.contains(&*folder.key);
            reached[at] = reached[above] && is_listed && states[at] != State::Gone;
            // Another folder is in its place, and nothing told: something was mounted there.
            if reached[above] && states[above] == State::Same && states[at] == State::Gone {
                return None;
            }
        }
        let is_met = states[at] == State::Changed || met.contains(&*folder.key);
        if !reached[at] && (is_met || folder.key.is_empty()) {
            return None;
        }
    }
    let is_alive = |(reached, state): (bool, &State)| reached && *state == State::Same;
    Some(reached.into_iter().zip(states).map(is_alive).collect())
}

/// The names that a walk took, whatever became of them after.
fn taken(folders: &[Listed], walked: &Walked) -> Vec<Taken> {
    let is_listed = |key: &str| folders.binary_search_by(|folder| (*folder.key).cmp(key)).is_ok();
    let skipped = walked.skipped.iter().map(|skipped| &skipped.key);
    let mut keys: Vec<&FileKey> = walked.files.iter().map(|file| &file.key).collect();
    keys.extend(skipped.filter(|key| !is_listed(key.as_str())));
    keys.sort_unstable();
    let taken = |key: &FileKey| {
        Some(Taken { folder: Seen::folder_of(folders, key.as_str())?, key: key.clone() })
    };
    keys.into_iter().filter_map(taken).collect()
}

#[cfg(test)]
mod tests;
