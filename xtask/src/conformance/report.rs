//! One line for each thing that was tried.

/// One thing that was tried.
pub(super) struct Row {
    name: String,
    outcome: Outcome,
}

enum Outcome {
    Passed,
    Failed,
    LeftOut(&'static str),
}

impl Row {
    pub(super) fn of(name: String, has_passed: bool) -> Self {
        let outcome = if has_passed { Outcome::Passed } else { Outcome::Failed };
        Self { name, outcome }
    }

    pub(super) fn left_out(name: String, why: &'static str) -> Self {
        Self { name, outcome: Outcome::LeftOut(why) }
    }

    pub(super) fn is_bad(&self) -> bool {
        matches!(self.outcome, Outcome::Failed)
    }
}

/// All of them as a table.
pub(super) fn table(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let told = match row.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "FAILED",
            Outcome::LeftOut(why) => why,
        };
        format!("| {} | {told} |\n", row.name)
    };
    let lines: String = rows.iter().map(line).collect();
    format!("| what | outcome |\n|---|---|\n{lines}")
}
