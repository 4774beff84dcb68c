//! From a question to ranked chunks: words, conditions and meaning, put to one state of the index or to every text.

mod names;

use std::sync::{Arc, OnceLock};

use gik_base::{Progress, Result, parallel};
use gik_index::{ChunkNo, FileNo, Query, Scan};
use gik_retrieve::{
    Admits, Candidates, Gathered, Places, Request, Results, Scope, corrected, gather,
};
use gik_store::{Count, FileRow, SegmentRow, Snapshot};

use crate::Workspace;
use crate::answer::{Question, Texts};
use crate::conditions::{Admission, Conditions};
use crate::history::Past;
use crate::meaning::{Asking, Meaning};
use crate::modes::Mode;
use crate::reranking;

/// What a question is put to.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) ws: &'a Workspace<'a>,
    pub(crate) snapshot: &'a Snapshot<'a>,
    /// Every file of the snapshot.
    pub(crate) files: &'a [FileRow],
    /// Files and chunks of each base.
    pub(crate) counts: &'a [Count],
    /// The history of the repository, where it counts.
    pub(crate) past: Option<&'a Past>,
    /// Every text, where the index is not to be asked.
    pub(crate) scan: Option<&'a Scan>,
    /// Hears how the question was taken.
    pub(crate) notes: &'a dyn Progress,
}

/// What was found, and for which question in the end.
pub(crate) struct Finding {
    pub(crate) query: Query,
    pub(crate) results: Results,
    pub(crate) meaning: Meaning,
    /// The model that put the best into their last order, where one did.
    pub(crate) reranker: Option<String>,
}

impl Reading<'_> {
    /// Finds the chunks that answer best. Whoever wants to hears of all candidates before the best are taken.
    pub(crate) fn find(
        &self,
        question: &Question,
        texts: &mut Texts,
        tell: &mut dyn FnMut(&Candidates),
    ) -> Result<Finding> {
        let Self { ws, snapshot, files, scan, .. } = *self;
        let known;
        let conditions = if question.conditions.name_authors() {
            known = question.conditions.with_authors(ws)?;
            &known
        } else {
            &question.conditions
        };
        let query = question.query.clone().within(Mode::fields(conditions.mode));
        let admission = Admission::new(ws, snapshot, conditions);
        let needs_admission = conditions.are_about_chunks();
        let admits = |file: FileNo, chunk: ChunkNo| {
            question.except != Some(chunk) && (!needs_admission || admission.admits(file, chunk))
        };
        let admits = (needs_admission || question.except.is_some()).then_some(Admits(&admits));
        let matching =
            if query.is_empty() { admission.read_ahead(files, scan.is_none())? } else { None };
        let names = if matching.is_none() { names::known(snapshot, files)? } else { None };
        let names = names.as_deref();
        let files = matching.as_deref().unwrap_or(files);
        let scope = Arc::new(conditions.filter().scope(files)?);
        let put = Put { question, conditions, files, scan };
        let segments = snapshot.segments();
        let softened = query.softened().filter(|_| question.may_soften);
        let asking = Asking { reading: self, question, scope: &scope, admits };
        // Meaning needs the database, which one thread reads; words do not.
        let is_apart = ws.threads() > 1
            && admits.is_none()
            && scan.is_none()
            && asking.may_be_answered_by_meaning(&query)
            && asking.asks_for_meaning(&query);
        let places = OnceLock::new();
        let (by_words, near) = if is_apart {
            let own = query.clone();
            parallel::both(
                || ByWords::of(&put, query, None, segments, &scope, &places),
                || {
                    // The other thread has more to do, and needs this at its end.
                    places.get_or_init(|| Places::of(&put.request(&own, None), names));
                    Some(asking.near(own.text(), true))
                },
            )
        } else {
            if names.is_some() {
                places.get_or_init(|| Places::of(&put.request(&query, None), names));
            }
            (ByWords::of(&put, query, admits, segments, &scope, &places), None)
        };
        let ByWords { mut query, mut put_in, gathered } = by_words;
        let mut candidates = Candidates::of(snapshot, &put.request(&query, admits), gathered)?;
        if is_empty(&candidates)
            && let Some(soft) = softened
        {
            let soft = ByWords::of(&put, soft, admits, segments, &scope, &OnceLock::new());
            let request = put.request(&soft.query, admits);
            candidates = Candidates::of(snapshot, &request, soft.gathered)?;
            if !is_empty(&candidates) {
                self.notes.inform("nothing has all that must occur: shown is what has some of it");
                (query, put_in) = (soft.query, soft.put_in);
            }
        }
        for (word, meant) in &put_in {
            let meant = meant.join("` or `");
            self.notes.inform(&format!("`{word}` is in no file: taken for `{meant}`"));
        }
        if let Some(past) = self.past {
            past.weigh(&mut candidates);
        }
        let near = match near {
            Some(near) => Some(near?),
            None if asking.asks_for_meaning(&query) => {
                Some(asking.near(query.text(), asking.may_be_answered_by_meaning(&query))?)
            },
            None => None,
        };
        let meaning = match near {
            Some(near) => asking.rerank(near, &query, &mut candidates, texts)?,
            None => Meaning::default(),
        };
        let reranker = reranking::rerank(self, question, &query, &mut candidates, texts)?;
        admission.check()?;
        tell(&candidates);
        Ok(Finding { results: candidates.cut(), query, meaning, reranker })
    }
}

/// A question apart from its words, which may come to be others.
struct Put<'a> {
    question: &'a Question,
    conditions: &'a Conditions,
    files: &'a [FileRow],
    scan: Option<&'a Scan>,
}

impl Put<'_> {
    fn request<'r>(&'r self, query: &'r Query, admits: Option<Admits<'r>>) -> Request<'r> {
        let Self { question, conditions, files, scan } = *self;
        Request {
            text: query.text(),
            query,
            files,
            filter: conditions.filter(),
            admits,
            scan,
            current: question.current.clone(),
            lists_all: true,
            limit: question.limit,
            per_file: question.per_file,
            weights: question.weights,
        }
    }
}

/// What the words of a question found.
struct ByWords {
    query: Query,
    put_in: Vec<(String, Vec<String>)>,
    gathered: Gathered,
}

impl ByWords {
    fn of(
        put: &Put<'_>,
        query: Query,
        admits: Option<Admits<'_>>,
        segments: &[SegmentRow],
        scope: &Arc<Scope>,
        places: &OnceLock<Arc<Places>>,
    ) -> Self {
        let (query, put_in) = corrected(segments, query, put.scan);
        let gathered = gather(segments, &put.request(&query, admits), scope, places);
        Self { query, put_in, gathered }
    }
}

fn is_empty(candidates: &Candidates) -> bool {
    candidates.found().next().is_none()
}

#[cfg(test)]
mod tests;
