//! Units of length: EPSG codes, the spellings used in files, and the units of EPSG coordinate
//! systems. All codes and lengths are those of the EPSG dataset.

/// Name of the unit of longitudes and latitudes.
pub(in crate::raster) const DEGREE: &str = "degree";

/// Unit of length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LengthUnit {
    /// EPSG code; 0 for a unit that EPSG does not list.
    pub(super) code: u16,
    pub(super) name: &'static str,
    /// Length of the unit (m).
    pub(super) metres: f64,
}

/// EPSG code of the metre.
pub(super) const METRE: u16 = 9001;
const FOOT: u16 = 9002;
const US_SURVEY_FOOT: u16 = 9003;

/// Units with their EPSG codes and lengths (m).
const UNITS: [(u16, &str, f64); 41] = [
    (METRE, "metre", 1.0),
    (FOOT, "foot", 0.3048),
    (US_SURVEY_FOOT, "US survey foot", 1200.0 / 3937.0),
    (1025, "millimetre", 0.001),
    (1033, "centimetre", 0.01),
    (9005, "Clarke's foot", 0.3047972654),
    (9014, "fathom", 1.8288),
    (9030, "nautical mile", 1852.0),
    (9031, "German legal metre", 1.0000135965),
    (9033, "US survey chain", 66.0 * 1200.0 / 3937.0),
    (9034, "US survey link", 0.66 * 1200.0 / 3937.0),
    (9035, "US survey mile", 5280.0 * 1200.0 / 3937.0),
    (9036, "kilometre", 1000.0),
    (9037, "Clarke's yard", 0.9143917962),
    (9038, "Clarke's chain", 20.1166195164),
    (9039, "Clarke's link", 0.201166195164),
    (9040, "British yard (Sears 1922)", 0.9143984146160287),
    (9041, "British foot (Sears 1922)", 0.3047994715386762),
    (9042, "British chain (Sears 1922)", 20.116765121552632),
    (9043, "British link (Sears 1922)", 0.2011676512155263),
    (9050, "British yard (Benoit 1895 A)", 0.9143992),
    (9051, "British foot (Benoit 1895 A)", 0.9143992 / 3.0),
    (9060, "British yard (Benoit 1895 B)", 0.9143992042898124),
    (9061, "British foot (Benoit 1895 B)", 0.30479973476327077),
    (9062, "British chain (Benoit 1895 B)", 20.116782494375872),
    (9070, "British foot (1865)", 0.30480083333333335),
    (9080, "Indian foot", 0.30479951024814694),
    (9081, "Indian foot (1937)", 0.30479841),
    (9082, "Indian foot (1962)", 0.3047996),
    (9083, "Indian foot (1975)", 0.3047995),
    (9084, "Indian yard", 0.9143985307444408),
    (9085, "Indian yard (1937)", 0.91439523),
    (9086, "Indian yard (1962)", 0.9143988),
    (9087, "Indian yard (1975)", 0.9143985),
    (9093, "statute mile", 1609.344),
    (9094, "Gold Coast foot", 0.3047997101815088),
    (9095, "British foot (1936)", 0.3048007491),
    (9096, "yard", 0.9144),
    (9097, "chain", 20.1168),
    (9098, "link", 0.201168),
    (9301, "British chain (Sears 1922 truncated)", 20.116756),
];

