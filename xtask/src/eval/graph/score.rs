//! How often we agree with an oracle, and where we do not.

use std::fmt::Write as _;

use super::oracle::Answer;
use super::project::{Project, Site, line_of};

/// The comparison of one package.
#[derive(Debug, Default)]
pub(super) struct Score {
    calls: Counts,
    imports: Counts,
    wrong: Vec<String>,
    missed: Vec<String>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    /// Sites for which we have one answer and the oracle has any.
    answered: usize,
    /// Those of them where the oracle has it as well.
    right: usize,
    /// Sites for which the oracle has a definition of the package.
    known: usize,
    /// Those of them for which we have it too.
    found: usize,
    /// Sites that we answer and the oracle does not.
    unjudged: usize,
    /// Sites for which we have several candidates.
    ambiguous: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.answered += other.answered;
        self.right += other.right;
        self.known += other.known;
        self.found += other.found;
        self.unjudged += other.unjudged;
        self.ambiguous += other.ambiguous;
    }

    fn precision(&self) -> f64 {
        share(self.right, self.answered)
    }

    /// Precision, recall and the number of sites, as cells of a table.
    fn cells(&self) -> String {
        let cell = |part: usize, whole: usize| match whole {
            0 => "–".to_owned(),
            _ => format!("{:.3}", share(part, whole)),
        };
        let precision = cell(self.right, self.answered);
        format!("{precision} | {} | {}", cell(self.found, self.known), self.known)
    }

    fn recall(&self) -> f64 {
        share(self.found, self.known)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of names are far below 2^52")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl Score {
    pub(super) fn of(project: &Project, sites: &[Site], answers: &[Vec<Answer>]) -> Self {
        let mut score = Self::default();
        for (site, answers) in sites.iter().zip(answers) {
            score.add(project, site, answers);
        }
        score
    }

    fn add(&mut self, project: &Project, site: &Site, answers: &[Answer]) {
        let is_theirs = |(file, line): &(u32, u32)| {
            let path = project.paths[*file as usize].as_str();
            answers.iter().any(|answer| {
                answer.file.as_deref() == Some(path)
                    && (answer.line == *line
                        || *line == 0 && answer.line <= 1
                        || project.first_line(path, answer.line) == project.first_line(path, *line))
            })
        };
        let counts = if site.is_import { &mut self.imports } else { &mut self.calls };
        let text = project.text(site.file);
        let shown = || {
            let theirs: Vec<String> = answers
                .iter()
                .map(|one| {
                    format!(
                        "{}:{} {}",
                        one.file.as_deref().unwrap_or("outside"),
                        one.line,
                        one.kind
                    )
                })
                .collect();
            let ours: Vec<String> = site
                .ours
                .iter()
                .map(|(file, line)| format!("{}:{line}", project.paths[*file as usize]))
                .collect();
            let line = line_of(text, site.start);
            let said = text.lines().nth(line as usize - 1).unwrap_or_default().trim();
            format!(
                "{}:{line} {} | {said}\n    ours: {}\n    theirs: {}",
                project.paths[site.file as usize],
                text.get(site.start as usize..site.end as usize).unwrap_or_default(),
                ours.join(", "),
                theirs.join(", ")
            )
        };
        match site.ours.as_slice() {
            [] => {},
            [one] if answers.is_empty() => {
                let _: &(u32, u32) = one;
                counts.unjudged += 1;
            },
            [one] => {
                counts.answered += 1;
                if is_theirs(one) {
                    counts.right += 1;
                } else {
                    self.wrong.push(shown());
                }
            },
            _ => counts.ambiguous += 1,
        }
        // What is local, such as a parameter that is called, is no node of the graph.
        let is_node = |answer: &Answer| {
            answer.file.is_some()
                && !matches!(
                    answer.kind.as_str(),
                    "alias"
                        | "param"
                        | "parameter"
                        | "statement"
                        | "const"
                        | "var"
                        | "let"
                        | "local var"
                        | "instance"
                        | "type parameter"
                )
        };
        if answers.iter().any(is_node) {
            counts.known += 1;
            if site.ours.iter().any(is_theirs) {
                counts.found += 1;
            } else if site.ours.is_empty() {
                self.missed.push(shown());
            }
        }
    }

    fn all(&self) -> Counts {
        let mut all = self.calls;
        all.add(&self.imports);
        all
    }

    pub(super) fn precision(&self) -> f64 {
        self.all().precision()
    }

    pub(super) fn recall(&self) -> f64 {
        self.all().recall()
    }

    pub(super) fn line(&self, label: &str) -> String {
        let part = |counts: &Counts| {
            format!(
                "precision {:.3} ({}/{}), recall {:.3} ({}/{})",
                counts.precision(),
                counts.right,
                counts.answered,
                counts.recall(),
                counts.found,
                counts.known
            )
        };
        format!("{label}: calls {}; imports {}", part(&self.calls), part(&self.imports))
    }

    /// Everything that differs, for reading.
    pub(super) fn differences(&self) -> String {
        let mut out = String::new();
        for (title, list) in [("wrong", &self.wrong), ("missed", &self.missed)] {
            let _ = writeln!(out, "# {title}: {}\n\n{}\n", list.len(), list.join("\n"));
        }
        out
    }
}

/// The committed table.
pub(super) fn document(rows: &[(&str, String, Score)]) -> String {
    let mut out = String::from(
        "# Edges against the tools of the languages\n\n\
         `cargo xtask eval graph --update` writes this table.\n\
         Every call and every imported name of a package is put to Jedi (Python), TypeScript's language service,\n\
         rust-analyzer (Rust), the type checker of Go or clangd (C).\n\
         Precision: of the sites for which we name one definition and they name any, the share where theirs include ours.\n\
         Recall: of the sites for which they name a definition of the package that is no local name, the share where ours is among theirs.\n\
         Whoever uses something of a module of Rust also imports the module, which has no place of its own in the text: that\n\
         edge is no answer to what the name stands for, and is compared only where the name is that of the module.\n\
         Unjudged are sites that we answer and they do not; ambiguous are those for which we list several candidates.\n\n\
         | language | package | calls: precision | recall | sites | imports: precision | recall | sites | unjudged | ambiguous |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (language, label, score) in rows {
        let all = score.all();
        let _ = writeln!(
            out,
            "| {language} | {label} | {} | {} | {} | {} |",
            score.calls.cells(),
            score.imports.cells(),
            all.unjudged,
            all.ambiguous,
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_no_share() {
        let counts = Counts { answered: 4, right: 3, known: 0, ..Counts::default() };
        assert_eq!(counts.cells(), "0.750 | – | 0");
    }
}
