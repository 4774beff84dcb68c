//! Two passes over what changed: first words, so that they can be searched, then structure.
//!
//! What was done becomes a generation part by part. A command that is interrupted or killed keeps the parts it made, and
//! the next one goes on with the files that still have to be taken apart. Little work is done in one pass and one part.

use gik_base::collections::HashMap;
use gik_base::hash::Digest;
use gik_base::parallel::Ahead;
use gik_base::{ErrorCode, Failure, FileKey, Result, clock, parallel};
use gik_index::FileNo;
use gik_store::{FileOrigin, FileRow, FileState, RemoteState, Stage, Store, Writer};

use super::archive::{ArchiveSource, MEMBER_MARK, write_archive};
use super::build_state::Build;
use super::difference::{Difference, is_assigned};
use super::kept::KeptPage;
use super::memory::Limit;
use super::pipeline::{Outcome, Request};
use super::prepare::{Departed, Depth, Job, KnownFile, Prepared, PreparedFile, Taste, prepare};
use super::recent::{Recent, RecentFile};
use super::sources::{Page, fetch_page, prepare_page, write_page};
use super::write::write_file;
use crate::Workspace;
use crate::modes::Modes;

/// From this much text on, words come first: taking it apart takes seconds.
const STAGED_FROM_BYTES: u64 = 8 << 20;
/// So much text becomes a generation of its own, or less where its words take much memory.
const PART_BYTES: u64 = 32 << 20;

/// What discovery found.
pub(super) struct Work {
    pub(super) difference: Difference,
    pub(super) departed: Vec<(Digest, Departed)>,
    pub(super) remotes: HashMap<String, RemoteState>,
    pub(super) kept_pages: Vec<KeptPage>,
    /// Pages to fetch: url and base.
    pub(super) pages: Vec<(String, Option<String>)>,
}

/// Writes everything that changed. Gives the files of the index, and what was read of them.
pub(super) fn write_changes(
    ws: &Workspace<'_>,
    store: &mut Store,
    request: &Request<'_>,
    work: Work,
    outcome: &mut Outcome,
) -> Result<(Vec<FileRow>, Recent)> {
    let Work { difference, departed, remotes, kept_pages, pages } = work;
    let has_fts = request.with_fts || store.has_fts()?;
    let mut build = Build::new(ws, &difference, has_fts);
    build.lack_vectors(store.files_without_vectors()?);
    let mut writer = store.writer()?;
    let limit = Limit::of(ws);
    limit.apply(ws, &mut writer);
    begin(&mut writer, request, &difference)?;
    let mut run = Run {
        ws,
        request,
        difference: &difference,
        build,
        writer,
        outcome,
        taken_over: 0,
        part_bytes: 0,
        is_torn: false,
        limit,
        recent: Recent::default(),
    };
    run.remove_gone()?;
    // First of all, because nothing else has them where the index is made anew.
    for page in kept_pages {
        let file = prepare_page(&page.key, page.text.clone(), &page.base, difference.modes);
        write_page(&mut run.writer, file, &page.text, &page.remote)?;
    }
    run.take_in(&jobs(request, &difference), &departed)?;
    for (url, base) in &pages {
        run.fetch(url, base.as_deref(), remotes.get(url))?;
    }
    // A file that moved was counted as gone and as found again; it is neither.
    run.outcome.removed = run.outcome.removed.saturating_sub(run.taken_over);
    let (writer, mut build, recent) = run.end();
    note_look(&writer, &difference)?;
    writer.set_workspace(&ws.root.to_string_lossy(), clock::now().as_second())?;
    let files = writer.commit_from(Some(difference.into_files()))?;
    build.lack_vectors(store.files_without_vectors()?);
    build.tell(ws.ctx.progress);
    Ok((files, recent))
}

/// What holds from the first part on.
fn begin(writer: &mut Writer<'_>, request: &Request<'_>, difference: &Difference) -> Result<()> {
    if request.with_fts {
        writer.create_fts()?;
    }
    if difference.reads_everything(request) {
        writer.restage_all()?;
    }
    writer.set_meta(Modes::META, &difference.modes.to_string())?;
    // Otherwise files that were not looked into yet would count as looked at when this is interrupted.
    if difference.is_first || difference.reads_everything(request) {
        note_look(writer, difference)?;
    }
    Ok(())
}

fn note_look(writer: &Writer<'_>, difference: &Difference) -> Result<()> {
    writer.set_meta("looked_at", &difference.looked_at_ns.to_string())?;
    writer.set_meta("rules", &difference.rules)
}

