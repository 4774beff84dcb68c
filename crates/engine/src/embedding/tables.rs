//! Where the tables of the backend `lancedb` are.

use std::path::Path;

use gik_base::{ErrorCode, Failure, Result, hash};
use gik_store::{Location, Tables};

use crate::Workspace;
use crate::settings::IndexSettings;

/// Where the tables of a branch are.
pub(crate) fn of(ws: &Workspace<'_>) -> Result<Tables> {
    let branch = ws.branch.name();
    let location = location(&ws.settings.indexes, &ws.root, branch)?;
    Ok(Tables { branch: Some(branch.to_owned()), location })
}

/// The place for the tables of a branch below the one that the user chose for all of them: many workspaces may share it.
fn location(settings: &IndexSettings, root: &Path, branch: &str) -> Result<Option<Location>> {
    let Some(chosen) = &settings.table_location else { return Ok(None) };
    let is_bucket = chosen.strip_prefix("s3://").is_some_and(|rest| !rest.is_empty());
    if !is_bucket && !Path::new(chosen).is_absolute() {
        let message = format!(
            "`indexes.lancedb.location` is neither `s3://bucket/prefix` nor an absolute path: `{chosen}`"
        );
        return Err(Failure::new(ErrorCode::ConfigInvalid, message)
            .hint("`gik config show indexes --origin` shows where it is set"));
    }
    let name = root.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let unique = hash::fast128_hex(&[root.as_os_str().as_encoded_bytes(), branch.as_bytes()]);
    let own = format!("{}-{}-{}", plain(&name), plain(branch), &unique[..16]);
    Ok(Some(Location {
        url: format!("{}/{own}", chosen.trim_end_matches('/')),
        endpoint: settings.table_endpoint.clone(),
        region: settings.table_region.clone(),
    }))
}

/// A name that needs no escapes anywhere.
fn plain(name: &str) -> String {
    let is_plain = |found: char| found.is_ascii_alphanumeric() || "._-".contains(found);
    name.chars().take(40).map(|found| if is_plain(found) { found } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(chosen: &str) -> IndexSettings {
        IndexSettings { table_location: Some(chosen.to_owned()), ..IndexSettings::default() }
    }

    #[test]
    fn branches_and_workspaces_have_places_of_their_own() {
        let place = |root: &str, branch: &str| {
            let found = location(&settings("s3://bucket/a/"), Path::new(root), branch);
            found.unwrap().unwrap().url
        };
        let all = [
            place("/home/me/shop", "main"),
            place("/home/me/shop", "feature/x"),
            place("/home/me/shop", "feature_x"),
            place("/home/you/shop", "main"),
        ];
        assert!(all[0].starts_with("s3://bucket/a/shop-main-"), "{}", all[0]);
        assert!(all[1].starts_with("s3://bucket/a/shop-feature_x-"), "{}", all[1]);
        let mut different = all.to_vec();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn a_location_is_a_bucket_or_an_absolute_path() {
        let root = Path::new("/home/me/shop");
        assert_eq!(location(&IndexSettings::default(), root, "main").unwrap(), None);
        for wrong in ["s3://", "gs://bucket", "vectors", "../vectors", "http://127.0.0.1/bucket"] {
            let failure = location(&settings(wrong), root, "main").unwrap_err();
            assert_eq!(failure.code(), ErrorCode::ConfigInvalid, "{wrong}");
            assert!(failure.to_string().contains(wrong));
        }
        let dir = std::env::temp_dir();
        let chosen = dir.to_str().unwrap();
        assert!(
            location(&settings(chosen), root, "main").unwrap().unwrap().url.starts_with(chosen)
        );
    }
}
