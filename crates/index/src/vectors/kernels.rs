//! How near is one vector to another, and with which instructions is that found out?

use super::lanes;
#[cfg(target_arch = "x86_64")]
use super::x86;

/// What near means. A score is larger for what is nearer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// The cosine of the angle; 0 where a vector has no direction.
    Cosine,
    /// The inner product.
    Dot,
    /// The Euclidean distance; its score is the distance below zero.
    L2,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 3] = [Self::Cosine, Self::Dot, Self::L2];

    /// The name in `meta.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cosine => "cosine",
            Self::Dot => "dot",
            Self::L2 => "l2",
        }
    }

    /// The metric of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.as_str() == name)
    }
}

/// Which instructions are used; the results are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernels {
    /// Any processor.
    Plain,
    /// AVX2 and POPCNT, which this processor has: [`Kernels::best`] is the only one who says so.
    #[cfg(target_arch = "x86_64")]
    X86(x86::Proof),
}

impl Kernels {
    /// The fastest that this processor can do.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(proof) = x86::Proof::find() {
            return Self::X86(proof);
        }
        Self::Plain
    }

    /// The inner product of two vectors of the same length.
    pub fn dot(self, a: &[f32], b: &[f32]) -> f32 {
        match self {
            Self::Plain => lanes::dot(a, b),
            #[cfg(target_arch = "x86_64")]
            Self::X86(proof) => x86::dot(proof, a, b),
        }
    }

    /// The square of the distance between two vectors of the same length.
    pub fn squared_distance(self, a: &[f32], b: &[f32]) -> f32 {
        match self {
            Self::Plain => lanes::squared_distance(a, b),
            #[cfg(target_arch = "x86_64")]
            Self::X86(proof) => x86::squared_distance(proof, a, b),
        }
    }

    /// The length of a vector.
    pub fn norm(self, vector: &[f32]) -> f32 {
        self.dot(vector, vector).sqrt()
    }

    /// How near two vectors are whose lengths are known.
    pub fn score(
        self,
        metric: Metric,
        (a, a_norm): (&[f32], f32),
        (b, b_norm): (&[f32], f32),
    ) -> f32 {
        match metric {
            Metric::Dot => self.dot(a, b),
            Metric::L2 => -self.squared_distance(a, b).sqrt(),
            Metric::Cosine => {
                let norms = a_norm * b_norm;
                if norms > 0.0 { self.dot(a, b) / norms } else { 0.0 }
            },
        }
    }

    /// The sum of the numbers with the signs of a code.
    pub(super) fn sum_of_signed(self, numbers: &[f32], code: &[u8]) -> f32 {
        match self {
            Self::Plain => lanes::sum_of_signed(numbers, code),
            #[cfg(target_arch = "x86_64")]
            Self::X86(proof) => x86::sum_of_signed(proof, numbers, code),
        }
    }

    /// In how many bits each code differs from that of the question.
    pub(super) fn differences(self, question: &[u64], codes: &[u8], out: &mut [u16]) {
        match self {
            Self::Plain => lanes::differences(question, codes, out),
            #[cfg(target_arch = "x86_64")]
            Self::X86(proof) => x86::differences(proof, question, codes, out),
        }
    }
}
