//! Overrides such as `--set grid.nx=512`. They change values in a scene's table before it is
//! deserialized.

use crate::scene::key::{KeyPath, Segment};
use toml::{Table, Value};

/// Parses the value of an override. If it is not a valid TOML value, returns it as a string.
pub(crate) fn parse_value(text: &str) -> Value {
    text.trim().parse().unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// Sets the value at `path` in a table. Creates missing tables on the way. An index equal to the
/// length of a list appends an entry.
///
/// # Errors
/// Returns a message if the path does not fit the values in the table.
pub(crate) fn set_value(table: &mut Table, path: &KeyPath, value: Value) -> Result<(), String> {
    let Some((Segment::Key(first), rest)) = path.0.split_first() else {
        return Err("a key must start with a name".to_owned());
    };
    let mut parent = KeyPath(vec![Segment::Key(first.clone())]);
    let mut place =
        table.entry(first.as_str()).or_insert_with(|| empty_container_for(rest.first()));
    for (i, segment) in rest.iter().enumerate() {
        let kind = place.type_str();
        let missing = || empty_container_for(rest.get(i + 1));
        place = match (segment, place) {
            (Segment::Key(name), Value::Table(table)) => {
                table.entry(name.as_str()).or_insert_with(missing)
            }
            (Segment::Index(index), Value::Array(list)) => {
                let len = list.len();
                if *index > len {
                    return Err(format!("`{parent}` has {len} entries, found index {index}"));
                }
                if *index == len {
                    list.push(missing());
                }
                &mut list[*index]
            }
            (Segment::Key(name), _) => {
                return Err(format!("`{parent}` is of type {kind}, it has no key `{name}`"));
            }
            (Segment::Index(index), _) => {
                return Err(format!("`{parent}` is of type {kind}, it has no entry {index}"));
            }
        };
        parent = parent.join(segment.clone());
    }
    *place = value;
    Ok(())
}

/// Returns an empty value that can contain `next`, the next segment of a path. This is a list if
/// `next` is an index; otherwise, it is a table.
fn empty_container_for(next: Option<&Segment>) -> Value {
    match next {
        Some(Segment::Index(_)) => Value::Array(Vec::new()),
        _ => Value::Table(Table::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_with_override(text: &str, key: &str, value_text: &str) -> Result<Table, String> {
        let mut table = text.parse::<Table>().unwrap();
        set_value(&mut table, &KeyPath::parse(key).unwrap(), parse_value(value_text))
            .map(|()| table)
    }

    #[test]
    fn values_are_toml_or_else_text() {
        assert_eq!(parse_value("3"), Value::Integer(3));
        assert_eq!(parse_value("[1, 2]").as_array().map(Vec::len), Some(2));
        assert_eq!(parse_value("'3'"), Value::String("3".into()));
        assert_eq!(parse_value("maps/dem 1.tif"), Value::String("maps/dem 1.tif".into()));
        assert_eq!(parse_value("1\nmodel = 2"), Value::String("1\nmodel = 2".into()));
        assert_eq!(parse_value(""), Value::String(String::new()));
    }

    #[test]
    fn missing_tables_are_created_and_lists_grow_by_one() {
        let table = table_with_override("", "rain.rate", "5").unwrap();
        assert_eq!(table["rain"]["rate"].as_integer(), Some(5));
        let table = table_with_override("source = [{ rate = 1 }]", "source[1].rate", "2").unwrap();
        assert_eq!(table["source"][1]["rate"].as_integer(), Some(2));
        let table = table_with_override("[grid]\ncell = 2", "grid.cell", "[1, 2]").unwrap();
        assert_eq!(table["grid"]["cell"][1].as_integer(), Some(2));
    }

    #[test]
    fn paths_that_do_not_match_the_table_are_rejected() {
        assert!(table_with_override("seed = 1", "seed.x", "2").unwrap_err().contains("no key `x`"));
        assert!(
            table_with_override("seed = 1", "seed[0]", "2").unwrap_err().contains("no entry 0")
        );
        assert!(table_with_override("", "source[4].rate", "2").unwrap_err().contains("0 entries"));
    }
}
