//! `gik savings`: how many tokens did answers have, and how many what would have been read without them?
//!
//! Only what was written down when a question was answered counts: nothing is guessed for older lines.

use std::collections::BTreeMap;

use gik_base::{Result, clock};
use gik_contract::{AnswerLogEntry, AskLogEntry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::detail::tokens;
use crate::tool::Runs;
use crate::view::{Cell, count};
use crate::{Context, Effect, Profile, Report, Shape, Tool, View, declarations};

const BASELINE: &str = "an agent that knows the right files at once, and reads each of them whole, once per question; lists of places \
     (search, symbols, refs) with the lines that `grep -n` prints for these places";
const CAVEAT: &str = "The baseline is an assumption: reading parts of files costs less, opening wrong files first costs more.";

/// Compare the tokens of answers with those of the files they came from
///
/// Counts the answers of ask, pack, def, outline, search, symbols and refs in this workspace, also those over MCP and
/// HTTP. The baseline is an agent that knows the right files at once and reads each of them whole; for lists of places,
/// the lines that grep prints for them. A token is counted as four bytes.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {}

/// The comparison.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What answers are compared with.
    pub baseline: &'static str,
    /// The last day, the last seven, and all of the log.
    pub spans: Vec<Span>,
    /// All of the log by tool, sorted by name.
    pub tools: Vec<Span>,
    /// Tokens that each conversation over MCP pays for the list of tools, before anything is asked.
    pub tool_list_tokens: u64,
}

/// The answers of some time, or of a tool.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// `day`, `week`, `all`, or the name of a tool.
    pub name: String,
    /// Answers in the log.
    pub questions: u64,
    /// Those that can be compared: their line has the lengths, and evidence came from files.
    pub compared: u64,
    /// Files that the evidence came from; one counts for each answer.
    pub files: u64,
    /// Tokens of the answers, as JSON.
    pub answer_tokens: u64,
    /// Tokens of what would have been read without them.
    pub file_tokens: u64,
    /// What is left; below zero where that is shorter than the answers.
    pub saved_tokens: i64,
}

/// One answer as it was written down.
#[derive(Debug)]
struct Answered {
    second: i64,
    tool: String,
    /// Bytes of the answer, bytes of what it is compared with, and files.
    lengths: Option<(u64, u64, u64)>,
}

impl From<AskLogEntry> for Answered {
    fn from(entry: AskLogEntry) -> Self {
        let files = entry.files.filter(|files| *files > 0);
        let lengths = entry.answer_bytes.zip(entry.files_bytes).zip(files);
        Self {
            second: entry.timestamp.as_second(),
            tool: "ask".to_owned(),
            lengths: lengths.map(|((answer, instead), files)| (answer, instead, files)),
        }
    }
}

impl From<AnswerLogEntry> for Answered {
    fn from(entry: AnswerLogEntry) -> Self {
        Self {
            second: entry.timestamp.as_second(),
            lengths: Some((entry.answer_bytes, entry.instead_bytes, entry.files)),
            tool: entry.tool,
        }
    }
}

