//! The reference of all keys of scene files, as Markdown.

use super::json::by_name;
use super::schema;
use crate::scene::Area;
use crate::scene::schema::csv_series;
use schemars::schema_for;
use serde_json::{Map, Value};
use std::fmt::Write as _;

const HEAD: &str = "# Reference of scene files

Every key of every table, by model. It is printed by `headwater schema --markdown` from the same tables by which scenes are read
and checked; do not edit it. Lengths are metres, times seconds; positions are `[east, south]` of the top-left corner in metres
or percent. A *series* is a number, a list of `[seconds, value]` with straight lines between, or such a list in a file (see
[Series](#series)).
";

const SERIES: &str = "
## Series

Wherever a series may stand, it may stand in a CSV file instead, for example `level = { csv = \"tide.csv\", times = \"h\", scale = 0.01 }`.
Columns are parted by semicolons, tabs, commas or blanks; where not by commas, numbers may have a decimal comma. Lines that are empty or
begin with `#` do not count, the first one may name the columns, and rows without a value are left out. Times grow. Dates are
`2024-05-01`, with or without a time of day such as `12:30` or `12:30:15`, all of one clock. A run that was stopped goes on only while the
file is the same.
";

/// The keys of an area: those of the part about areas.
const AREA: [&str; 5] = ["disc", "rect", "line", "polygon", "everywhere"];

/// The reference, a part for each model.
pub fn reference() -> String {
    let schema = schema();
    let definitions = &schema["$defs"];
    let mut text = HEAD.to_owned();
    let area = by_name(schema_for!(Area).to_value());
    text += "\n## Areas\n\nWhere something is or is done: exactly one of these keys.\n";
    Reference { definitions: &area["$defs"], text: &mut text }.table(&area, "area", "");
    text += SERIES;
    let file = by_name(csv_series());
    Reference { definitions: &area["$defs"], text: &mut text }.table(&file, "series", "");
    for scene in schema["allOf"].as_array().into_iter().flatten() {
        let scene = &scene["then"];
        let title = scene["title"].as_str().unwrap_or_default();
        let model = scene["properties"]["model"]["const"].as_str().unwrap_or_default();
        _ = write!(text, "\n## `{model}`\n\n{title}.\n");
        Reference { definitions, text: &mut text }.table(scene, "", "");
    }
    text
}

/// A reference being written.
struct Reference<'a> {
    definitions: &'a Value,
    text: &'a mut String,
}

impl<'a> Reference<'a> {
    /// Writes the keys of a table, then the tables in it.
    fn table(&mut self, table: &Value, way: &str, heading: &str) {
        let empty = Map::new();
        let properties = table["properties"].as_object().unwrap_or(&empty);
        let required: Vec<&str> =
            table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let (tables, keys): (Vec<_>, Vec<_>) =
            properties.iter().partition(|(_, schema)| self.inner(schema).is_some());
        if !heading.is_empty() {
            _ = write!(self.text, "\n### {heading}\n");
            if let Some(about) = table["description"].as_str() {
                _ = write!(self.text, "\n{}\n", one_line(about));
            }
        }
        let has_area = way != "area" && AREA.iter().all(|key| properties.contains_key(*key));
        let skipped = |key: &str| key == "model" || has_area && AREA.contains(&key);
        let keys: Vec<_> = keys.into_iter().filter(|(key, _)| !skipped(key)).collect();
        if has_area {
            *self.text += "\nWhere: one of `disc`, `rect`, `line`, `polygon`, `everywhere` (see [Areas](#areas)).\n";
        }
        if !keys.is_empty() {
            *self.text += "\n| key | what it is | allowed | default |\n|---|---|---|---|\n";
        }
        for (key, schema) in keys {
            let about = one_line(schema["description"].as_str().unwrap_or_default());
            let default = match &schema["default"] {
                Value::Null if required.contains(&key.as_str()) => "needed".to_owned(),
                Value::Null => String::new(),
                value => format!("`{value}`"),
            };
            let allowed = self.allowed(schema);
            _ = writeln!(self.text, "| `{key}` | {about} | {allowed} | {default} |");
        }
        for (key, schema) in tables.into_iter().filter(|(key, _)| !skipped(key)) {
            let Some((inner, is_list)) = self.inner(schema) else { continue };
            let way = if way.is_empty() { key.clone() } else { format!("{way}.{key}") };
            let heading = if is_list { format!("`[[{way}]]`") } else { format!("`[{way}]`") };
            self.forms(&inner, &way, &heading, schema);
        }
    }

    /// Writes a table that may have several forms.
    fn forms(&mut self, table: &Value, way: &str, heading: &str, described: &Value) {
        let mut table = table.clone();
        if let Some(about) = described.get("description") {
            table["description"] = about.clone();
        }
        let forms = ["oneOf", "anyOf"].iter().find_map(|forms| table[*forms].as_array());
        let Some(forms) = forms else { return self.table(&table, way, heading) };
        _ = write!(self.text, "\n### {heading}\n");
        if let Some(about) = table["description"].as_str() {
            _ = write!(self.text, "\n{}\n", one_line(about));
        }
        let forms: Vec<Value> = forms.iter().map(|form| self.whole(form)).collect();
        let mut common = forms[0].clone();
        if let Some(keys) = common["properties"].as_object_mut() {
            keys.retain(|key, one| forms.iter().all(|form| form["properties"][key] == *one));
        }
        common["description"] = Value::Null;
        self.table(&common, way, "");
        for form in &forms {
            let tag = form["properties"].as_object().into_iter().flatten();
            let tag = tag.filter_map(|(key, one)| Some((key, one["const"].as_str()?))).next();
            let heading = match tag {
                Some((key, word)) => {
                    // What is done to gauges is called as some of what models do.
                    let of = form["properties"]["gauge"].is_object();
                    let of = if of { " and `gauge`" } else { "" };
                    format!("{heading} with `{key} = \"{word}\"`{of}")
                }
                None => format!("{heading}, one way"),
            };
            let tag = tag.map(|(key, _)| key.clone());
            let mut form = form.clone();
            if let Some(keys) = form["properties"].as_object_mut() {
                let known = &common["properties"];
                keys.retain(|key, _| Some(key) != tag.as_ref() && known[key].is_null());
            }
            self.table(&form, way, &heading);
        }
    }

    /// The table, or the entry of the list of tables, that a key holds, and whether it is a list.
    fn inner(&self, schema: &Value) -> Option<(Value, bool)> {
        let schema = self.resolved(schema);
        let is_table = |schema: &Value| {
            let forms = ["oneOf", "anyOf"].iter().find_map(|forms| schema[*forms].as_array());
            schema["properties"].is_object()
                || forms.is_some_and(|forms| {
                    forms.iter().all(|form| self.resolved(form)["properties"].is_object())
                })
        };
        if is_table(&schema) {
            return Some((schema, false));
        }
        let items = self.resolved(&schema["items"]);
        is_table(&items).then_some((items, true))
    }

    /// A schema without references to others, and without the null of what may be left out.
    fn resolved(&self, schema: &Value) -> Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|way| way.rsplit('/').next()) {
            return self.resolved(&self.definitions[name]);
        }
        for forms in ["anyOf", "oneOf"] {
            let Some(all) = schema[forms].as_array() else { continue };
            let mut real = all.iter().filter(|form| form["type"] != "null");
            if let (Some(one), None) = (real.next(), real.next()) {
                return self.resolved(one);
            }
        }
        schema.clone()
    }

    /// A form of a table with the keys of all forms that it has itself.
    fn whole(&self, form: &Value) -> Value {
        let mut form = self.resolved(form);
        let inner = ["oneOf", "anyOf"].iter().find_map(|forms| form[*forms].as_array().cloned());
        for one in inner.iter().flatten() {
            for (key, value) in self.resolved(one)["properties"].as_object().into_iter().flatten() {
                form["properties"][key] = value.clone();
            }
        }
        form
    }

    /// What a value may be, in words.
    fn allowed(&self, schema: &Value) -> String {
        let schema = self.resolved(schema);
        let number = |key: &str| schema[key].as_f64().map(|v| format!("{v}"));
        if let Some(words) = schema["enum"].as_array() {
            return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        }
        if let Some(word) = schema.get("const") {
            return format!("`{word}`");
        }
        if let Some(forms) = ["anyOf", "oneOf"].iter().find_map(|forms| schema[*forms].as_array()) {
            if forms.iter().any(|form| form["items"]["items"].is_object()) {
                return "series".into();
            }
            if forms.iter().any(|form| form["pattern"].is_string()) {
                return "metres or percent".into();
            }
            let mut all: Vec<_> = forms.iter().map(|form| self.allowed(form)).collect();
            all.dedup();
            return all.join(", ");
        }
        let of = match &schema["type"] {
            Value::Array(types) => types.iter().find(|one| *one != "null").and_then(Value::as_str),
            one => one.as_str(),
        };
        match of {
            Some("number" | "integer") => {
                let low = number("exclusiveMinimum").map(|low| format!("above {low}"));
                let low = low.or_else(|| number("minimum"));
                match (low, number("maximum")) {
                    (Some(low), Some(high)) if low.starts_with("above") => {
                        format!("{low} up to {high}")
                    }
                    (Some(low), Some(high)) => format!("{low} to {high}"),
                    (Some(low), None) => format!("from {low}"),
                    _ if of == Some("integer") => "a whole number".into(),
                    _ => "a number".into(),
                }
            }
            Some("boolean") => "`true`, `false`".into(),
            Some("string") => "a text".into(),
            Some("array") => {
                let items = self.allowed(&schema["items"]);
                match schema["maxItems"].as_u64() {
                    Some(2) => format!("a pair, each {items}"),
                    _ => format!("a list: {items}"),
                }
            }
            _ => String::new(),
        }
    }
}

/// Text that stands in one line of a table.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
