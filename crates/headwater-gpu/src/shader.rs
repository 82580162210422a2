//! Assembly of WGSL source code from files ([`compose`]), and extraction of a kernel's bindings
//! from the source code, so that no separate list of bindings is needed.

use std::collections::{BTreeMap, HashMap, HashSet};

/// WGSL source code that all models share: the function `opaque`, which keeps compilers from fusing
/// multiplications with additions and from reordering sums.
pub const COMMON_SOURCE: &str = include_str!("common.wgsl");

/// WGSL source code for double-precision arithmetic on 32-bit integers: `sum`, `product`,
/// `quotient` and related functions. Results match those of the CPU bit for bit.
pub const DOUBLE_SOURCE: &str = include_str!("double.wgsl");

/// Assembles WGSL source code: first the constants, then the parts in the given order. Lines
/// between `#if NAME` and `#endif` are omitted if the constant `NAME` is 0; lines between `#if
/// !NAME` and `#endif` if it is not 0. `#else` is supported.
///
/// ```
/// let text = headwater_gpu::compose(&[("WIDTH", 4)], &["fn f() -> u32 { return WIDTH; }"]);
/// assert!(text.starts_with("const WIDTH: u32 = 4u;"));
/// let part = "#if HEX\nconst SIDES = 6;\n#else\nconst SIDES = 4;\n#endif";
/// let text = headwater_gpu::compose(&[("HEX", 0)], &[part]);
/// assert!(text.ends_with("\nconst SIDES = 4;\n"));
/// ```
pub fn compose(constants: &[(&str, u32)], parts: &[&str]) -> String {
    let mut text = String::new();
    for (name, value) in constants {
        text.push_str(&format!("const {name}: u32 = {value}u;\n"));
    }
    // A condition with an unknown constant stays in the code, so that WGSL compilation fails.
    let condition_value = |condition: &str| {
        let name = condition.trim_start_matches('!');
        let (_, value) = constants.iter().find(|(defined, _)| *defined == name)?;
        Some((*value != 0) != condition.starts_with('!'))
    };
    for part in parts {
        let mut enabled: Vec<bool> = Vec::new();
        for line in part.lines() {
            let directive = line.trim();
            match directive.strip_prefix("#if ").map(condition_value) {
                Some(Some(is_enabled)) => enabled.push(is_enabled),
                _ if directive == "#else" => {
                    let last = enabled.pop();
                    enabled.extend(last.map(|is_enabled| !is_enabled));
                }
                _ if directive == "#endif" => _ = enabled.pop(),
                _ if enabled.contains(&false) => {}
                _ => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    text
}

/// Kind of a shader binding, as declared in WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// Uniform buffer, `var<uniform>`.
    Uniform,
    /// Read-only storage buffer, `var<storage, read>`.
    ReadOnlyStorage,
    /// Writable storage buffer, `var<storage, read_write>`.
    Storage,
    /// Write-only storage texture, `texture_storage_2d<rgba32float, write>`.
    StorageTexture,
}

/// Declaration of a buffer or texture variable in bind group 0 of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BindingDecl {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) binding: Binding,
}

/// Returns the bindings of the entry point `entry` in the WGSL source `text`, ordered by binding
/// number. These are all variables that the entry point and the functions it calls use. Returns no
/// bindings if the source is invalid; the device then reports the error at compilation.
pub(crate) fn bindings(text: &str, entry: &str) -> Vec<BindingDecl> {
    let text: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut functions = HashMap::new();
    let mut variables = HashMap::new();
    for item in top_level_items(&text) {
        if let Some(decl) = parse_binding(item) {
            variables.insert(decl.name.clone(), decl);
        } else if let Some(name) = word_after(item, "fn") {
            functions.insert(name, item);
        }
    }
    let mut found = BTreeMap::new();
    let mut visited = HashSet::new();
    let mut pending = vec![entry];
    while let Some(item) = pending.pop().and_then(|name| functions.get(name)) {
        for name in identifiers(item).filter(|name| visited.insert(*name)) {
            if functions.contains_key(name) {
                pending.push(name);
            }
            if let Some(decl) = variables.get(name) {
                found.insert(decl.number, decl.clone());
            }
        }
    }
    found.into_values().collect()
}

/// Splits WGSL source code into its top-level declarations.
fn top_level_items(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split_inclusive(move |c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0 && matches!(c, ';' | '}')
    })
}

/// Returns the identifiers and numbers in WGSL source code. Omits the member names after a dot.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c: char| !is_part(c) && c != '.')
        .map(|chain| chain.split('.').next().unwrap_or_default())
        .filter(|word| !word.is_empty())
}

fn word_after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    identifiers(text).skip_while(|&found| found != word).nth(1)
}

/// Parses a top-level declaration of a buffer or texture variable. Returns `None` for other
/// declarations.
fn parse_binding(item: &str) -> Option<BindingDecl> {
    let number = word_after(item, "binding")?.parse().ok()?;
    let (_, declared) = item.split_once("var")?;
    let (how, named) =
        declared.split_once(':').map(|(head, _)| head.rsplit_once('>').unwrap_or(("", head)))?;
    let binding = match how {
        "" => Binding::StorageTexture,
        how if how.contains("uniform") => Binding::Uniform,
        how if how.contains("read_write") => Binding::Storage,
        _ => Binding::ReadOnlyStorage,
    };
    Some(BindingDecl { number, name: named.trim().to_owned(), binding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditionals_nest_and_unknown_ones_are_kept() {
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
    fn a_kernel_binds_the_variables_that_it_uses() {
        let text = "
            @group(0) @binding(0) var<uniform> far: u32; // and not near
            @group(0) @binding(3) var<storage, read_write> near: array<u32>;
            @group(0) @binding(1) var<storage, read> other: array<u32>;
            fn deep() -> u32 { return far; }
            fn helper() -> u32 { return deep() + some.other; }
            @compute @workgroup_size(1) fn first() { near[0] = helper(); }
            @compute @workgroup_size(1) fn second() { { near[0] = other[0]; } }";
        let names = |entry| {
            let bindings = bindings(text, entry);
            bindings.into_iter().map(|decl| (decl.name, decl.binding)).collect::<Vec<_>>()
        };
        let near = ("near".to_owned(), Binding::Storage);
        assert_eq!(names("first"), [("far".to_owned(), Binding::Uniform), near.clone()]);
        assert_eq!(names("second"), [("other".to_owned(), Binding::ReadOnlyStorage), near]);
        assert!(names("third").is_empty());
    }
}