impl Span {
    fn of<'a>(name: &str, answers: impl IntoIterator<Item = &'a Answered>) -> Self {
        let mut span = Self {
            name: name.to_owned(),
            questions: 0,
            compared: 0,
            files: 0,
            answer_tokens: 0,
            file_tokens: 0,
            saved_tokens: 0,
        };
        let whole = |bytes: u64| tokens(usize::try_from(bytes).unwrap_or(usize::MAX));
        for answered in answers {
            span.questions += 1;
            let Some((answer, instead, files)) = answered.lengths else { continue };
            span.compared += 1;
            span.files = span.files.saturating_add(files);
            span.answer_tokens = span.answer_tokens.saturating_add(whole(answer));
            span.file_tokens = span.file_tokens.saturating_add(whole(instead));
        }
        let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        span.saved_tokens = signed(span.file_tokens) - signed(span.answer_tokens);
        span
    }

    /// The part of the files that the answers did without, in percent.
    fn share(&self) -> Option<i64> {
        let files = i64::try_from(self.file_tokens).ok().filter(|files| *files > 0)?;
        Some(self.saved_tokens.saturating_mul(100) / files)
    }

    fn row(&self) -> Vec<Cell> {
        let share = self.share().map_or_else(|| "-".to_owned(), |it| format!("{it} %"));
        vec![
            Cell::text(match self.name.as_str() {
                "day" => "last day",
                "week" => "last 7 days",
                other => other,
            }),
            Cell::number(self.questions),
            Cell::number(self.compared),
            Cell::number(self.answer_tokens),
            Cell::number(self.file_tokens),
            Cell::number(self.saved_tokens),
            Cell::number(share),
        ]
    }
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let rows: Vec<Vec<Cell>> = self.spans.iter().chain(&self.tools).map(Span::row).collect();
        let header = ["", "answers", "compared", "tokens", "without", "saved", "part"];
        view.table(&header, &rows);
        view.line(format!("Tokens of about four bytes. Compared with {}.", self.baseline));
        view.line(CAVEAT);
        let list = count(self.tool_list_tokens, "token", "tokens");
        view.line(format!("Every conversation over MCP also pays {list} for the list of tools."));
    }

    fn found(&self) -> bool {
        self.spans.iter().any(|span| span.compared > 0)
    }
}

struct Savings;

impl Runs for Savings {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, _: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let asked = ws.knowledge.ask_log().read(usize::MAX)?.into_iter().map(Answered::from);
        let others = ws.knowledge.answer_log().read(usize::MAX)?.into_iter().map(Answered::from);
        let answers: Vec<Answered> = asked.chain(others).collect();
        let now = clock::now().as_second();
        let since = |days: i64| {
            let first = now - days * 24 * 60 * 60;
            answers.iter().filter(move |answered| answered.second > first)
        };
        let spans =
            vec![Span::of("day", since(1)), Span::of("week", since(7)), Span::of("all", &answers)];
        let mut by_tool: BTreeMap<&str, Vec<&Answered>> = BTreeMap::new();
        for answered in &answers {
            by_tool.entry(&answered.tool).or_default().push(answered);
        }
        let tools = by_tool.into_iter().map(|(tool, answers)| Span::of(tool, answers)).collect();
        Ok(Output { baseline: BASELINE, spans, tools, tool_list_tokens: tool_list_tokens() })
    }
}

/// What the tools that are offered first take: names, words, and the schemas of their arguments.
fn tool_list_tokens() -> u64 {
    let length = |tool: &crate::Declaration| {
        let listed = json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": *tool.input,
        });
        listed.to_string().len()
    };
    tokens(declarations(Profile::Few).iter().map(length).sum())
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Savings>(&["savings"], Effect::Reads, Shape::One, "gik savings");

#[cfg(test)]
mod tests {
    use gik_contract::Extra;

    use super::*;

    fn entry(answer: Option<u64>, bytes: Option<u64>, files: Option<u64>) -> AskLogEntry {
        AskLogEntry {
            timestamp: "2024-01-15T10:30:00Z".parse().unwrap(),
            branch: "main".to_owned(),
            question: "q".to_owned(),
            bases: Vec::new(),
            total_hits: 1,
            bundle_path: None,
            answer_bytes: answer,
            files_bytes: bytes,
            files,
            extra: Extra::new(),
        }
    }

    #[test]
    fn only_what_was_written_down_is_compared() {
        let answers = [
            entry(Some(400), Some(4000), Some(2)),
            entry(None, None, None),
            entry(Some(100), Some(0), Some(0)),
        ]
        .map(Answered::from);
        let span = Span::of("all", &answers);
        assert_eq!((span.questions, span.compared, span.files), (3, 1, 2));
        assert_eq!((span.answer_tokens, span.file_tokens, span.saved_tokens), (100, 1000, 900));
        assert_eq!(span.share(), Some(90));
    }

    #[test]
    fn answers_longer_than_their_files_are_told_as_a_loss() {
        let span = Span::of("all", &[entry(Some(800), Some(400), Some(1)).into()]);
        assert_eq!((span.saved_tokens, span.share()), (-100, Some(-100)));
        assert_eq!(Span::of("all", []).share(), None);
    }
}
