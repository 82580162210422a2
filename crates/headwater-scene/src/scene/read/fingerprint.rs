//! Hash of a scene's values. A checkpoint contains it to identify the scene. The hash does not
//! depend on comments, on the order of keys, or on whether a value is from the scene file or from
//! an override.

use toml::{Table, Value};
use xxhash_rust::xxh3::Xxh3;

/// Keys that do not affect the results of a run.
const IGNORED_KEYS: [&str; 3] = ["title", "description", "output.checkpoint_every"];

/// Returns the hash of a scene's table. Excludes the contents of files that the scene refers to.
pub(in crate::scene) fn table_fingerprint(scene: &Table) -> u64 {
    let mut hash = Xxh3::new();
    hash_table(&mut hash, "", scene);
    hash.digest()
}

/// Adds the entries of a table to the hash, sorted by key, so that their order in the file does not
/// matter. `path` is the key path of the table.
fn hash_table(hash: &mut Xxh3, path: &str, table: &Table) {
    let key_of = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    let entries = table.iter().map(|(name, value)| (key_of(name), value));
    let mut entries: Vec<_> = entries.filter(|(key, value)| !is_ignored(key, value)).collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    hash.update(b"{");
    hash_length(hash, entries.len());
    for (key, value) in entries {
        hash_text(hash, &key);
        hash_value(hash, &key, value);
    }
}

/// Returns whether the hash ignores the value of a key. This includes a table `[output]` in which
/// all keys are ignored, because such a table has the same effect as no table.
fn is_ignored(key: &str, value: &Value) -> bool {
    let is = |key: &str| IGNORED_KEYS.contains(&key);
    let all_is = |table: &Table| table.keys().all(|name| is(&format!("output.{name}")));
    is(key) || key == "output" && value.as_table().is_some_and(all_is)
}

/// Adds a value to the hash, preceded by a letter for its type. `path` is the key path of the
/// value.
fn hash_value(hash: &mut Xxh3, path: &str, value: &Value) {
    match value {
        Value::String(text) => {
            hash.update(b"s");
            hash_text(hash, text);
        }
        Value::Integer(number) => {
            hash.update(b"i");
            hash.update(&number.to_le_bytes());
        }
        Value::Float(number) => {
            hash.update(b"f");
            hash.update(&number.to_bits().to_le_bytes());
        }
        Value::Boolean(on) => hash.update(if *on { b"t" } else { b"n" }),
        Value::Datetime(time) => {
            hash.update(b"d");
            hash_text(hash, &time.to_string());
        }
        Value::Array(values) => {
            hash.update(b"[");
            hash_length(hash, values.len());
            // Lists contain no ignored keys.
            values.iter().for_each(|value| hash_value(hash, path, value));
        }
        Value::Table(table) => hash_table(hash, path, table),
    }
}

fn hash_text(hash: &mut Xxh3, text: &str) {
    hash_length(hash, text.len());
    hash.update(text.as_bytes());
}

/// Adds a length to the hash as 64 bits, independent of the machine's word size.
fn hash_length(hash: &mut Xxh3, length: usize) {
    hash.update(&(length as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    const POND: &str = "model = 'flow'\ngrid = { nx = 40, ny = 30 }\ntime.until = 60\n\
        [[source]]\nat = [1, 2]\nrate = 3\n[[source]]\nat = [3, 4]\nrate = 5\n";

    fn fingerprint(text: &str) -> u64 {
        table_fingerprint(&text.parse().unwrap())
    }

    #[test]
    fn comments_and_order_do_not_change_the_fingerprint() {
        let pond = fingerprint(POND);
        for same in [
            format!("# A pond.\n{POND}"),
            format!("title = 'A pond'\ndescription = 'It is round.'\n{POND}"),
            format!("output.checkpoint_every = 10\n{POND}"),
            format!("output = {{}}\n{POND}"),
            "time = { until = 60 }\ngrid = { ny = 30, nx = 40 }\nmodel = \"flow\"\n\
             source = [{ rate = 3, at = [1, 2] }, { at = [3, 4], rate = 5 }]"
                .into(),
        ] {
            assert_eq!(fingerprint(&same), pond, "{same}");
        }
    }

    #[test]
    fn other_changes_change_the_fingerprint() {
        let of_output = format!("output.gif = false\n{POND}");
        let others = [
            POND.replace("rate = 5", "rate = 6"),
            POND.replace("rate = 5", "rate = 5.0"),
            POND.replace("rate = 5", "rate = '5'"),
            POND.replace("rate = 5", "rate = [5]"),
            POND.replace("rate = 5\n", ""),
            POND.replace("nx = 40, ny = 30", "nx = 30, ny = 40"),
            POND.replace("[1, 2]", "[2, 1]"),
            POND.replace("[1, 2]", "[[1, 2]]"),
            POND.replace("[1, 2]", "[12]"),
            POND.replacen("rate", "title", 1),
            POND.replace("time.until", "'time.until'"),
            POND.replace("3\n[[source]]", "5\n[[source]]").replace("= 5\n", "= 3\n"),
            format!("terrain = {{}}\n{POND}"),
            format!("terrain.plane = {{}}\n{POND}"),
            of_output.replace("false", "true"),
            of_output,
        ];
        let mut all: Vec<u64> = others.iter().map(|text| fingerprint(text)).collect();
        all.push(fingerprint(POND));
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
