//! The fixtures of all languages: what inputs are made of.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gik_parse::Language;

use super::mutate::Pool;
use crate::stop::{Result, Stop};
use crate::workspace;

const LANGUAGES: &str = "crates/parse/languages/";

/// Every fixture.
#[derive(Debug)]
pub(super) struct Corpus {
    by_language: BTreeMap<String, Vec<Vec<u8>>>,
    all: Vec<Vec<u8>>,
}

impl Corpus {
    /// Reads the fixtures below the root of the checkout; goldens are none.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut by_language: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
        let mut all = Vec::new();
        for file in workspace::files(&root.join(LANGUAGES))? {
            let parts: Vec<&str> = file.split('/').collect();
            let [language, "fixtures", name] = parts.as_slice() else { continue };
            if name.ends_with(".golden") {
                continue;
            }
            let path = root.join(LANGUAGES).join(&file);
            let text = fs::read(&path).map_err(|error| Stop::on_path("read", &path, error))?;
            by_language.entry((*language).to_owned()).or_default().push(text.clone());
            all.push(text);
        }
        Ok(Self { by_language, all })
    }

    /// The languages that have a reader, or those named.
    pub(super) fn choose(&self, named: &[&str]) -> Result<Vec<&'static Language>> {
        if named.is_empty() {
            let languages = gik_parse::languages().iter();
            let readable: Vec<_> = languages.filter(|language| language.has_structure()).collect();
            return readable.into_iter().map(|language| self.with_fixtures(language)).collect();
        }
        let find = |id: &&str| {
            let language = gik_parse::language_by_id(id)
                .ok_or_else(|| Stop::Usage(format!("no language has the id `{id}`")))?;
            self.with_fixtures(language)
        };
        named.iter().map(find).collect()
    }

    fn with_fixtures(&self, language: &'static Language) -> Result<&'static Language> {
        if self.by_language.contains_key(language.id) {
            return Ok(language);
        }
        Err(Stop::Failed(format!("`{}` has no fixtures in {LANGUAGES}", language.id)))
    }

    /// What inputs of a language are made of.
    pub(super) fn pool(&self, language: &Language) -> Pool<'_> {
        let own = self.by_language.get(language.id).map_or(self.all.as_slice(), Vec::as_slice);
        Pool { own, all: &self.all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_with_a_reader_has_fixtures() {
        let corpus = Corpus::read(&workspace::root()).unwrap();
        let languages = corpus.choose(&[]).unwrap();
        assert!(languages.len() > 50, "{}", languages.len());
        assert!(corpus.pool(languages[0]).all.len() > languages.len());
    }

    #[test]
    fn only_languages_that_can_be_tried_are_chosen() {
        let corpus = Corpus::read(&workspace::root()).unwrap();
        assert_eq!(corpus.choose(&["rust", "yaml"]).unwrap().len(), 2);
        assert!(matches!(corpus.choose(&["no-such-language"]), Err(Stop::Usage(_))));
        assert!(matches!(corpus.choose(&["log"]), Err(Stop::Failed(_))));
    }
}
