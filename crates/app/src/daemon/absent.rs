//! The warm process where the system has no sockets of the kind it needs: there is none, and every process answers by
//! itself.

use clap::{ArgMatches, Command};
use gik_base::{Cancel, ErrorCode, Failure, Progress, Result};
use gik_engine::{Context, Tool};

use crate::exit::ExitCode;
use crate::output::{Format, Look};
use crate::service::{Answered, Job};

/// Nobody.
#[derive(Debug)]
pub(crate) enum Helper {}

impl Helper {
    pub(crate) fn of_user(_: bool) -> Option<Self> {
        None
    }

    pub(crate) fn ask(&self, _: &Job, _: &dyn Progress, _: &Cancel) -> Option<Result<Answered>> {
        match *self {}
    }
}

pub(crate) fn add_command(root: Command) -> Command {
    root
}

pub(crate) fn run(_: &ArgMatches, _: Format, _: Cancel) -> Result<ExitCode> {
    Err(Failure::new(ErrorCode::NotSupported, "there is no warm process on this system"))
}

pub(crate) fn print(_: &Tool, _: &Context<'_>, _: Look) -> Option<Result<(String, bool)>> {
    None
}
