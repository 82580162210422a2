//! GDAL metadata of a TIFF: the items, which are XML elements, and the no-data value, which is
//! text.

use crate::raster::error::truncate_with_ellipsis;

/// Returns the content of the GDAL metadata item with the given role for the band with the given
/// index, for example `0.01` for `<Item … sample="0" role="scale">0.01</Item>`. Returns `None` if
/// there is no such item.
pub(in crate::raster) fn item(metadata: &str, role: &str, band: u64) -> Option<String> {
    metadata.split("<Item").skip(1).find_map(|item| {
        let (head, content) = item.split_once('>')?;
        let attribute = |name: &str| {
            let (_, value) = head.split_once(&format!(" {name}="))?;
            let quote = value.chars().next().filter(|c| ['"', '\''].contains(c))?;
            value[1..].split(quote).next()
        };
        let sample = attribute("sample").map_or(Ok(0), |sample| sample.trim().parse::<u64>());
        if sample != Ok(band) || attribute("role") != Some(role) {
            return None;
        }
        let content = content.split("</").next()?;
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")];
        let decoded = entities
            .iter()
            .fold(content.to_owned(), |text, (entity, character)| text.replace(entity, character));
        Some(decoded.replace("&amp;", "&"))
    })
}

/// Returns the no-data values in the text of the GDAL tag. Usually there is one; some programs
/// write several, separated by spaces. If the text contains anything else, adds a notice to
/// `notices` and returns no values.
pub(in crate::raster) fn no_data_values(text: &str, notices: &mut Vec<String>) -> Vec<f64> {
    let parse = |word: &str| {
        let word = word.to_ascii_lowercase();
        // Spellings of NaN by old Windows compilers.
        let is_nan = ["1.#qnan", "1.#snan", "1.#ind"]
            .iter()
            .any(|nan| word.trim_start_matches(['-', '+']).starts_with(nan));
        if is_nan { Some(f64::NAN) } else { word.parse().ok() }
    };
    let words = || text.split([' ', '\t', '\n', '\r', ';']).filter(|word| !word.is_empty());
    let values: Option<Vec<f64>> = words().map(parse).collect();
    values.filter(|values| !values.is_empty()).unwrap_or_else(|| {
        let shown = truncate_with_ellipsis(text.trim(), 40);
        notices.push(format!("the file's no-data value `{shown}` is not a number and is ignored"));
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_the_first_band_are_found() {
        let text = "<GDALMetadata>\n  <Item name=\"SCALE\" sample=\"1\" role=\"scale\">7</Item>\n  \
                    <Item name='SCALE' sample='0' role='scale'>0.5</Item>\
                    <Item role=\"unittype\">&lt;ft&gt; &amp;amp;</Item></GDALMetadata>";
        assert_eq!(item(text, "scale", 0).as_deref(), Some("0.5"));
        assert_eq!(item(text, "unittype", 0).as_deref(), Some("<ft> &amp;"));
        assert_eq!(item(text, "offset", 0), None);
    }

    #[test]
    fn no_data_texts_are_parsed() {
        let mut notices = Vec::new();
        let mut parse = |text| no_data_values(text, &mut notices);
        assert_eq!(parse("-9999 "), [-9999.0]);
        assert_eq!(parse("-9999 -32768"), [-9999.0, -32768.0]);
        assert!(parse("nan")[0].is_nan() && parse("-1.#IND")[0].is_nan());
        assert!(parse("none").is_empty() && parse("-9999,0").is_empty() && parse("").is_empty());
        assert_eq!(notices.len(), 3);
    }
}
