//! What a benchmark was asked for on the command line.

use super::program::Rounds;
use crate::stop::{Result, Stop};

/// What a benchmark does when nothing else is said.
#[derive(Debug)]
pub(super) struct Defaults {
    pub(super) name: &'static str,
    pub(super) counts: &'static [usize],
    pub(super) quick_counts: &'static [usize],
}

/// The trees and how often each thing is done to them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) counts: Vec<usize>,
    pub(super) rounds: Rounds,
    /// The end of the name of the folder with the results.
    pub(super) name: String,
}

/// Reads `[--quick] [--files N,...]`.
pub(super) fn parse(args: &[&str], defaults: &Defaults) -> Result<Options> {
    let usage = |message: &str| {
        let name = defaults.name;
        Stop::Usage(format!("{message}\nhint: cargo xtask bench {name} [--quick] [--files N,...]"))
    };
    let mut options = Options {
        counts: defaults.counts.to_vec(),
        rounds: Rounds { fresh: 3, steady: 9 },
        name: defaults.name.to_owned(),
    };
    let mut counts = None;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match *arg {
            "--quick" => {
                options.counts = defaults.quick_counts.to_vec();
                options.rounds = Rounds { fresh: 1, steady: 3 };
                options.name = format!("{}-quick", defaults.name);
            },
            "--files" => {
                let list = rest.next().ok_or_else(|| usage("`--files` needs numbers"))?;
                counts = Some(parse_counts(list).map_err(|message| usage(&message))?);
            },
            other => return Err(usage(&format!("unknown option `{other}`"))),
        }
    }
    if let Some(counts) = counts {
        options.counts = counts;
    }
    Ok(options)
}

fn parse_counts(list: &str) -> std::result::Result<Vec<usize>, String> {
    list.split(',')
        .map(|number| match number.trim().parse() {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(format!("`{number}` is no number of files")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: Defaults = Defaults { name: "x", counts: &[1, 2], quick_counts: &[1] };

    #[test]
    fn options_combine_in_any_order() {
        let options = parse(&["--files", "5,7", "--quick"], &DEFAULTS).unwrap();
        assert_eq!(options.counts, [5, 7]);
        assert_eq!(options.name, "x-quick");
        assert_eq!(parse(&["--quick"], &DEFAULTS).unwrap().counts, [1]);
        assert_eq!(parse(&[], &DEFAULTS).unwrap().counts, [1, 2]);
    }

    #[test]
    fn nonsense_is_refused() {
        for args in [&["--fast"][..], &["--files"], &["--files", "0"], &["--files", "a"]] {
            let stop = parse(args, &DEFAULTS).unwrap_err();
            assert!(stop.message().unwrap().contains("bench x [--quick]"), "{args:?}");
        }
    }
}
