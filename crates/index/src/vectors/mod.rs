//! Which vectors are nearest to a question? The arithmetic of it, over bytes and numbers in memory.
//!
//! A vector has a *code*: one bit for each of its numbers, set where the number is above zero. Codes that differ in few
//! bits belong to vectors that point about the same way, so a scan over all codes ([`nearest_codes`]) and a closer look at
//! the best of them ([`nearest_by_sums`]) leave few vectors to be compared exactly ([`Kernels::score`]), and [`Best`]
//! keeps the nearest of them.
//!
//! Sums are made in sixteen lanes in a fixed order and without fused operations, so the bits of a score depend neither
//! on the processor nor on what else is compared.

mod best;
mod codes;
mod kernels;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use best::{Best, Neighbour};
pub use codes::{code_bytes, nearest_by_sums, nearest_codes, write_code};
pub use kernels::{Kernels, Metric};

#[cfg(test)]
mod tests;
