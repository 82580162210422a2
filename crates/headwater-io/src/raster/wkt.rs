//! Reader of coordinate systems in well-known text (WKT 1, WKT 2 and the dialect of ESRI), as in
//! `.prj` files. Also reads the keywords of older `.prj` files (`Units FEET`).
//!
//! Only the units and the EPSG code are used.

use super::units::LengthUnit;

/// Units and EPSG code of a coordinate system.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CoordinateSystem {
    /// Unit of horizontal coordinates; `None` for degrees.
    pub(super) linear: Option<LengthUnit>,
    /// EPSG code of the horizontal coordinate system.
    pub(super) epsg: Option<u16>,
    /// Unit of heights, if given.
    pub(super) vertical: Option<LengthUnit>,
}

/// Maximum depth of nested elements.
const MAX_DEPTH: usize = 16;

/// Element of well-known text, such as `UNIT["metre", 1]`.
#[derive(Debug)]
struct Element<'a> {
    keyword: &'a str,
    values: Vec<&'a str>,
    children: Vec<Element<'a>>,
}

/// Parses the description of a coordinate system. Returns `None` if the description is not in a
/// supported form.
pub(super) fn parse(text: &str) -> Option<CoordinateSystem> {
    let mut rest = text.trim();
    let Some(root) = parse_element(&mut rest, MAX_DEPTH) else { return parse_keywords(text) };
    let mut found = parse_coordinate_system(&root)?;
    // ESRI writes the vertical coordinate system behind the horizontal one.
    if let Some(mut behind) = rest.trim_start().strip_prefix(',').map(str::trim_start) {
        let vertical = parse_element(&mut behind, MAX_DEPTH).filter(Element::is_vertical);
        found.vertical = vertical.and_then(|root| root.unit()).or(found.vertical);
    }
    Some(found)
}

/// Returns the description of the horizontal coordinate system, which is the first element of the
/// text. Any description of a vertical system after it is omitted.
pub(super) fn horizontal_system(text: &str) -> &str {
    let mut rest = text.trim();
    match parse_element(&mut rest, MAX_DEPTH) {
        Some(_) => &text.trim()[..text.trim().len() - rest.len()],
        None => text,
    }
}

fn parse_coordinate_system(root: &Element<'_>) -> Option<CoordinateSystem> {
    match root.keyword.to_ascii_uppercase().as_str() {
        "PROJCS" | "PROJCRS" | "PROJECTEDCRS" | "LOCAL_CS" | "ENGCRS" => Some(CoordinateSystem {
            linear: Some(root.unit()?),
            epsg: root.epsg(),
            vertical: root.child(&["VERT_CS", "VERTCS"]).and_then(Element::unit),
        }),
        "GEOGCS" | "GEOGCRS" | "GEODCRS" | "GEOGRAPHICCRS" => {
            let degree = 1f64.to_radians();
            let (_, radians) = root.unit_value().unwrap_or(("degree", degree));
            let is_degree = (radians / degree - 1.0).abs() < 1e-6;
            is_degree.then(|| CoordinateSystem {
                epsg: root.epsg(),
                // A third axis has a length as its unit.
                vertical: root.child(&["VERT_CS", "VERTCS"]).and_then(Element::unit),
                ..CoordinateSystem::default()
            })
        }
        "COMPD_CS" | "COMPOUNDCRS" => {
            let mut found = root.children.iter().find_map(parse_coordinate_system)?;
            let vertical = root.children.iter().find(|child| child.is_vertical());
            found.vertical = vertical.and_then(Element::unit).or(found.vertical);
            Some(found)
        }
        "BOUNDCRS" | "SOURCECRS" => root.children.iter().find_map(parse_coordinate_system),
        _ => None,
    }
}

impl<'a> Element<'a> {
    fn child(&self, keywords: &[&str]) -> Option<&Self> {
        let is_one = |keyword: &str| keywords.iter().any(|one| one.eq_ignore_ascii_case(keyword));
        self.children.iter().find(|child| is_one(child.keyword))
    }

    fn is_vertical(&self) -> bool {
        let keywords = ["VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"];
        keywords.iter().any(|keyword| keyword.eq_ignore_ascii_case(self.keyword))
    }

    /// Returns the name of the unit and its conversion factor to metres or radians. The unit is
    /// that of the coordinate system or, if it has none, of its first axis.
    fn unit_value(&self) -> Option<(&'a str, f64)> {
        const UNITS: [&str; 3] = ["UNIT", "LENGTHUNIT", "ANGLEUNIT"];
        let unit = self.child(&UNITS).or_else(|| self.child(&["AXIS"])?.child(&UNITS))?;
        let [name, value, ..] = unit.values[..] else { return None };
        Some((name, value.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)?))
    }

    /// Returns the unit of length of the coordinate system, or `None` if no unit is given.
    fn unit(&self) -> Option<LengthUnit> {
        self.unit_value().map(|(_, metres)| LengthUnit::from_metres(metres))
    }

    fn epsg(&self) -> Option<u16> {
        let id = self.child(&["AUTHORITY", "ID"]);
        let code = id.and_then(|id| match id.values[..] {
            [authority, code, ..] if authority.eq_ignore_ascii_case("EPSG") => code.parse().ok(),
            _ => None,
        });
        code.or_else(|| epsg_code_from_name(self.values.first()?))
    }
}