/// Every file that has to be looked at.
fn jobs<'a>(request: &'a Request<'_>, difference: &'a Difference) -> Vec<Job<'a>> {
    let everything = difference.reads_everything(request);
    let changes = &difference.changes;
    let mut new: Vec<usize> = changes.suspect.iter().chain(&changes.added).copied().collect();
    new.sort_unstable();
    let mut positions: Vec<usize> = if everything {
        (0..difference.found.len()).collect()
    } else {
        new.iter().chain(&difference.unfinished).copied().collect()
    };
    positions.sort_unstable();
    positions.dedup();
    positions
        .into_iter()
        .map(|at| {
            let found = &difference.found[at];
            let row = difference.row_of(&found.key);
            let is_settled = |row: &&FileRow| {
                !everything && row.stage == Stage::Structure && is_assigned(row, request.tracking)
            };
            Job {
                key: &found.key,
                stat: found.stat,
                base: request.tracking.forced_base(&found.key),
                known: row
                    .filter(is_settled)
                    .map(|row| KnownFile { id: row.id, sha256: row.sha256 }),
                is_archive: request.tracking.is_archive(&found.key),
                is_new: new.binary_search(&at).is_ok(),
            }
        })
        .collect()
}

/// What the consumer of prepared files keeps in mind.
struct Run<'a, 'd, 'w, 'o> {
    ws: &'a Workspace<'a>,
    request: &'d Request<'d>,
    difference: &'d Difference,
    build: Build<'a>,
    writer: Writer<'w>,
    outcome: &'o mut Outcome,
    taken_over: u64,
    /// Text that is not part of a generation yet.
    part_bytes: u64,
    /// Whether a source is written in part only.
    is_torn: bool,
    limit: Limit,
    recent: Recent,
}

impl<'a, 'w> Run<'a, '_, 'w, '_> {
    /// What is left to do is done by the caller.
    fn end(self) -> (Writer<'w>, Build<'a>, Recent) {
        (self.writer, self.build, self.recent)
    }

    fn remove_gone(&mut self) -> Result<()> {
        let gone = self.difference.changes.gone.iter().map(|&at| self.difference.known[at].id);
        for id in gone.chain(self.difference.orphans.iter().copied()) {
            self.writer.remove_file(id)?;
            self.outcome.removed += 1;
        }
        Ok(())
    }

