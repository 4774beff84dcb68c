//! Questions that follow edges, put to a server again and again: what a program that stays open sees.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::program::Program;
use super::super::query::QUESTIONS;
use super::super::series::{Results, Step};
use crate::served::{Connection, Gik, Served};
use crate::stop::{Result, Stop};

/// How many symbols are asked about.
const NODES: usize = 20;

/// Times questions about the symbols that most others name, and packs for questions in words. The first round warms up.
pub(super) fn run(program: &Program, root: &Path, results: &mut Results) -> Result<()> {
    let gik = Gik { binary: &program.binary, project: root, home: &program.home };
    let served = Served::start(&gik, &[])?;
    let mut server = Connection::to(served.host());
    let hubs = post(&mut server, "graph_hubs", &json!({"limit": NODES}))?;
    let hubs = hubs["hubs"].as_array().into_iter().flatten();
    let ids: Vec<&str> = hubs.filter_map(|hub| hub["id"].as_str()).collect();
    let calls = calls(&ids);
    for round in 0..=program.rounds.steady {
        for (step, tool, arguments) in &calls {
            let started = Instant::now();
            let answer = post(&mut server, tool, arguments)?;
            let time = started.elapsed();
            if round == 0 {
                continue;
            }
            results.add(*step, time, None);
            if *step == Step::Pack {
                results.add(Step::PackBeyond, time.saturating_sub(look(&answer)?), None);
            }
        }
    }
    Ok(())
}

/// How long a pack looked at the files before it was made.
fn look(pack: &Value) -> Result<Duration> {
    let millis = pack["timings"]["refresh"].as_f64();
    let missing = || Stop::Failed("a pack does not say how long it looked at the files".to_owned());
    Ok(Duration::from_secs_f64(millis.ok_or_else(missing)? / 1e3))
}

fn calls(ids: &[&str]) -> Vec<(Step, &'static str, Value)> {
    let mut calls = Vec::new();
    for (id, next) in ids.iter().zip(ids.iter().skip(1)) {
        calls.push((Step::Neighbors, "graph_neighbors", json!({"node": id})));
        calls.push((Step::Callers, "graph_callers", json!({"node": id})));
        calls.push((Step::Impact, "impact", json!({"targets": [id]})));
        calls.push((Step::Path, "graph_path", json!({"from": id, "to": next})));
    }
    for question in QUESTIONS {
        calls.push((Step::Pack, "pack", json!({"query": question, "timings": true})));
    }
    calls
}

fn post(server: &mut Connection, tool: &str, arguments: &Value) -> Result<Value> {
    let failed = |why: String| Stop::Failed(format!("`{tool}` {arguments}: {why}"));
    match server.post(tool, arguments) {
        Ok((200, answer)) => Ok(answer),
        // Nothing found is an answer as well.
        Ok((404, answer)) => Ok(answer),
        Ok((status, answer)) => Err(failed(format!("{status} {answer}"))),
        Err(error) => Err(failed(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_question_is_asked_of_every_symbol_but_the_last() {
        let calls = calls(&["a", "b", "c"]);
        let count = |step: Step| calls.iter().filter(|(one, ..)| *one == step).count();
        for step in [Step::Neighbors, Step::Callers, Step::Impact, Step::Path] {
            assert_eq!(count(step), 2);
        }
        assert_eq!(count(Step::Pack), QUESTIONS.len());
        assert_eq!(look(&json!({"timings": {"refresh": 2.0}})).unwrap(), Duration::from_millis(2));
        assert_eq!(calls[3].2, json!({"from": "a", "to": "b"}));
    }
}
