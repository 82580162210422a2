//! What the playground says, in the language of whoever looks. All English is in `english.rs`; another language is a file like it,
//! and a line in [`LANGUAGES`]. Names for tests, ids, file names, keys and columns of files are no words: they are the same everywhere.

mod english;
mod groups;
mod numbers;
#[cfg(test)]
mod told;

pub(crate) use groups::Words;
pub(super) use groups::{ChallengesWords, Task, Tipped};
pub(super) use numbers::{NOTHING, amount, capital, exact, length, rounded, short, switch};
use std::sync::OnceLock;

/// All languages, by their codes (ISO 639, with a country where that matters: `pt-BR`), English first.
static LANGUAGES: &[Language] = &[("en", &english::ENGLISH)];

/// A code, and what is said.
type Language = (&'static str, &'static Words);

/// The language in use.
static CHOSEN: OnceLock<&'static Words> = OnceLock::new();

/// Has all be said in the language of a locale, as systems and browsers name them (`de_DE.UTF-8`, `en-GB`), from the first word on;
/// in English, if that is none of [`LANGUAGES`]. Gives its code. What was chosen first stays.
pub(crate) fn choose(locale: &str) -> &'static str {
    let (code, words) = of(LANGUAGES, locale).unwrap_or(LANGUAGES[0]);
    let _ = CHOSEN.set(words);
    code
}

/// What is said, in the language in use: English, as long as nobody has chosen.
pub(crate) fn words() -> &'static Words {
    CHOSEN.get().copied().unwrap_or(&english::ENGLISH)
}

/// What a model says of itself (a name, a doc, a unit, …), in the language in use.
pub(super) fn of_models(text: &str) -> &str {
    translated(words(), text)
}

fn translated<'a>(words: &'static Words, text: &'a str) -> &'a str {
    let known = words.of_models.iter().find(|(english, _)| *english == text);
    known.map_or(text, |(_, translation)| translation)
}

/// The language of a locale: with its country, if there is one for that.
fn of(languages: &[Language], locale: &str) -> Option<Language> {
    let name = locale.split(['.', '@']).next()?.replace('_', "-");
    let language = name.split('-').next()?;
    let named = |name: &str| {
        let mut languages = languages.iter().copied();
        languages.find(|(code, _)| code.eq_ignore_ascii_case(name))
    };
    named(&name).or_else(|| named(language))
}

#[cfg(test)]
mod tests {
    use super::english::ENGLISH;
    use super::groups::BarWords;
    use super::*;

    /// A language that has begun, the rest still being English.
    static OTHER: Words = Words {
        bar: BarWords { file: "Datei", ..ENGLISH.bar },
        of_models: &[("dig", "graben")],
        ..ENGLISH
    };

    #[test]
    fn a_language_is_found_by_the_names_that_systems_and_browsers_have_for_it() {
        let languages: &[Language] = &[("en", &ENGLISH), ("de", &OTHER), ("pt-BR", &OTHER)];
        let code = |locale: &str| of(languages, locale).map(|(code, _)| code);
        for locale in ["de", "de_DE.UTF-8", "de-AT", "DE", "de@euro", "de_CH.ISO-8859-1@euro"] {
            assert_eq!(code(locale), Some("de"), "{locale}");
            assert_eq!(of(languages, locale).unwrap().1.bar.file, "Datei", "{locale}");
        }
        assert_eq!((code("en-GB"), code("pt_BR.UTF-8")), (Some("en"), Some("pt-BR")));
        for locale in ["", "C", "C.UTF-8", "POSIX", "pt_PT", "den", "xx_YY", "."] {
            assert_eq!(code(locale), None, "{locale}");
        }
        assert_eq!(words().bar.file, "File", "English as long as nobody has chosen");
    }

    #[test]
    fn what_models_say_is_translated_where_there_is_a_translation() {
        assert_eq!((translated(&OTHER, "dig"), translated(&OTHER, "pour")), ("graben", "pour"));
        assert_eq!(translated(&ENGLISH, "dig"), "dig");
    }
}