    /// Reads the files of all jobs, in one pass or in two.
    fn take_in(&mut self, jobs: &[Job<'_>], departed: &[(Digest, Departed)]) -> Result<()> {
        let departed: HashMap<&Digest, &Departed> =
            departed.iter().map(|(sha256, file)| (sha256, file)).collect();
        let has_new_words = |job: &&Job<'_>| job.is_new && !job.is_archive;
        let is_large = |jobs: &[&Job<'_>]| {
            jobs.iter().map(|job| job.stat.size).sum::<u64>() >= STAGED_FROM_BYTES
        };
        let mut jobs: Vec<&Job<'_>> = jobs.iter().collect();
        let new: Vec<&Job<'_>> = jobs.iter().copied().filter(has_new_words).collect();
        let is_staged = is_large(&new);
        self.build.plan(if is_staged { new.len() as u64 } else { 0 }, jobs.len() as u64);
        if is_large(&jobs) {
            self.build.tell(self.ws.ctx.progress);
        }
        if self.difference.is_first {
            self.writer.order_names_later()?;
            self.writer.leave_order_of_names();
        }
        if !is_staged {
            return self.pass(Depth::Structure, &jobs, &departed).map(|_| ());
        }
        let is_whole = self.pass(Depth::Words, &new, &departed)?;
        self.commit_part()?;
        let mut is_whole = is_whole.into_iter();
        jobs.retain(|job| !has_new_words(job) || is_whole.next() != Some(true));
        self.pass(Depth::Structure, &jobs, &departed).map(|_| ())
    }

    /// Reads the files of these jobs. Says of each whether nothing is left to do for it.
    fn pass(
        &mut self,
        depth: Depth,
        jobs: &[&Job<'_>],
        departed: &HashMap<&Digest, &Departed>,
    ) -> Result<Vec<bool>> {
        let ws = self.ws;
        let progress = ws.ctx.progress;
        let step = match depth {
            Depth::Words => "reading words",
            Depth::Structure => "reading structure",
        };
        progress.begin(step, Some(jobs.len() as u64));
        let taste = Taste::of(ws, self.difference.modes);
        let find = |sha256: &Digest| departed.get(sha256).copied();
        let ahead =
            Ahead { weigh: |job: &&Job<'_>| job.stat.size, budget: self.limit.ahead_bytes() };
        let mut is_whole = Vec::with_capacity(jobs.len());
        let result = parallel::in_order(
            jobs,
            self.limit.threads(ws),
            ahead,
            &ws.ctx.cancel,
            |job| prepare(&ws.root, job, depth, taste, &find),
            |prepared| {
                progress.advance(1);
                let is_done = self.apply(depth, prepared)?;
                is_whole.push(is_done);
                self.build.advance(depth, is_done);
                let is_part = self.part_bytes >= PART_BYTES
                    || self.writer.is_full()
                    || self.limit.is_reached(&self.writer);
                // What ends with the last file is left to who ends the pass, and has more to do.
                if is_part && is_whole.len() < jobs.len() {
                    self.commit_part()?;
                }
                Ok(())
            },
        );
        progress.end();
        let is_interrupted =
            result.as_ref().is_err_and(|failure| failure.code() == ErrorCode::Interrupted);
        if is_interrupted && !self.is_torn {
            self.commit_part()?;
        }
        result.map(|()| is_whole)
    }

    /// Makes what was done so far a generation.
    fn commit_part(&mut self) -> Result<()> {
        self.writer.commit_part()?;
        self.part_bytes = 0;
        self.build.tell(self.ws.ctx.progress);
        Ok(())
    }

    /// Writes what was prepared. Says whether the file is done with.
    fn apply(&mut self, depth: Depth, prepared: Prepared) -> Result<bool> {
        match prepared {
            Prepared::Same { id, stat } => {
                self.writer.touch_file(id, &stat)?;
                Ok(true)
            },
            Prepared::File(mut file) => {
                self.part_bytes += file.text.len() as u64;
                let is_whole = file.record.stage == Stage::Structure;
                if is_whole || depth == Depth::Structure {
                    self.count(&file);
                }
                let id = write_file(&mut self.writer, &mut file)?;
                if is_whole && self.limit.has_room() {
                    let PreparedFile { text, symbols, said, .. } = *file;
                    self.recent.add(id, RecentFile { text, symbols, said });
                }
                Ok(is_whole)
            },
            Prepared::Archive { key, stat, sha256 } => {
                // Half an archive is never kept, so what came before it is.
                self.commit_part()?;
                self.is_torn = true;
                for id in members_of(self.difference, &key) {
                    self.writer.remove_file(id)?;
                }
                let base = self.request.tracking.forced_base(&key);
                let modes = self.difference.modes;
                let source = ArchiveSource { key: &key, stat, sha256, base, modes };
                let result = match write_archive(self.ws, &mut self.writer, source) {
                    Ok(members) => {
                        self.outcome.added += members.indexed;
                        for (code, n) in members.skipped {
                            *self.outcome.skipped.entry(code).or_default() += n;
                        }
                        Ok(format!("{} members", members.indexed))
                    },
                    Err(failure) if failure.code() == ErrorCode::ArchiveRefused => {
                        Err(with_hints(&failure))
                    },
                    Err(failure) => return Err(failure),
                };
                self.is_torn = false;
                self.outcome.sources.insert(key.as_str().to_owned(), result);
                Ok(true)
            },
        }
    }

    fn count(&mut self, file: &PreparedFile) {
        let record = &file.record;
        match &record.state {
            FileState::Skipped { code, .. } => {
                *self.outcome.skipped.entry(code.clone()).or_default() += 1;
            },
            FileState::Indexed => {
                *self.outcome.languages.entry(record.language.clone()).or_default() += 1;
                // One that was left half done by an interrupted command is still new.
                let is_known = self
                    .difference
                    .row_of(&record.key)
                    .is_some_and(|row| row.stage == Stage::Structure || row.n_symbols > 0);
                match (file.moved, is_known) {
                    (true, _) => {
                        self.outcome.moved += 1;
                        self.taken_over += 1;
                    },
                    (false, true) => self.outcome.updated += 1,
                    (false, false) => self.outcome.added += 1,
                }
                self.outcome.parsed += u64::from(!file.moved);
            },
        }
    }

    fn fetch(&mut self, url: &str, base: Option<&str>, known: Option<&RemoteState>) -> Result<()> {
        let result = match fetch_page(self.ws, url, base, known, self.difference.modes) {
            Ok(Page::Same) => Ok("not modified".to_owned()),
            Ok(Page::New { file, text, remote }) => {
                write_page(&mut self.writer, *file, &text, &remote)?;
                match known {
                    Some(_) => self.outcome.updated += 1,
                    None => self.outcome.added += 1,
                }
                Ok("fetched".to_owned())
            },
            Err(failure) if is_fault_of_source(&failure) => Err(with_hints(&failure)),
            Err(failure) => return Err(failure),
        };
        self.outcome.sources.insert(url.to_owned(), result);
        Ok(())
    }
}

fn members_of(difference: &Difference, archive: &FileKey) -> Vec<FileNo> {
    let prefix = format!("{archive}{MEMBER_MARK}");
    let first = difference.foreign.partition_point(|row| row.key.as_str() < prefix.as_str());
    difference.foreign[first..]
        .iter()
        .take_while(|row| row.key.as_str().starts_with(&prefix))
        .filter(|row| row.origin == FileOrigin::Archive)
        .map(|row| row.id)
        .collect()
}

/// The failure as one line that keeps what to do about it.
pub(super) fn with_hints(failure: &Failure) -> String {
    match failure.hints() {
        [] => failure.to_string(),
        hints => format!("{failure} ({})", hints.join("; ")),
    }
}

/// Whether the source itself is to blame, so that the commit goes on without it.
fn is_fault_of_source(failure: &Failure) -> bool {
    matches!(
        failure.code(),
        ErrorCode::UrlFailed | ErrorCode::UrlRefused | ErrorCode::SourceInvalid
    )
}
