//! A number that tells scenes apart by what they say, and not by how: neither by comments and the order of keys nor by which values stand in the
//! file and which are laid over it.

use toml::{Table, Value};
use xxhash_rust::xxh3::Xxh3;

/// Keys whose values a run can go on with, whatever they were.
const BESIDE: [&str; 3] = ["title", "description", "output.checkpoint_every"];

/// That of a scene as a table. Files that it names are not looked into.
pub(super) fn of(scene: &Table) -> u64 {
    let mut hash = Xxh3::new();
    feed_table(&mut hash, "", scene);
    hash.digest()
}

/// Entries by the order of their names, which is not that of the text.
fn feed_table(hash: &mut Xxh3, way: &str, table: &Table) {
    let key_of = |name: &str| match way {
        "" => name.to_owned(),
        way => format!("{way}.{name}"),
    };
    let entries = table.iter().map(|(name, value)| (key_of(name), value));
    let mut entries: Vec<_> = entries.filter(|(key, value)| !is_beside(key, value)).collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    hash.update(b"{");
    feed_length(hash, entries.len());
    for (key, value) in entries {
        feed_text(hash, &key);
        feed(hash, &key, value);
    }
}

/// Whether nothing of a value counts; `[output]` with no more in it than that is as none.
fn is_beside(key: &str, value: &Value) -> bool {
    let is = |key: &str| BESIDE.contains(&key);
    let all_is = |table: &Table| table.keys().all(|name| is(&format!("output.{name}")));
    is(key) || key == "output" && value.as_table().is_some_and(all_is)
}

/// A value, after a letter that says of which type it is.
fn feed(hash: &mut Xxh3, way: &str, value: &Value) {
    match value {
        Value::String(text) => {
            hash.update(b"s");
            feed_text(hash, text);
        }
        Value::Integer(number) => {
            hash.update(b"i");
            hash.update(&number.to_le_bytes());
        }
        Value::Float(number) => {
            hash.update(b"f");
            hash.update(&number.to_bits().to_le_bytes());
        }
        Value::Boolean(is) => hash.update(if *is { b"t" } else { b"n" }),
        Value::Datetime(time) => {
            hash.update(b"d");
            feed_text(hash, &time.to_string());
        }
        Value::Array(values) => {
            hash.update(b"[");
            feed_length(hash, values.len());
            // What is beside the point stands in no list.
            values.iter().for_each(|value| feed(hash, way, value));
        }
        Value::Table(table) => feed_table(hash, way, table),
    }
}

fn feed_text(hash: &mut Xxh3, text: &str) {
    feed_length(hash, text.len());
    hash.update(text.as_bytes());
}

/// A length, the same on machines of any width.
fn feed_length(hash: &mut Xxh3, length: usize) {
    hash.update(&(length as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    const POND: &str = "model = 'flow'\ngrid = { nx = 40, ny = 30 }\ntime.until = 60\n\
        [[source]]\nat = [1, 2]\nrate = 3\n[[source]]\nat = [3, 4]\nrate = 5\n";

    fn fingerprint(text: &str) -> u64 {
        of(&text.parse().unwrap())
    }

    #[test]
    fn it_is_of_what_is_said_and_not_of_how() {
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
    fn all_else_counts() {
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
