//! From what somebody asked for to a request in normal form, and from that to its key.

use gik_base::hash;
use gik_contract::pack::{
    Budgets, Direction, EdgeType, EvidenceKind, Expansion, Focus, Intent, OrderBy, Ordering,
    PackRequest, SeedMode, SeedProvider, Strictness, TieBreaker,
};
use serde_json::{Map, Value};

/// What was asked for; what is left open has a default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// See [`PackRequest::query`].
    pub query: String,
    /// See [`PackRequest::seed_mode`].
    pub seed_mode: Option<SeedMode>,
    /// See [`PackRequest::seed_provider`].
    pub seed_provider: Option<SeedProvider>,
    /// See [`PackRequest::intent`].
    pub intent: Option<Intent>,
    /// See [`PackRequest::focus`].
    pub focus: Focus,
    /// See [`Expansion::max_hops`].
    pub max_hops: Option<u32>,
    /// See [`Expansion::edge_types`].
    pub edge_types: Option<Vec<EdgeType>>,
    /// See [`Expansion::direction`].
    pub direction: Option<Direction>,
    /// See [`Expansion::include_same_file_neighbors`].
    pub include_same_file_neighbors: Option<bool>,
    /// See [`Expansion::include_imports`].
    pub include_imports: Option<bool>,
    /// See [`Expansion::include_exports`].
    pub include_exports: Option<bool>,
    /// See [`Expansion::include_dataflow`].
    pub include_dataflow: Option<bool>,
    /// See [`Expansion::require_evidence`].
    pub require_evidence: Option<bool>,
    /// See [`Expansion::evidence_kinds`].
    pub evidence_kinds: Option<Vec<EvidenceKind>>,
    /// See [`Budgets::max_total_chars`].
    pub max_total_chars: Option<u64>,
    /// See [`Budgets::max_total_tokens`].
    pub max_total_tokens: Option<u64>,
    /// See [`Budgets::max_items`].
    pub max_items: Option<u64>,
    /// See [`Budgets::max_items_per_section`].
    pub max_items_per_section: Option<u64>,
    /// See [`Budgets::max_bytes_per_item`].
    pub max_bytes_per_item: Option<u64>,
    /// See [`Ordering::primary`].
    pub primary: Option<OrderBy>,
    /// See [`Ordering::stable_tie_breakers`].
    pub stable_tie_breakers: Vec<TieBreaker>,
    /// See [`PackRequest::strictness`].
    pub strictness: Option<Strictness>,
    /// See [`PackRequest::include_explain`].
    pub include_explain: Option<bool>,
}

/// What the project adds to a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// See [`PackRequest::repo_id`].
    pub repo_id: String,
    /// See [`PackRequest::index_root`].
    pub index_root: String,
    /// See [`PackRequest::index_signature`].
    pub index_signature: String,
}

const ALL_EVIDENCE: [EvidenceKind; 5] = [
    EvidenceKind::Callsite,
    EvidenceKind::Identifier,
    EvidenceKind::ImportStmt,
    EvidenceKind::Span,
    EvidenceKind::Tooling,
];

const ALL_TIE_BREAKERS: [TieBreaker; 4] =
    [TieBreaker::FileRelPath, TieBreaker::StartLine, TieBreaker::ChunkUid, TieBreaker::SymbolId];

/// A number of a request: its name, its default and the cap that nothing overrides.
struct Limit {
    name: &'static str,
    default: u64,
    cap: u64,
}

const MAX_HOPS: Limit = Limit { name: "maxHops", default: 2, cap: 4 };
const MAX_ITEMS: Limit = Limit { name: "maxItems", default: 80, cap: 250 };
const MAX_ITEMS_PER_SECTION: Limit = Limit { name: "maxItemsPerSection", default: 25, cap: 80 };
const MAX_BYTES_PER_ITEM: Limit = Limit { name: "maxBytesPerItem", default: 4096, cap: 64_000 };
const MAX_TOTAL_CHARS: Limit = Limit { name: "maxTotalChars", default: 200_000, cap: 2_000_000 };
const MAX_TOTAL_TOKENS: Limit = Limit { name: "maxTotalTokens", default: 8000, cap: 1_000_000 };

impl Limit {
    fn apply(&self, asked: Option<u64>, lowered: &mut Vec<String>) -> u64 {
        let asked = asked.unwrap_or(self.default);
        if asked > self.cap {
            lowered.push(format!("{} {asked} is above its cap of {}", self.name, self.cap));
        }
        asked.min(self.cap)
    }
}

