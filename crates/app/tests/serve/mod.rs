//! What programs see: MCP on standard input and output, HTTP on a port, the same answers on all surfaces.

mod attacks;
mod budget;
mod changes;
pub(crate) mod client;
mod envelope;
mod http;
pub(crate) mod parity;
mod patience;
mod stdio;

use client::{Http, Mcp, text};