/// Returns the EPSG code of a common coordinate system from the name that ESRI uses. Returns `None`
/// for other names. Coordinate systems written by ESRI do not contain a code.
fn epsg_code_from_name(name: &str) -> Option<u16> {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "gcswgs1984" | "wgs84" => return Some(4326),
        "wgs1984webmercatorauxiliarysphere" => return Some(3857),
        _ => {}
    }
    let (datum, zone) = name.split_once("utmzone")?;
    let (number, south) = match zone.strip_suffix('n') {
        Some(number) => (number, false),
        None => (zone.strip_suffix('s')?, true),
    };
    let number: u16 = number.parse().ok()?;
    match (datum, south, number) {
        ("wgs1984" | "wgs84", false, 1..=60) => Some(32_600 + number),
        ("wgs1984" | "wgs84", true, 1..=60) => Some(32_700 + number),
        ("etrs1989" | "etrs89", false, 28..=38) => Some(25_800 + number),
        ("nad1983" | "nad83", false, 1..=23) => Some(26_900 + number),
        _ => None,
    }
}

/// Parses the element at the start of `rest` and advances `rest` past it. `depth` is the maximum
/// depth of nested elements. Returns `None` if there is no valid element or if it is nested too
/// deeply.
fn parse_element<'a>(rest: &mut &'a str, depth: usize) -> Option<Element<'a>> {
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (keyword, behind) = rest.split_at(end);
    let mut inside = behind.trim_start().strip_prefix(['[', '('])?;
    if depth == 0 || keyword.is_empty() {
        return None;
    }
    let mut found = Element { keyword, values: Vec::new(), children: Vec::new() };
    loop {
        inside = inside.trim_start();
        if let Some(quoted) = inside.strip_prefix('"') {
            let (value, behind) = quoted.split_once('"')?;
            found.values.push(value);
            inside = behind;
        } else {
            let end = inside.find([',', '[', '(', ']', ')'])?;
            if inside[end..].starts_with(['[', '(']) {
                found.children.push(parse_element(&mut inside, depth - 1)?);
            } else {
                found.values.push(inside[..end].trim());
                inside = &inside[end..];
            }
        }
        inside = inside.trim_start();
        match inside.chars().next()? {
            ',' => inside = &inside[1..],
            ']' | ')' => {
                *rest = &inside[1..];
                return Some(found);
            }
            _ => return None,
        }
    }
}

/// Parses the keywords of older `.prj` files: `Projection UTM`, `Units METERS`, `Zunits FEET`.
/// Returns `None` if required keywords are missing or have unknown values.
fn parse_keywords(text: &str) -> Option<CoordinateSystem> {
    let value = |keyword: &str| {
        let mut lines = text.lines().map(str::split_whitespace);
        lines.find_map(|mut words| {
            words.next().filter(|word| word.eq_ignore_ascii_case(keyword))?;
            words.next().map(str::to_ascii_lowercase)
        })
    };
    let length = |keyword: &str| match value(keyword)?.as_str() {
        "meters" | "metres" | "meter" | "metre" => Some(LengthUnit::from_metres(1.0)),
        "feet" | "foot" => Some(LengthUnit::from_metres(0.3048)),
        "us_feet" => Some(LengthUnit::from_metres(1200.0 / 3937.0)),
        _ => None,
    };
    let geographic = value("projection")? == "geographic";
    let linear = if geographic { None } else { Some(length("units")?) };
    Some(CoordinateSystem { linear, epsg: None, vertical: length("zunits") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_codes_are_found_in_all_dialects() {
        let esri = "PROJCS[\"WGS_1984_UTM_Zone_32N\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D\",SPHEROID\
                    [\"S\",6378137.0,298.25]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174]],\
                    PROJECTION[\"Transverse_Mercator\"],UNIT[\"Meter\",1.0]]";
        let found = parse(esri).unwrap();
        assert_eq!((found.linear, found.epsg), (Some(LengthUnit::METRE), Some(32_632)));
        let compound = "COMPD_CS[\"a\",PROJCS[\"b\",UNIT[\"US survey foot\",0.3048006096012192],\
                        AUTHORITY[\"EPSG\",\"2263\"]],VERT_CS[\"c\",UNIT[\"foot\",0.3048]]]";
        let found = parse(compound).unwrap();
        assert_eq!(found.linear.unwrap().name, "US survey foot");
        assert_eq!((found.epsg, found.vertical), (Some(2263), LengthUnit::from_name("foot")));
        let two = "GEOGCRS[\"WGS 84\",CS[ellipsoidal,2],AXIS[\"lat\",north,ORDER[1],\
                   ANGLEUNIT[\"degree\",0.0174532925199433]],ID[\"EPSG\",4326]]";
        assert_eq!(
            parse(two),
            Some(CoordinateSystem { linear: None, epsg: Some(4326), vertical: None })
        );
        let behind = "PROJCS[\"a\",UNIT[\"Meter\",1.0]],VERTCS[\"b\",VDATUM[\"c\"],\
                      PARAMETER[\"Direction\",1.0],UNIT[\"Foot_US\",0.3048006096012192]]";
        assert_eq!(parse(behind).unwrap().vertical.unwrap().name, "US survey foot");
        assert_eq!(horizontal_system(behind), "PROJCS[\"a\",UNIT[\"Meter\",1.0]]");
        let old = "Projection    UTM\nZone 10\nUnits         METERS\nZunits        FEET\n";
        assert_eq!(parse(old).unwrap().vertical, LengthUnit::from_name("foot"));
    }

    #[test]
    fn texts_in_other_forms_are_not_parsed() {
        let deep = "A[".repeat(100_000);
        for text in ["", "hello", "PROJCS[", "PROJCS[\"a\"]", "PROJCS[\"a", &deep, "UNIT[\"m\",1]"]
        {
            assert_eq!(parse(text), None, "{}", &text[..text.len().min(20)]);
        }
        let gon = "GEOGCS[\"a\",UNIT[\"grad\",0.015707963267949]]";
        assert_eq!(parse(gon), None);
    }
}
