//! From a question to ranked chunks: words, conditions and meaning, put to one state of the index or to every text.

use gik_base::{Progress, Result};
use gik_index::{ChunkNo, FileNo, Query, Scan};
use gik_retrieve::{Admits, Candidates, Request, Results, candidates, corrected};
use gik_store::{Count, FileRow, Snapshot};

use crate::Workspace;
use crate::answer::{Question, Texts};
use crate::conditions::Admission;
use crate::history::Past;
use crate::meaning::{self, Asking, Meaning};
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
        if query.is_empty() {
            admission.read_ahead(files)?;
        }
        let candidates_for = |query: &Query| {
            let request = Request {
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
            };
            candidates(snapshot, &request)
        };
        let softened = query.softened().filter(|_| question.may_soften);
        let (mut query, mut put_in) = corrected(snapshot, query, scan);
        let mut candidates = candidates_for(&query)?;
        if is_empty(&candidates)
            && let Some(soft) = softened
        {
            let (soft, put_in_softly) = corrected(snapshot, soft, scan);
            candidates = candidates_for(&soft)?;
            if !is_empty(&candidates) {
                self.notes.inform("nothing has all that must occur: shown is what has some of it");
                (query, put_in) = (soft, put_in_softly);
            }
        }
        for (word, meant) in &put_in {
            let meant = meant.join("` or `");
            self.notes.inform(&format!("`{word}` is in no file: taken for `{meant}`"));
        }
        if let Some(past) = self.past {
            past.weigh(&mut candidates);
        }
        let asking = Asking { reading: self, question, query: &query, admits };
        let meaning = meaning::rerank(&asking, &mut candidates, texts)?;
        let reranker = reranking::rerank(self, question, &query, &mut candidates, texts)?;
        admission.check()?;
        tell(&candidates);
        Ok(Finding { results: candidates.cut(), query, meaning, reranker })
    }
}

fn is_empty(candidates: &Candidates) -> bool {
    candidates.found().next().is_none()
}

#[cfg(test)]
mod tests;
