//! What must be true of what is found? The conditions of a question and those of flags, checked and made one.
//!
//! Several conditions of one name are alternatives (`lang:rust lang:go`), but every `changed:` and `re:` must hold;
//! conditions of different names must all hold, and nothing may have what has a `-` in front.

mod admission;
mod author;
mod changed;
mod kind;

pub(crate) use admission::Admission;

use std::ops::RangeInclusive;

use clap::ValueEnum as _;
use gik_base::{ErrorCode, Failure, Result, clock};
use gik_contract::MemoryEntry;
use gik_index::{Condition, ConditionName, Query};
use gik_retrieve::{FileFilter, Filter};
use regex::{Regex, RegexBuilder};

use crate::bases;
use crate::modes::Mode;
use author::Author;
use kind::Kind;

/// Conditions that came as flags.
#[derive(Debug, Default)]
pub(crate) struct Flags<'a> {
    pub(crate) bases: &'a [String],
    /// With `!` in front of what does not count.
    pub(crate) files: &'a [String],
    pub(crate) languages: &'a [String],
    pub(crate) mode: Option<Mode>,
    pub(crate) kinds: &'a [String],
    pub(crate) tags: &'a [String],
    pub(crate) changed: &'a [String],
    pub(crate) authors: &'a [String],
    pub(crate) patterns: &'a [String],
}

/// What of a condition is wanted, and what is not.
#[derive(Debug, Clone)]
struct Sides<T> {
    wanted: Vec<T>,
    unwanted: Vec<T>,
}

impl<T> Default for Sides<T> {
    fn default() -> Self {
        Self { wanted: Vec::new(), unwanted: Vec::new() }
    }
}

impl<T> Sides<T> {
    fn add(&mut self, is_wanted: bool, value: T) {
        if is_wanted { &mut self.wanted } else { &mut self.unwanted }.push(value);
    }

    fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }

    /// Whether one of the wanted ones holds, where there are any, and none of the others.
    fn hold(&self, holds: impl Fn(&T) -> bool) -> bool {
        (self.wanted.is_empty() || self.wanted.iter().any(&holds))
            && !self.unwanted.iter().any(&holds)
    }
}

/// What must be true of what is found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    /// The bases that count.
    pub(crate) bases: Vec<&'static str>,
    pub(crate) mode: Option<Mode>,
    languages: Sides<String>,
    globs: Sides<String>,
    kinds: Sides<Kind>,
    tags: Sides<String>,
    changed: Vec<RangeInclusive<i64>>,
    authors: Sides<Author>,
    patterns: Sides<Regex>,
    /// As they were typed, for whoever asks which of them leaves a file out.
    stated: Vec<Condition>,
}

impl Conditions {
    /// Whether a clock or the history of the repository decides: the same files may be answered otherwise tomorrow.
    pub(crate) fn change_with_time(&self) -> bool {
        let Sides { wanted, unwanted } = &self.authors;
        !self.changed.is_empty() || !wanted.is_empty() || !unwanted.is_empty()
    }