/// How many bytes of a text an item may show.
pub fn most_bytes_of_item(draft: &Draft) -> u64 {
    MAX_BYTES_PER_ITEM.apply(draft.max_bytes_per_item, &mut Vec::new())
}

/// The request in normal form, and what had to be lowered to its cap.
pub fn normalize(draft: Draft, known: Known) -> (PackRequest, Vec<String>) {
    let mut lowered = Vec::new();
    let hops = MAX_HOPS.apply(draft.max_hops.map(u64::from), &mut lowered);
    let budgets = Budgets {
        max_total_chars: MAX_TOTAL_CHARS.apply(draft.max_total_chars, &mut lowered),
        max_total_tokens: MAX_TOTAL_TOKENS.apply(draft.max_total_tokens, &mut lowered),
        max_items: MAX_ITEMS.apply(draft.max_items, &mut lowered),
        max_items_per_section: MAX_ITEMS_PER_SECTION
            .apply(draft.max_items_per_section, &mut lowered),
        max_bytes_per_item: MAX_BYTES_PER_ITEM.apply(draft.max_bytes_per_item, &mut lowered),
    };
    let mut edges =
        draft.edge_types.unwrap_or_else(|| vec![EdgeType::Call, EdgeType::Usage, EdgeType::Import]);
    // A switch says more than the list: it adds a type to it or takes it out.
    let mut switch = |edge: EdgeType, included: Option<bool>| {
        if included == Some(false) {
            edges.retain(|known| *known != edge);
        } else if included == Some(true) {
            edges.push(edge);
        }
        edges.contains(&edge)
    };
    let include_imports = switch(EdgeType::Import, draft.include_imports);
    let include_exports = switch(EdgeType::Export, draft.include_exports);
    let include_dataflow = switch(EdgeType::Dataflow, draft.include_dataflow);
    edges.sort_unstable();
    edges.dedup();
    let mut kinds = draft.evidence_kinds.unwrap_or_else(|| ALL_EVIDENCE.to_vec());
    kinds.sort_unstable();
    kinds.dedup();
    let mut breakers: Vec<TieBreaker> = Vec::new();
    for breaker in draft.stable_tie_breakers.into_iter().chain(ALL_TIE_BREAKERS) {
        if !breakers.contains(&breaker) {
            breakers.push(breaker);
        }
    }
    let request = PackRequest {
        repo_id: known.repo_id,
        index_root: known.index_root,
        index_signature: known.index_signature,
        query: draft.query.split_whitespace().collect::<Vec<_>>().join(" "),
        seed_mode: draft.seed_mode.unwrap_or_default(),
        seed_provider: draft.seed_provider.unwrap_or_default(),
        intent: draft.intent.unwrap_or_default(),
        focus: draft.focus,
        expansion: Expansion {
            max_hops: u32::try_from(hops).unwrap_or(0),
            edge_types: edges,
            direction: draft.direction.unwrap_or_default(),
            include_same_file_neighbors: draft.include_same_file_neighbors.unwrap_or(true),
            include_imports,
            include_exports,
            include_dataflow,
            require_evidence: draft.require_evidence.unwrap_or(false),
            evidence_kinds: kinds,
        },
        budgets,
        ordering: Ordering {
            primary: draft.primary.unwrap_or_default(),
            stable_tie_breakers: breakers,
        },
        strictness: draft.strictness.unwrap_or_default(),
        include_explain: draft.include_explain.unwrap_or(true),
    };
    (request, lowered)
}

/// The key of a request: `sha256(indexSignature + normalized(request))`. The folder of the index is no part of it.
pub fn pack_id(request: &PackRequest) -> String {
    let request = PackRequest { index_root: String::new(), ..request.clone() };
    let value = serde_json::to_value(&request).unwrap_or_default();
    let key = format!("{}{}", request.index_signature, canonical(&value));
    let digest = hash::sha256_hex(key.as_bytes());
    format!("pack:{}", &digest[..32])
}

/// A document with sorted keys and no spaces: the same text for the same data.
pub fn canonical(value: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(fields) => {
                let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
                fields.sort_unstable_by_key(|(name, _)| *name);
                let fields = fields.into_iter().map(|(name, value)| (name.clone(), sorted(value)));
                Value::Object(Map::from_iter(fields))
            },
            Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }
    sorted(value).to_string()
}