/// Spellings of units in files, in lower case without spaces and punctuation. Each item consists of
/// the EPSG code of a unit and the spellings of this unit.
const SPELLINGS: [(u16, &[&str]); 11] = [
    (METRE, &["m", "metre", "metres", "meter", "meters", "mtr"]),
    (
        FOOT,
        &[
            "ft",
            "foot",
            "feet",
            "footintl",
            "footinternational",
            "ftintl",
            "fti",
            "internationalfoot",
            "internationalfeet",
        ],
    ),
    (
        US_SURVEY_FOOT,
        &[
            "ussurveyfoot",
            "ussurveyfeet",
            "ussurveyft",
            "usfoot",
            "usfeet",
            "usft",
            "ftus",
            "footus",
            "feetus",
            "ussft",
            "surveyfoot",
            "surveyfeet",
            "sft",
        ],
    ),
    (1033, &["cm", "centimetre", "centimetres", "centimeter", "centimeters"]),
    (1025, &["mm", "millimetre", "millimetres", "millimeter", "millimeters"]),
    (9036, &["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
    (9014, &["fathom", "fathoms", "fath", "ftm"]),
    (9096, &["yd", "yard", "yards"]),
    (9093, &["mi", "mile", "miles", "statutemile"]),
    (9030, &["nmi", "nauticalmile", "nauticalmiles"]),
    (9035, &["ussurveymile", "usmile"]),
];

/// Units that EPSG does not list, with their spellings and lengths (m).
const OTHER_UNITS: [(&str, &[&str], f64); 2] = [
    ("decimetre", &["dm", "decimetre", "decimetres", "decimeter", "decimeters"], 0.1),
    ("inch", &["in", "inch", "inches"], 0.0254),
];

impl LengthUnit {
    pub(super) const METRE: Self = Self { code: METRE, name: "metre", metres: 1.0 };

    /// Returns the unit with the given EPSG code, or `None` if it is not known.
    pub(super) fn from_code(code: u16) -> Option<Self> {
        let (code, name, metres) = UNITS.into_iter().find(|(other, ..)| *other == code)?;
        Some(Self { code, name, metres })
    }

    /// Returns the unit with the given name in `UNITS`, or `None` if there is no such unit.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let (code, ..) = UNITS.into_iter().find(|(_, other, _)| *other == name)?;
        Self::from_code(code)
    }

    /// Returns the unit with the given length, or a user-defined unit if no known unit has this
    /// length. A small difference is allowed because files often give the length with few digits.
    pub(super) fn from_metres(metres: f64) -> Self {
        let same = |(_, _, length): &(u16, &str, f64)| (metres / length - 1.0).abs() < 1e-7;
        let (code, name, metres) =
            UNITS.into_iter().find(same).unwrap_or((0, "user-defined", metres));
        Self { code, name, metres }
    }

    /// Returns the unit for a name or symbol found in a file, such as `ft` or `US survey foot`, or
    /// `None` if the unit is not known. Case, spaces and punctuation do not matter.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let letters = |text: &str| {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let text: String = letters(text);
        let spelt = SPELLINGS.into_iter().find(|(_, all)| all.contains(&text.as_str()));
        if let Some((code, _)) = spelt {
            return Self::from_code(code);
        }
        if let Some((name, _, metres)) =
            OTHER_UNITS.into_iter().find(|(_, all, _)| all.contains(&text.as_str()))
        {
            return Some(Self { code: 0, name, metres });
        }
        let (code, ..) = UNITS.into_iter().find(|(_, name, _)| letters(name) == text)?;
        Self::from_code(code)
    }

    /// Returns the unit of the projected coordinate system with the given EPSG code: the metre,
    /// unless `PROJECTED_SYSTEMS` lists the system under another unit. Returns `None` if that unit
    /// is not known.
    pub(super) fn from_projected_system(epsg: u16) -> Option<Self> {
        Self::from_system_table(&PROJECTED_SYSTEMS, epsg)
    }

    /// Returns the unit of the vertical coordinate system with the given EPSG code: the metre,
    /// unless `VERTICAL_SYSTEMS` lists the system under another unit. Returns `None` if that unit
    /// is not known.
    pub(super) fn from_vertical_system(epsg: u16) -> Option<Self> {
        Self::from_system_table(&VERTICAL_SYSTEMS, epsg)
    }

    fn from_system_table(table: &[(u16, &str)], epsg: u16) -> Option<Self> {
        let found = table.iter().find(|(_, codes)| contains_code(codes, epsg));
        Self::from_code(found.map_or(METRE, |(unit, _)| *unit))
    }
}

/// Returns whether the coordinates of a projected system increase to the south and to the west
/// (South Africa, Namibia, Krovak).
pub(super) fn has_south_west_axes(epsg: u16) -> bool {
    matches!(epsg, 2046..=2055 | 2065 | 5513 | 22_275..=22_293 | 29_371..=29_385)
}

/// Returns true if the values of the vertical coordinate system with the given EPSG code are
/// depths, which increase downwards.
pub(super) fn has_depth_axis(epsg: u16) -> bool {
    contains_code(DEPTH_SYSTEMS, epsg)
}

