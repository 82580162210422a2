//! Shader text: put together from files of WGSL ([`compose`]), and read for what a kernel binds, so that no list of
//! its buffers stands beside it.

use std::collections::{BTreeMap, HashMap, HashSet};

/// The part of WGSL that all models share: `opaque`.
pub const COMMON: &str = include_str!("common.wgsl");

/// The part of WGSL that reckons in numbers of 64 bits, as the CPU does: `sum`, `product`, `quotient` and what goes with
/// them.
pub const DOUBLE: &str = include_str!("double.wgsl");

/// Puts a shader's text together: constants first, then parts of WGSL in the order given. Parts are files of
/// one subject each, included with `include_str!`. Lines between `#if NAME` (or `#if !NAME`) and `#endif` are left out
/// if the constant of that name is 0 (or is not); between the two there may be an `#else`.
///
/// ```
/// let text = headwater_gpu::compose(&[("WIDTH", 4)], &["fn f() -> u32 { return WIDTH; }"]);
/// assert!(text.starts_with("const WIDTH: u32 = 4u;"));
/// let text = headwater_gpu::compose(&[("HEX", 0)], &["#if HEX\nconst SIDES = 6;\n#else\nconst SIDES = 4;\n#endif"]);
/// assert!(text.ends_with("\nconst SIDES = 4;\n"));
/// ```
pub fn compose(constants: &[(&str, u32)], parts: &[&str]) -> String {
    let mut text = String::new();
    for (name, value) in constants {
        text.push_str(&format!("const {name}: u32 = {value}u;\n"));
    }
    // A condition on a constant that there is not stays in the text, where WGSL refuses it.
    let holds = |condition: &str| {
        let name = condition.trim_start_matches('!');
        let (_, value) = constants.iter().find(|(known, _)| *known == name)?;
        Some((*value != 0) != condition.starts_with('!'))
    };
    for part in parts {
        let mut shown: Vec<bool> = Vec::new();
        for line in part.lines() {
            let directive = line.trim();
            match directive.strip_prefix("#if ").map(holds) {
                Some(Some(is_shown)) => shown.push(is_shown),
                _ if directive == "#else" => {
                    let last = shown.pop();
                    shown.extend(last.map(|is_shown| !is_shown));
                }
                _ if directive == "#endif" => _ = shown.pop(),
                _ if shown.contains(&false) => {}
                _ => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    text
}

/// How a kernel takes a buffer or texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// `var<uniform>`.
    Uniform,
    /// `var<storage, read>`.
    Read,
    /// `var<storage, read_write>`.
    Write,
    /// `texture_storage_2d<rgba32float, write>`.
    Texture,
}

/// A buffer or texture that a kernel binds in group 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) binding: Binding,
}

/// What the entry point of a shader binds, by number: all that it mentions, and the functions that it calls. A text of
/// which nothing can be made binds nothing; the device says what is wrong with it.
pub(crate) fn bound(text: &str, entry: &str) -> Vec<Bound> {
    let text: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut functions = HashMap::new();
    let mut variables = HashMap::new();
    for item in items(&text) {
        if let Some(bound) = variable(item) {
            variables.insert(bound.name.clone(), bound);
        } else if let Some(name) = after(item, "fn") {
            functions.insert(name, item);
        }
    }
    let mut found = BTreeMap::new();
    let mut reached = HashSet::new();
    let mut waiting = vec![entry];
    while let Some(item) = waiting.pop().and_then(|name| functions.get(name)) {
        for name in words(item).filter(|name| reached.insert(*name)) {
            if functions.contains_key(name) {
                waiting.push(name);
            }
            if let Some(bound) = variables.get(name) {
                found.insert(bound.number, bound.clone());
            }
        }
    }
    found.into_values().collect()
}

/// What stands at the outermost level of a text, one by one.
fn items(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split_inclusive(move |c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0 && matches!(c, ';' | '}')
    })
}

/// The names and numbers in a text, but for those of members.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c: char| !is_part(c) && c != '.')
        .map(|chain| chain.split('.').next().unwrap_or_default())
        .filter(|word| !word.is_empty())
}

fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    words(text).skip_while(|&found| found != word).nth(1)
}

/// The buffer or texture that an item declares.
fn variable(item: &str) -> Option<Bound> {
    let number = after(item, "binding")?.parse().ok()?;
    let (_, declared) = item.split_once("var")?;
    let (how, named) =
        declared.split_once(':').map(|(head, _)| head.rsplit_once('>').unwrap_or(("", head)))?;
    let binding = match how {
        "" => Binding::Texture,
        how if how.contains("uniform") => Binding::Uniform,
        how if how.contains("read_write") => Binding::Write,
        _ => Binding::Read,
    };
    Some(Bound { number, name: named.trim().to_owned(), binding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_nest_and_one_on_nothing_known_stays() {
        let part = "#if A\na\n#if !B\nb\n#else\nc\n#endif\n#else\nd\n#endif\n#if C\ne\n#endif";
        let lines = |a, b| {
            let text = compose(&[("A", a), ("B", b)], &[part]);
            text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(1, 0), ["a", "b", "#if C", "e"]);
        assert_eq!(lines(1, 1), ["a", "c", "#if C", "e"]);
        assert_eq!(lines(0, 1), ["d", "#if C", "e"]);
    }

    #[test]
    fn a_kernel_binds_what_it_reaches() {
        let text = "
            @group(0) @binding(0) var<uniform> far: u32; // and not near
            @group(0) @binding(3) var<storage, read_write> near: array<u32>;
            @group(0) @binding(1) var<storage, read> other: array<u32>;
            fn deep() -> u32 { return far; }
            fn helper() -> u32 { return deep() + some.other; }
            @compute @workgroup_size(1) fn first() { near[0] = helper(); }
            @compute @workgroup_size(1) fn second() { { near[0] = other[0]; } }";
        let names = |entry| {
            let bound = bound(text, entry);
            bound.into_iter().map(|bound| (bound.name, bound.binding)).collect::<Vec<_>>()
        };
        let near = ("near".to_owned(), Binding::Write);
        assert_eq!(names("first"), [("far".to_owned(), Binding::Uniform), near.clone()]);
        assert_eq!(names("second"), [("other".to_owned(), Binding::Read), near]);
        assert!(names("third").is_empty());
    }
}
