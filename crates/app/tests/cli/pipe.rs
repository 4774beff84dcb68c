//! A reader that stops listening is no failure.

use gik_testkit::Gik;

use super::indexed;

#[test]
fn a_pipe_that_closes_early_makes_no_noise() {
    let tree = indexed();
    let shell = Gik::new("bash", &tree);
    let binary = env!("CARGO_BIN_EXE_gik");
    for command in ["log", "--help", "completions bash", "ask greeting --json", "config show"] {
        let script = format!("'{binary}' {command} | true; echo ${{PIPESTATUS[0]}}");
        let run = shell.run(&["-c", &script]).success();
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("0\n", ""), "{command}");
        let script = format!("'{binary}' {command} | head -1 | wc -l");
        let run = shell.run(&["-c", &script]).success();
        assert_eq!((run.stdout.trim(), run.stderr.as_str()), ("1", ""), "{command}");
    }
}
