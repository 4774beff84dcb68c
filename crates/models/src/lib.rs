//! Text → vectors, question and passage → score.
//!
//! Start with [`Embedder`], what every model offers, and [`Model`], the closed list of models. The built-in one is a
//! table of tokens ([`static_model`]) that needs no file; [`encoder`] runs transformers of the BERT family from a
//! folder; [`wordpiece`] is the tokenizer of both; [`remote`] asks a server. [`Reranker`] is what orders candidates. [`library`] keeps the models of a user.
//!
//! Nothing here knows what the texts are or where vectors go.

mod embedder;
pub mod encoder;
mod http;
mod kept;
mod kernels;
pub mod library;
pub mod remote;
mod reranker;
mod safetensors;
pub mod static_model;
#[cfg(test)]
mod testing;
pub mod wordpiece;

pub use embedder::{Embedder, Model, ModelId, Provider, TextKind, Vectors};
pub use encoder::{CrossEncoder, ENCODER_ARITHMETIC, Encoder, Options, Precision};
pub use kept::keep_models_open;
pub use library::{Library, ModelName};
pub use remote::{Remote, RemoteOptions};
pub use reranker::{COSINE_SPAN, Reranker, cosine};
pub use static_model::{BUILTIN_DIMENSION, BUILTIN_NAME, StaticModel};
pub use wordpiece::WordPiece;