/// Returns true if the list `codes` contains `code`. The list consists of codes (`2155`), ranges
/// (`2225-2250`) and ranges with a step (`2265-2273/4`), separated by spaces.
fn contains_code(codes: &str, code: u16) -> bool {
    codes.split_whitespace().any(|item| {
        let (range, step) = item.split_once('/').unwrap_or((item, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last, step] = [first, last, step].map(|n| n.parse().unwrap_or(0_u16));
        (first..=last).contains(&code) && (code - first).is_multiple_of(step.max(1))
    })
}

/// EPSG codes of projected systems that are not in metres, by unit. Ranges may contain codes that
/// EPSG does not use.
const PROJECTED_SYSTEMS: [(u16, &str); 15] = [
    (
        FOOT,
        "2222-2224 2251-2253 2256 2265-2273/4 2266-2270/4 2280-2282 2867-2869 2896-2898 2901 \
         2909-2910 2913-2914 2921-2923 2992-2994/2 3080 3359-3361/2 3479-3483/2 3588-3590/2 \
         3593 3605 3634-3636/2 3644-3648/2 3656 3676-3682/3 5588 6128-6141 6391 6405-6409/2 \
         6494-6496/2 6499 6515 6545-6547/2 6557-6561/2 6570 6785-6863/2 6868 6885-6887/2 \
         7119-7127 8065-8068 8312-8348/2 10980-10987 20050",
    ),
    (
        US_SURVEY_FOOT,
        "2155 2194 2204 2225-2250 2254-2263/3 2255-2287/4 2258-2264 2268-2277/3 2272-2278/2 \
         2284-2289 2870-2895 2899-2919/4 2900-2928/4 2902-2908 2917-2920 2925-2930 2964-2968 \
         3089-3091/2 3102 3363-3365/2 3404 3417-3438 3441-3446 3451-3459 3485-3487/2 \
         3490-3512/2 3515-3553/2 3560-3570 3582-3586/2 3598-3600/2 3608-3632/2 3640-3642/2 \
         3650-3662/4 3652 3660-3672/4 3670-3674/2 3677-3686/3 3688-3700/4 3690 3698 3728-3739 \
         3753-3760 3991-3992 4217 4399-4413 4418-4433 4438-4457 5623-5625 5646 5654-5655 \
         6200-6202 6411-6413/2 6416-6438/2 6441-6479/2 6484-6492/2 6501-6507/2 6510 \
         6517-6543/2 6549-6555/2 6563-6565/2 6568-6576/4 6574-6590/4 6584-6590/2 6593-6609/2 \
         6612-6618/2 6625-6627 6633 6880 6923-6925/2 6966 6997 7057-7070 7128-7132/2 \
         7258-7370/2 7587-7645 8035-8036 8091-8093/2 8096-8182/2 8177-8189/3 8185-8197/4 \
         8200-8210/2 8213-8216/3 8220-8226/3 8224 8380-8384/2 8387 8518-8540 9748-9749 10481 \
         10516 10622 10911-10916 23301-23333 26729-26813 26847-26870 32001-32058 32064-32077 \
         32099 32164-32167 32664-32667",
    ),
    (9005, "2314 3407 5589 24100"),
    (9031, "29371-29385"),
    (9036, "22300"),
    (9037, "5472"),
    (9039, "2066 30200"),
    (9040, "27291-27292"),
    (9041, "29872"),
    (9042, "29871"),
    (9062, "24571"),
    (9084, "24370-24374 24382"),
    (9094, "2136 2159-2160"),
    (9098, "3139-3140"),
    (9301, "3167"),
];

/// EPSG codes of vertical systems that are not in metres, by unit.
const VERTICAL_SYSTEMS: [(u16, &str); 3] = [
    (FOOT, "5614 6130-6132 8050-8051 8228 8897"),
    (US_SURVEY_FOOT, "5702 6358-6360 8052-8053 10919"),
    (9095, "5754"),
];

/// EPSG codes of vertical systems whose values are depths.
const DEPTH_SYSTEMS: &str = "5336 5612 5614 5706 5715 5734 5739 5789 5831 5861-5867 5873 \
                             6357-6359 7976 8051 8053 8358 8378 8897 9287-9288 9672 10150-10151 \
                             10349 10364 10370-10379 10547-10552 10649-10650 10678";

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_code_of_projected_system(epsg: u16) -> u16 {
        LengthUnit::from_projected_system(epsg).unwrap().code
    }

    #[test]
    fn projected_systems_have_the_units_of_epsg() {
        for (unit, codes) in [
            (METRE, vec![2056, 2193, 3857, 25832, 26913, 27700, 32632, 3484, 6784, 8311]),
            (FOOT, vec![2222, 2256, 2273, 2994, 6786 - 1, 6863, 8348]),
            (US_SURVEY_FOOT, vec![2225, 2263, 2264, 3435, 3437, 6539, 7370, 26729, 32664]),
            (9036, vec![22300]),
        ] {
            for epsg in codes {
                assert_eq!(unit_code_of_projected_system(epsg), unit, "EPSG:{epsg}");
            }
        }
        assert_eq!(LengthUnit::from_vertical_system(6360).unwrap().code, US_SURVEY_FOOT);
        assert_eq!(LengthUnit::from_vertical_system(8228).unwrap().code, FOOT);
        assert_eq!(LengthUnit::from_vertical_system(5703).unwrap().code, METRE);
        assert!(has_depth_axis(5715) && !has_depth_axis(5703));
    }

    #[test]
    fn all_codes_are_known_units() {
        for (unit, _) in PROJECTED_SYSTEMS.iter().chain(&VERTICAL_SYSTEMS) {
            assert!(LengthUnit::from_code(*unit).is_some(), "{unit}");
        }
        for (unit, _) in SPELLINGS {
            assert!(LengthUnit::from_code(unit).is_some(), "{unit}");
        }
    }

    #[test]
    fn units_are_recognised_in_all_spellings() {
        for (text, metres) in [
            ("ft", 0.3048),
            (" Feet", 0.3048),
            ("US survey foot", 1200.0 / 3937.0),
            ("ft_us", 1200.0 / 3937.0),
            ("us-ft", 1200.0 / 3937.0),
            ("US_survey_foot", 1200.0 / 3937.0),
            ("Foot_US", 1200.0 / 3937.0),
            ("cm", 0.01),
            ("dm", 0.1),
            ("Meters", 1.0),
            ("British foot (1936)", 0.3048007491),
        ] {
            assert_eq!(LengthUnit::from_text(text).map(|unit| unit.metres), Some(metres), "{text}");
        }
        for text in ["", "K", "mm/h", "1", "degree"] {
            assert_eq!(LengthUnit::from_text(text), None, "{text}");
        }
    }
}