    /// The conditions of a question and of flags. Some bases cannot be asked by every tool.
    pub(crate) fn new(
        text: &str,
        query: &Query,
        flags: &Flags<'_>,
        allowed: &'static [&'static str],
    ) -> Result<Self> {
        let mut conditions = Self::default();
        let mut bases = Sides::default();
        let stated = query.conditions().iter().cloned().chain(flags.conditions());
        for condition in stated {
            conditions.add(&condition, allowed, &mut bases).map_err(|failure| {
                if condition.place.is_empty() {
                    return failure;
                }
                let words = text[condition.place.clone()].replace('"', "");
                failure
                    .hint(format!("to look for these words, quote them: \"{words}\""))
                    .pointing(text, condition.place.clone())
            })?;
            conditions.stated.push(condition);
        }
        // Wrong patterns are told before anything long is done for the question.
        FileFilter::new(Vec::new(), &conditions.all_globs())?;
        conditions.bases = chosen(allowed, &bases);
        Ok(conditions)
    }

    fn add(
        &mut self,
        condition: &Condition,
        allowed: &'static [&'static str],
        bases: &mut Sides<&'static str>,
    ) -> Result<()> {
        let Condition { name, wanted, value, .. } = condition;
        match name {
            ConditionName::Path => {
                let glob = value.clone();
                FileFilter::new(Vec::new(), std::slice::from_ref(&glob))?;
                self.globs.add(*wanted, glob);
            },
            ConditionName::Lang => {
                for language in bases::languages(std::slice::from_ref(value))? {
                    self.languages.add(*wanted, language);
                }
            },
            ConditionName::Kind => self.kinds.add(*wanted, Kind::named(value)?),
            ConditionName::Mode => self.set_mode(value, *wanted)?,
            ConditionName::Base => bases.add(*wanted, bases::checked(value, allowed)?),
            ConditionName::Tag => {
                self.tags.add(*wanted, value.trim_start_matches('#').to_lowercase());
            },
            ConditionName::Changed => self.add_changed(value, *wanted)?,
            ConditionName::Author => self.authors.add(*wanted, Author::named(value)),
            ConditionName::Re => self.patterns.add(*wanted, pattern(value)?),
        }
        Ok(())
    }

    fn set_mode(&mut self, value: &str, is_wanted: bool) -> Result<()> {
        let names = || {
            let modes =
                Mode::value_variants().iter().filter_map(clap::ValueEnum::to_possible_value);
            modes.map(|mode| mode.get_name().to_owned()).collect::<Vec<_>>().join(", ")
        };
        let invalid = |message: String| Failure::new(ErrorCode::ArgumentInvalid, message);
        if !is_wanted {
            return Err(invalid("a mode cannot be left out".to_owned())
                .hint(format!("name the one that counts: {}", names())));
        }
        let mode = Mode::from_str(value, true).map_err(|_| {
            invalid(format!("there is no mode `{value}`")).hint(format!("use one of: {}", names()))
        })?;
        if self.mode.is_some_and(|known| known != mode) {
            return Err(
                invalid("a question has one mode".to_owned()).hint("`mode:all` is for all of them")
            );
        }
        self.mode = Some(mode);
        Ok(())
    }

    fn add_changed(&mut self, value: &str, is_wanted: bool) -> Result<()> {
        let invalid = |message: String| Failure::new(ErrorCode::ArgumentInvalid, message);
        if !is_wanted {
            return Err(invalid("`changed:` is turned around by `>` instead of `-`".to_owned())
                .hint("`changed:>7d` is for what did not change within 7 days"));
        }
        let times = changed::times(value, clock::now()).ok_or_else(|| {
            invalid(format!("`{value}` is not a time")).hint(
                "a time is an age (`<7d`, `>12h`, `<2w`) or a date (`>2026-01-31`, `2026-01-31`)",
            )
        })?;
        self.changed.push(times);
        Ok(())
    }

    /// Which files count.
    pub(crate) fn filter(&self) -> Filter {
        let asked = bases::FILE_BASES.iter().filter(|base| self.bases.contains(base));
        let (among, outside) = self.authored();
        Filter {
            base_labels: asked.map(|base| bases::label(base)).fold(0, |all, label| all | label),
            mode_labels: Mode::labels(self.mode),
            languages: self.languages.wanted.clone(),
            other_languages: self.languages.unwanted.clone(),
            globs: self.all_globs(),
            changed: self.changed.clone(),
            among,
            outside,
        }
    }

    fn all_globs(&self) -> Vec<String> {
        let unwanted = self.globs.unwanted.iter().map(|glob| format!("!{glob}"));
        self.globs.wanted.iter().cloned().chain(unwanted).collect()
    }

    /// Conditions that everything meets.
    pub(crate) fn of_anything() -> Self {
        Self { bases: bases::ALL.to_vec(), mode: Some(Mode::All), ..Self::default() }
    }

    /// Conditions that everything meets which is found without any.
    pub(crate) fn of_usual_modes() -> Self {
        Self { bases: bases::ALL.to_vec(), ..Self::default() }
    }

    /// The conditions of each name for themselves, as they were stated.
    pub(crate) fn one_by_one(&self) -> Result<Vec<(String, Self)>> {
        let mut alone = Vec::new();
        for name in ConditionName::ALL {
            let of_name: Vec<&Condition> =
                self.stated.iter().filter(|condition| condition.name == name).collect();
            if of_name.is_empty() {
                continue;
            }
            let mut conditions = Self::default();
            let mut bases = Sides::default();
            for condition in &of_name {
                conditions.add(condition, bases::ALL, &mut bases)?;
            }
            conditions.bases = chosen(bases::ALL, &bases);
            if name == ConditionName::Author {
                conditions.authors = self.authors.clone();
            }
            // Whatever its mode, where that is not what is asked.
            conditions.mode = conditions.mode.or(Some(Mode::All));
            let stated: Vec<String> = of_name
                .iter()
                .map(|it| {
                    format!("{}{}:{}", if it.wanted { "" } else { "-" }, name.as_str(), it.value)
                })
                .collect();
            alone.push((format!("`{}`", stated.join(" ")), conditions));
        }
        Ok(alone)
    }

    /// Whether something is demanded, so that a question needs no words.
    pub(crate) fn demand_something(&self) -> bool {
        self.stated.iter().any(|condition| condition.wanted)
    }

    /// Whether files and labels do not tell all.
    pub(crate) fn are_about_chunks(&self) -> bool {
        !self.kinds.is_empty() || !self.tags.is_empty() || self.are_about_texts()
    }

    /// Whether a text must be read to know whether it counts.
    pub(crate) fn are_about_texts(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// What must be in a line that is shown.
    pub(crate) fn patterns(&self) -> &[Regex] {
        &self.patterns.wanted
    }

    /// Whether a memory entry counts. It has no path, no language, no kind and no commit.
    pub(crate) fn take_memory(&self, entry: &MemoryEntry) -> bool {
        let is_about_files = !self.globs.wanted.is_empty()
            || !self.languages.wanted.is_empty()
            || !self.kinds.wanted.is_empty()
            || !self.authors.wanted.is_empty();
        let changed = changed::nanoseconds(entry.updated_at);
        let title = entry.title.as_deref().unwrap_or_default();
        !is_about_files
            && self.changed.iter().all(|times| times.contains(&changed))
            && self.tags_hold(entry.tags.iter().map(String::as_str))
            && self
                .pattern_holds(|pattern| pattern.is_match(title) || pattern.is_match(&entry.text))
    }

    /// A tag also stands for those below it: `adr` for `adr/2026`.
    fn tags_hold<'t>(&self, tags: impl Iterator<Item = &'t str>) -> bool {
        let tags: Vec<String> = tags.map(str::to_lowercase).collect();
        self.tags.hold(|wanted| {
            tags.iter().any(|tag| {
                tag.strip_prefix(wanted.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        })
    }

    /// Whether every wanted pattern holds, and none of the others.
    fn pattern_holds(&self, holds: impl Fn(&Regex) -> bool) -> bool {
        self.patterns.wanted.iter().all(&holds) && !self.patterns.unwanted.iter().any(&holds)
    }
}

/// The bases that count.
fn chosen(allowed: &[&'static str], named: &Sides<&'static str>) -> Vec<&'static str> {
    allowed.iter().copied().filter(|base| named.hold(|named| named == base)).collect()
}

/// A regular expression by lines: `^` and `$` stand at their ends.
fn pattern(text: &str) -> Result<Regex> {
    RegexBuilder::new(text).multi_line(true).size_limit(1 << 20).build().map_err(|error| {
        let cause = error.to_string();
        // The last line says what is wrong; those above it draw the place.
        let cause = cause.lines().last().unwrap_or_default().trim_start_matches("error: ");
        Failure::new(ErrorCode::QueryInvalid, format!("`{text}` is no regular expression"))
            .caused_by(cause.to_owned())
            .hint("`\\` in front takes a sign as it is: `\\(`")
    })
}

impl Flags<'_> {
    /// The same as if they were part of the question.
    fn conditions(&self) -> impl Iterator<Item = Condition> {
        let mode = self.mode.and_then(|mode| mode.to_possible_value());
        let mode: Vec<String> = mode.iter().map(|mode| mode.get_name().to_owned()).collect();
        let all = [
            (ConditionName::Base, self.bases),
            (ConditionName::Path, self.files),
            (ConditionName::Lang, self.languages),
            (ConditionName::Mode, mode.as_slice()),
            (ConditionName::Kind, self.kinds),
            (ConditionName::Tag, self.tags),
            (ConditionName::Changed, self.changed),
            (ConditionName::Author, self.authors),
            (ConditionName::Re, self.patterns),
        ];
        let mut conditions = Vec::new();
        for (name, values) in all {
            for value in values {
                let (wanted, value) = match value.strip_prefix('!') {
                    // A regular expression may well start with it.
                    Some(rest) if name != ConditionName::Re => (false, rest),
                    _ => (true, value.as_str()),
                };
                conditions.push(Condition { name, wanted, value: value.to_owned(), place: 0..0 });
            }
        }
        conditions.into_iter()
    }
}

#[cfg(test)]
mod tests;
