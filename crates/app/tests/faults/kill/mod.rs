//! SIGKILL at 300 random moments of each writing command: nothing that a finished command reported is lost.

mod victims;

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::{Duration, Instant};

use gik_testkit::{Rng, Run, Tree};
use serde_json::Value;

use self::victims::{Add, Commit, MemoryAdd, MemoryPrune};
use super::project::{error_code, gik, indexed_project, knowledge, project, say};
use super::truth::Truth;

/// How often each command is killed.
const KILLS: usize = 300;
/// After so many kills a new workspace is made, so that histories do not grow for ever.
const KILLS_PER_TREE: usize = 60;

/// A command that is killed, and what it may not lose.
trait Victim {
    /// Forgets everything; the tree is new, and these rounds are played in it.
    fn start(&mut self, tree: &Tree, rounds: &[usize]);
    /// Makes something for the command to do.
    fn prepare(&mut self, tree: &Tree, round: usize);
    /// The command line of a round.
    fn args(&self, round: usize) -> Vec<String>;
    /// Remembers what a command said on standard output.
    fn acknowledge(&mut self, answer: &Value);
    /// Whether the command has nothing left to do, because a killed one did it all.
    fn is_done(&self, before: &Truth, after: &Truth) -> bool;
    /// Fails when something acknowledged is gone.
    fn check(&self, truth: &Truth);
    /// After the last kill in a tree.
    fn finish(&self, _tree: &Tree) {}
}

/// How the kills of a test went.
#[derive(Default)]
struct Tally {
    /// The command was still running.
    hits: usize,
    /// The next command had to finish a recorded change.
    finished_later: usize,
}

fn survives(victim: &mut dyn Victim, seed: u64) {
    say(&format!("seed {seed}"));
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    for first in (0..KILLS).step_by(KILLS_PER_TREE) {
        let tree = indexed_project();
        let kills = first..KILLS.min(first + KILLS_PER_TREE);
        let undisturbed = KILLS + first..KILLS + first + 2;
        victim.start(&tree, &kills.clone().chain(undisturbed.clone()).collect::<Vec<_>>());
        let longest = measure(victim, &tree, undisturbed);
        for round in kills {
            kill_once(victim, &tree, round, longest.mul_f64(1.1), &mut rng, &mut tally);
        }
        victim.finish(&tree);
    }
    let Tally { hits, finished_later } = tally;
    say(&format!(
        "{hits} of {KILLS} kills hit a running command; {finished_later} left a change for the next one to finish"
    ));
    assert!(hits * 3 >= KILLS, "only {hits} of {KILLS} kills hit: the moments are badly chosen");
}

/// How long the command takes when nobody stops it.
fn measure(victim: &mut dyn Victim, tree: &Tree, rounds: Range<usize>) -> Duration {
    let mut longest = Duration::ZERO;
    for round in rounds {
        victim.prepare(tree, round);
        let started = Instant::now();
        let run = run(victim, tree, round).success();
        longest = longest.max(started.elapsed());
        victim.acknowledge(&run.json());
    }
    longest
}

/// One kill and what must hold after it.
fn kill_once(
    victim: &mut dyn Victim,
    tree: &Tree,
    round: usize,
    longest: Duration,
    rng: &mut Rng,
    tally: &mut Tally,
) {
    let args = victim.args(round);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    victim.prepare(tree, round);
    let before = Truth::of(tree);
    let ending = gik(tree).kill_at_random(&args, longest, rng);
    let was_killed = ending.was_killed();
    let killed = ending.into_run();
    assert!(was_killed || killed.code == Some(0), "round {round}: {killed:?}");
    // What was printed counts, also when the process was killed right after.
    if let Ok(answer) = serde_json::from_str(&killed.stdout) {
        victim.acknowledge(&answer);
    }

    tally.hits += usize::from(was_killed);

    Truth::before_recovery(tree);
    let verified = gik(tree).run(&["verify", "--json"]).success().json();
    let recovered = verified["recovered"].as_array().expect("a list of sentences");
    tally.finished_later += usize::from(!recovered.is_empty());
    let after = Truth::of(tree);
    victim.check(&after);
    check_history(&before, &after);

    let again = run(victim, tree, round);
    if again.code == Some(0) {
        victim.acknowledge(&again.json());
    } else {
        assert!(victim.is_done(&before, &after), "round {round}: {again:?}");
        assert_eq!(error_code(&again), "commit-nothing-pending", "round {round}");
    }
    victim.check(&Truth::of(tree));
}

/// Revisions and memory are only ever added to; the command under test may move entries to the archive.
fn check_history(before: &Truth, after: &Truth) {
    assert!(
        after.revisions.starts_with(&before.revisions),
        "history changed: {before:?} {after:?}"
    );
    let known = |truth: &Truth| {
        truth.memory_ids().union(&truth.archive_ids()).cloned().collect::<BTreeSet<_>>()
    };
    assert!(known(before).is_subset(&known(after)), "memory was lost: {before:?} {after:?}");
}

fn run(victim: &dyn Victim, tree: &Tree, round: usize) -> Run {
    let args = victim.args(round);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    gik(tree).run(&args)
}

#[test]
fn a_killed_commit_loses_no_revision() {
    survives(&mut Commit::default(), 0x00c0_ffee);
}

#[test]
fn a_killed_add_loses_no_source() {
    survives(&mut Add::default(), 0x00ad_d1ce);
}

#[test]
fn a_killed_memory_add_loses_no_entry() {
    survives(&mut MemoryAdd::default(), 0x003e_30a1);
}

#[test]
fn a_killed_memory_prune_loses_no_entry() {
    survives(&mut MemoryPrune::default(), 0x0009_21e5);
}

#[test]
fn a_killed_first_index_is_finished_by_the_next() {
    let seed = 0x0f12_57ed;
    say(&format!("seed {seed}"));
    let mut rng = Rng::new(seed);
    let tree = project();
    let started = Instant::now();
    gik(&tree).run(&["index"]).success();
    let longest = started.elapsed();
    let mut hits = 0;
    for round in 0..60 {
        tree.remove(".guided");
        let ending = gik(&tree).kill_at_random(&["index"], longest, &mut rng);
        hits += usize::from(ending.was_killed());
        if tree.exists(&knowledge("HEAD")) {
            Truth::before_recovery(&tree);
            gik(&tree).run(&["verify"]).success();
        } else if !tree.exists(".guided") {
            tree.create_dir(".guided");
        }
        let answer = gik(&tree).run(&["index", "--json"]).success().json();
        assert_eq!(answer["files"], tree.list().len(), "round {round}");
        gik(&tree).run(&["verify"]).success();
        Truth::of(&tree);
    }
    say(&format!("{hits} of 60 kills hit a running command"));
    assert!(hits >= 20, "only {hits} of 60 kills hit: the moments are badly chosen");
}
