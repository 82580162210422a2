//! Nobody writes a text into a panel: what people read is in the languages' files. Read are the sources of the window and its panels.

use std::path::{Path, PathBuf};

/// Calls whose texts are shown.
const SHOWS: [&str; 20] = [
    ".button",
    ".checkbox",
    ".colored_label",
    ".complain",
    ".label",
    ".on_disabled_hover_text",
    ".on_hover_text",
    ".prefix",
    ".say",
    ".selectable_label",
    ".strong",
    ".suffix",
    ".text",
    ".tip",
    ".warn",
    ".weak",
    "Button::new",
    "Button::selectable",
    "RichText::new",
    "Window::new",
];

/// What is the same in all languages: a name, and a metre.
const SAME: [&str; 2] = ["Headwater", " m"];

/// A text between quotes.
struct Literal {
    line: usize,
    /// The call in whose brackets it stands: how it is written, without what that is called on.
    call: String,
    text: String,
}

impl Literal {
    /// Whether people would read it: it is handed to what shows it, or reads like prose. Scenes' texts, which are for files, are none,
    /// nor are ids.
    fn is_told(&self) -> bool {
        if SAME.contains(&self.text.as_str()) || self.text.contains(" = ") {
            return false;
        }
        let mut words: Vec<char> = Vec::new();
        let mut inside = 0_u32;
        for c in self.text.chars() {
            match c {
                '{' => inside += 1,
                '}' => inside = inside.saturating_sub(1),
                c if inside == 0 => words.push(c),
                _ => {}
            }
        }
        let shown = SHOWS.iter().any(|call| self.call.ends_with(call));
        let letters = |at: usize| words.get(at).is_some_and(|c| c.is_alphabetic());
        let is_prose = (0..words.len()).any(|at| {
            let capital =
                words[at].is_uppercase() && words.get(at + 1).is_some_and(|c| c.is_lowercase());
            let mark = at + usize::from(words.get(at + 1).is_some_and(|c| ",.:;".contains(*c)));
            capital || letters(at) && words.get(mark + 1) == Some(&' ') && letters(mark + 2)
        });
        let is_id = self.call.ends_with("::unique");
        shown && (0..words.len()).any(letters) || is_prose && !is_id
    }
}

/// The texts of a source, but for comments, attributes and bytes.
fn literals(source: &str) -> Vec<Literal> {
    let code: Vec<char> = source.chars().collect();
    let is =
        |at: usize, text: &str| text.chars().enumerate().all(|(i, c)| code.get(at + i) == Some(&c));
    let (mut found, mut calls, mut word) = (Vec::new(), Vec::new(), String::new());
    let (mut at, mut line, mut attribute) = (0, 1, 0);
    while at < code.len() {
        let c = code[at];
        let is_part = c.is_alphanumeric() || "_:.!".contains(c);
        if is(at, "//") {
            while at < code.len() && code[at] != '\n' {
                at += 1;
            }
            continue;
        }
        match c {
            '\n' => line += 1,
            '#' if is(at, "#[") || is(at, "#![") => attribute = 1,
            '[' if attribute > 0 && code[at - 1] != '#' && code[at - 1] != '!' => attribute += 1,
            ']' if attribute > 0 => attribute -= 1,
            '(' => calls.push(std::mem::take(&mut word)),
            ')' => drop(calls.pop()),
            // A letter between quotes; else the name of a lifetime.
            '\'' if is(at + 1, "\\") || is(at + 2, "'") => {
                at += 2;
                while code.get(at).is_some_and(|c| *c != '\'') {
                    at += 1;
                }
            }
            '"' => {
                let (mut text, first) = (String::new(), line);
                at += 1;
                while code.get(at).is_some_and(|c| *c != '"') {
                    // What is escaped is a quote, a line's end or the like.
                    let escaped = code[at] == '\\';
                    let last = at + usize::from(escaped);
                    line += usize::from(code.get(last) == Some(&'\n'));
                    text.push(if escaped { ' ' } else { code[at] });
                    at = last + 1;
                }
                if attribute == 0 && word != "b" {
                    let call = calls.last().cloned().unwrap_or_default();
                    found.push(Literal { line: first, call, text });
                }
            }
            _ => {}
        }
        if !is_part {
            word.clear();
        } else {
            word.push(c);
        }
        at += 1;
    }
    found
}

/// The sources in a folder, and in those in it.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("words") {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !path.ends_with("played.rs")
        {
            into.push(path);
        }
    }
}

#[test]
fn what_people_read_is_in_the_languages_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = vec![folder.join("window.rs")];
    sources(&folder.join("app"), &mut paths);
    let (mut told, mut count) = (Vec::new(), 0);
    for path in &paths {
        let source = std::fs::read_to_string(path).unwrap();
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
        let source = source.split("#[cfg(all(test").next().unwrap();
        for literal in literals(source) {
            count += 1;
            if literal.is_told() {
                told.push(format!("{}:{}: {:?}", path.display(), literal.line, literal.text));
            }
        }
    }
    assert!(paths.len() > 50 && count > 200, "{count} texts in {} files", paths.len());
    assert!(told.is_empty(), "these belong into app/words/english.rs:\n{}", told.join("\n"));
}

#[test]
fn a_text_in_a_panel_is_found() {
    let is_told = |source: &str| literals(source).iter().any(Literal::is_told);
    for source in [
        r#"ui.label("now");"#,
        r#"ui.add(slider.logarithmic(true).suffix(" cells"))"#,
        r#"app.say(format!("{name} is saved"));"#,
        r#"let tip = "Shows all";"#,
        r#"Self::Clear => ("clear", "Clear"),"#,
        "let quote = '\"'; let tip = \"in a word, so\";",
        r#"#[cfg(test)] let words = "of {count} lakes they";"#,
        r#"button(ui, &probe, "help", "Help", tip)"#,
        r#"egui::Window::new("land").open(&mut open)"#,
    ] {
        assert!(is_told(source), "{source}");
    }
    for source in [
        r#"probe.named("view.fine", ui.checkbox(&mut fine, words.fine.label))"#,
        r#"let name = format!("{}-ground.png", self.stage.name);"#,
        r#"egui::Area::new(egui::Id::unique("view buttons"))"#,
        r#"// ui.label("A comment")"#,
        r#"#[expect(dead_code, reason = "a page has no folders")]"#,
        r#"const LETTERS: &[u8] = b"ABCDefgh";"#,
        r#"let text = "title = \"Pools of it\"";"#,
        r#"ui.label(format!("{value} {unit}")).tip("°")"#,
    ] {
        assert!(!is_told(source), "{source}");
    }
}
