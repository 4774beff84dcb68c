//! Which words of a question say nothing about what is asked? Sorted, so that a lookup is a binary search.

/// English function and question words. They are left out of the soft terms of a query unless nothing else is left;
/// texts are indexed with them, and phrases and `+term` use them as they are.
const STOPWORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "aren", "as", "at", "be",
    "because", "been", "before", "being", "between", "both", "but", "by", "can", "cannot", "could",
    "d", "did", "didn", "do", "does", "doesn", "doing", "don", "during", "each", "every", "for",
    "from", "had", "has", "have", "having", "he", "her", "here", "him", "his", "how", "i", "if",
    "in", "into", "is", "isn", "it", "its", "just", "let", "ll", "m", "may", "me", "might", "more",
    "most", "must", "my", "no", "not", "of", "on", "only", "onto", "or", "our", "out", "over",
    "please", "re", "s", "shall", "she", "should", "show", "so", "some", "such", "t", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through",
    "to", "too", "under", "until", "up", "us", "used", "uses", "using", "ve", "very", "via", "was",
    "we", "were", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose",
    "why", "will", "with", "without", "would", "you", "your",
];

/// Whether a term is too common in questions to say anything.
pub(crate) fn is_stopword(term: &str) -> bool {
    STOPWORDS.binary_search(&term).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_made_of_terms() {
        assert!(STOPWORDS.is_sorted_by(|left, right| left < right));
        for &word in STOPWORDS {
            crate::analyze(word, &mut |term, position| assert_eq!((term, position), (word, 0)));
        }
        assert!(is_stopword("how") && !is_stopword("parse"));
    }
}
