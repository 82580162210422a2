//! GeoKeys: the coordinate system of a GeoTIFF. Key and code numbers follow the OGC GeoTIFF
//! Standard 1.1 (OGC 19-008r4).
//!
//! The reader uses only the units and the EPSG codes. Written files contain a copy of the keys of
//! the file that gave the map position, so that the coordinate system is preserved.

use crate::raster::units::{self, DEGREE, LengthUnit, METRE};

const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEODETIC_SYSTEM: u16 = 2048;
const ANGULAR_UNITS: u16 = 2054;
const PROJECTED_SYSTEM: u16 = 3072;
const PROJECTION_CITATION: u16 = 3073;
const LINEAR_UNITS: u16 = 3076;
const LINEAR_UNIT_SIZE: u16 = 3077;
const VERTICAL_SYSTEM: u16 = 4096;
const VERTICAL_UNITS: u16 = 4099;
const UNDEFINED: u16 = 0;
const USER_DEFINED: u16 = 32767;
const PROJECTED: u16 = 1;
const GEOGRAPHIC: u16 = 2;
const PIXEL_IS_AREA: u16 = 1;
const PIXEL_IS_POINT: u16 = 2;
/// Tag number of GeoDoubleParams, to which keys refer.
const DOUBLE_PARAMS: u16 = 34736;
/// Tag number of GeoAsciiParams, to which keys refer.
const ASCII_PARAMS: u16 = 34737;
/// EPSG codes of geodetic systems whose unit is the grad.
const GRAD_SYSTEMS: [u16; 8] = [4807, 4810, 4811, 4816, 4819, 4821, 4901, 4902];

/// GeoKeys of a file. The vectors are empty if the file does not contain the tags.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::raster) struct GeoKeys {
    /// GeoKeyDirectory: a header of four numbers, followed by four numbers per key: id, location,
    /// count, and value or index.
    pub(in crate::raster) directory: Vec<u16>,
    /// GeoDoubleParams: the floating-point values to which keys refer.
    pub(in crate::raster) doubles: Vec<f64>,
    /// GeoAsciiParams: the texts to which keys refer.
    pub(in crate::raster) text: String,
}

/// Type of the coordinates in a file: projected (lengths) or geographic (angles).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::raster) enum Model {
    Projected,
    Geographic,
    /// The file contains no coordinate system.
    Unknown,
    Unsupported,
}

impl GeoKeys {
    /// Creates GeoKeys for a raster whose pixels are areas. The keys contain the unit of the
    /// coordinates and, if `epsg` is given, the EPSG code. If there is no coordinate system
    /// (`has_crs` is false) and the unit is the metre or the degree, the result contains no keys.
    /// Returns `None` if GeoTIFF has no code for the unit.
    pub(in crate::raster) fn minimal(unit: &str, epsg: Option<u16>, has_crs: bool) -> Option<Self> {
        let epsg_code = epsg.unwrap_or(USER_DEFINED);
        let mut keys = vec![[RASTER_TYPE, 0, 1, PIXEL_IS_AREA]];
        if !has_crs && ["metre", DEGREE].contains(&unit) {
            return Some(Self::default());
        }
        if unit == DEGREE {
            keys.extend([[GEODETIC_SYSTEM, 0, 1, epsg_code], [ANGULAR_UNITS, 0, 1, 9102]]);
        } else {
            let code = LengthUnit::from_name(unit)?.code;
            if epsg.is_some() {
                keys.push([PROJECTED_SYSTEM, 0, 1, epsg_code]);
            }
            keys.push([LINEAR_UNITS, 0, 1, code]);
        }
        // GDAL takes metres for a projection without a code, but reads the unit of a local system.
        if epsg.is_some() || (has_crs && unit == DEGREE) {
            let model = if unit == DEGREE { GEOGRAPHIC } else { PROJECTED };
            keys.insert(0, [MODEL_TYPE, 0, 1, model]);
        }
        Some(Self { directory: directory([1, 1, 0], keys), ..Self::default() })
    }

    /// Creates the keys of a projected system without an EPSG code. `text` is its description in
    /// well-known text 1, which is stored as a citation in the form that GDAL and ESRI use. Returns
    /// `None` for a text that GeoTIFF cannot contain.
    pub(in crate::raster) fn from_text(text: &str, unit: LengthUnit) -> Option<Self> {
        let text = format!("ESRI PE String = {}|", text.trim());
        let length = u16::try_from(text.len()).ok();
        let length = length.filter(|_| text.is_ascii() && text.matches('|').count() == 1)?;
        let mut keys = vec![
            [MODEL_TYPE, 0, 1, USER_DEFINED],
            [RASTER_TYPE, 0, 1, PIXEL_IS_AREA],
            [PROJECTED_SYSTEM, 0, 1, USER_DEFINED],
            [PROJECTION_CITATION, ASCII_PARAMS, length, 0],
        ];
        let doubles = match unit.code {
            0 => {
                keys.push([LINEAR_UNITS, 0, 1, USER_DEFINED]);
                keys.push([LINEAR_UNIT_SIZE, DOUBLE_PARAMS, 1, 0]);
                vec![unit.metres]
            }
            code => {
                keys.push([LINEAR_UNITS, 0, 1, code]);
                Vec::new()
            }
        };
        Some(Self { directory: directory([1, 1, 0], keys), doubles, text })
    }

    /// Returns keys that describe a new raster in the same coordinate system. The pixels of the new
    /// raster are areas, and its heights are in metres. The vertical coordinate system is omitted
    /// if its unit is not the metre.
    pub(in crate::raster) fn for_output(&self) -> Self {
        let metres = matches!(self.vertical_unit(), Ok(None)) || self.vertical_is_metre();
        let kept =
            |key: &&[u16]| key[0] != RASTER_TYPE && (metres || !(4096..5120).contains(&key[0]));
        let mut keys: Vec<[u16; 4]> = self
            .entries()
            .filter(kept)
            .filter_map(|key| key.try_into().ok())
            .chain([[RASTER_TYPE, 0, 1, PIXEL_IS_AREA]])
            .collect();
        keys.sort_by_key(|key| key[0]);
        let version = self.directory.first_chunk().copied().unwrap_or([1, 1, 0]);
        Self { directory: directory(version, keys), ..self.clone() }
    }

    fn vertical_is_metre(&self) -> bool {
        matches!(self.vertical_unit(), Ok(Some(LengthUnit { code: METRE, .. })))
    }

    /// Returns whether the coordinates are projected or geographic.
    pub(in crate::raster) fn model(&self) -> Model {
        let known = |id| self.short_value(id).is_some_and(|code| code != UNDEFINED);
        // ESRI describes a projection in a text, and gives its unit in a key.
        let has_projection = known(PROJECTED_SYSTEM) || known(LINEAR_UNITS);
        match self.short_value(MODEL_TYPE) {
            Some(PROJECTED) => Model::Projected,
            Some(GEOGRAPHIC) => Model::Geographic,
            Some(UNDEFINED | USER_DEFINED) | None if has_projection => Model::Projected,
            Some(UNDEFINED | USER_DEFINED) | None if known(GEODETIC_SYSTEM) => Model::Geographic,
            Some(UNDEFINED | USER_DEFINED) | None => Model::Unknown,
            Some(_) => Model::Unsupported,
        }
    }

    /// Returns true if the coordinates refer to the centres of pixels.
    pub(in crate::raster) fn pixel_is_point(&self) -> bool {
        self.short_value(RASTER_TYPE) == Some(PIXEL_IS_POINT)
    }

    /// Returns the EPSG code of the coordinate system. The code of a projected system takes
    /// precedence over the code of the geodetic system on which it is based. Returns `None` if the
    /// code is missing or user-defined.
    pub(in crate::raster) fn epsg_code(&self) -> Option<u16> {
        match self.model() {
            Model::Geographic => self.known_code(GEODETIC_SYSTEM),
            _ => self.known_code(PROJECTED_SYSTEM),
        }
    }

    /// Returns the name of the unit of geographic coordinates if it is not the degree.
    pub(in crate::raster) fn unit_other_than_degree(&self) -> Option<String> {
        let in_grads = self.epsg_code().is_some_and(|code| GRAD_SYSTEMS.contains(&code));
        match self.short_value(ANGULAR_UNITS) {
            None | Some(9105 | 9106) if in_grads => Some("grad".to_owned()),
            // 9102 is the degree, 9122 the degree of "supplier's choice"; the others are notations
            // of degrees.
            None | Some(9102 | 9107 | 9108 | 9122) => None,
            Some(9101) => Some("radian".to_owned()),
            Some(9105 | 9106) => Some("grad".to_owned()),
            Some(code) => Some(format!("EPSG:{code}")),
        }
    }

    /// Returns the unit of projected coordinates. Adds notices about contradictions and about
    /// missing units to `notices`.
    ///
    /// # Errors
    /// Returns a notice for the user if the unit is not known.
    pub(in crate::raster) fn linear_unit(
        &self,
        notices: &mut Vec<String>,
    ) -> Result<LengthUnit, String> {
        let epsg = self.known_code(PROJECTED_SYSTEM);
        let of_system = epsg.and_then(LengthUnit::from_projected_system);
        let found = match self.short_value(LINEAR_UNITS) {
            None | Some(UNDEFINED) => {
                if self.model() == Model::Projected && epsg.is_none() {
                    notices.push(
                        "the file gives neither the EPSG code nor the unit of its projection; \
                         metres are assumed"
                            .to_owned(),
                    );
                }
                return Ok(of_system.unwrap_or(LengthUnit::METRE));
            }
            Some(USER_DEFINED) => {
                let metres = self.double_value(LINEAR_UNIT_SIZE).ok_or(
                    "the file's unit of length is user-defined, without a size; give the cell \
                     size in metres",
                )?;
                LengthUnit { code: USER_DEFINED, name: "user-defined", metres }
            }
            Some(code) => LengthUnit::from_code(code).ok_or_else(|| {
                format!(
                    "the cells are in the unsupported unit {code}; give the cell size in metres"
                )
            })?,
        };
        if let Some((epsg, of_system)) = epsg.zip(of_system)
            && (of_system.metres / found.metres - 1.0).abs() > 1e-9
        {
            notices.push(format!(
                "the file gives the unit {} for EPSG:{epsg}, whose unit is {}; the unit of the \
                 file is used",
                found.name, of_system.name
            ));
        }
        Ok(found)
    }

    /// Returns the unit of the heights, or `None` if the keys do not give it.
    ///
    /// # Errors
    /// Returns a notice for the user if the unit is not known.
    pub(in crate::raster) fn vertical_unit(&self) -> Result<Option<LengthUnit>, String> {
        match self.short_value(VERTICAL_UNITS) {
            None | Some(UNDEFINED) => {
                Ok(self.known_code(VERTICAL_SYSTEM).and_then(LengthUnit::from_vertical_system))
            }
            Some(code) => LengthUnit::from_code(code).map(Some).ok_or_else(|| {
                format!(
                    "the heights are in the unsupported unit {code}; they are read as metres \
                     unless the scale is set"
                )
            }),
        }
    }

    /// Returns the EPSG code of the vertical system if its values are depths, which increase
    /// downwards.
    pub(in crate::raster) fn depth_system(&self) -> Option<u16> {
        self.known_code(VERTICAL_SYSTEM).filter(|code| units::has_depth_axis(*code))
    }

    /// Returns the EPSG code in a key, or `None` if it is missing or user-defined.
    fn known_code(&self, id: u16) -> Option<u16> {
        self.short_value(id).filter(|code| ![UNDEFINED, USER_DEFINED].contains(code))
    }

    /// Returns the four numbers of each key in the directory.
    fn entries(&self) -> impl Iterator<Item = &[u16]> {
        self.directory.chunks_exact(4).skip(1)
    }

    /// Returns the value of a key; `None` unless the key exists and its value is stored in the
    /// directory itself.
    fn short_value(&self, id: u16) -> Option<u16> {
        let entry = self.entries().find(|entry| entry[0] == id)?;
        (entry[1] == 0).then_some(entry[3])
    }

    /// Returns the value of a key; `None` unless the key exists and its value is stored in
    /// GeoDoubleParams.
    fn double_value(&self, id: u16) -> Option<f64> {
        let entry = self.entries().find(|entry| entry[0] == id)?;
        let value = *self.doubles.get(usize::from(entry[3]))?;
        (entry[1] == DOUBLE_PARAMS).then_some(value)
    }
}

/// Returns the content of the GeoKeyDirectory tag: the three version numbers, the number of keys,
/// and the keys.
fn directory([version, revision, minor]: [u16; 3], keys: Vec<[u16; 4]>) -> Vec<u16> {
    let head = [version, revision, minor, keys.len() as u16];
    std::iter::once(head).chain(keys).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(entries: &[[u16; 4]]) -> GeoKeys {
        GeoKeys { directory: directory([1, 1, 1], entries.to_vec()), ..GeoKeys::default() }
    }

    fn linear_unit(keys: &GeoKeys) -> (Result<LengthUnit, String>, Vec<String>) {
        let mut notices = Vec::new();
        (keys.linear_unit(&mut notices), notices)
    }

    #[test]
    fn linear_units_are_given_by_key_or_code() {
        let (unit, notices) = linear_unit(&keys(&[[LINEAR_UNITS, 0, 1, 9002]]));
        assert_eq!((unit.unwrap().metres, notices.len()), (0.3048, 0));
        let (unit, notices) = linear_unit(&keys(&[[PROJECTED_SYSTEM, 0, 1, 2263]]));
        assert_eq!((unit.unwrap().name, notices.len()), ("US survey foot", 0));
        let both = [[PROJECTED_SYSTEM, 0, 1, 2263], [LINEAR_UNITS, 0, 1, METRE]];
        let (unit, notices) = linear_unit(&keys(&both));
        assert_eq!((unit.unwrap().name, notices.len()), ("metre", 1));

        let own = [[LINEAR_UNITS, 0, 1, USER_DEFINED], [LINEAR_UNIT_SIZE, DOUBLE_PARAMS, 1, 1]];
        let own = GeoKeys { doubles: vec![9.0, 2.5], ..keys(&own) };
        assert_eq!(linear_unit(&own).0.unwrap().metres, 2.5);
        assert!(linear_unit(&keys(&[[LINEAR_UNITS, 0, 1, 9999]])).0.is_err());
        let nameless = keys(&[[MODEL_TYPE, 0, 1, 1], [PROJECTED_SYSTEM, 0, 1, USER_DEFINED]]);
        assert!(linear_unit(&nameless).1[0].contains("metres are assumed"));
    }

    #[test]
    fn vertical_units_are_given_by_key_or_code() {
        for (entries, metres) in [
            (vec![[VERTICAL_UNITS, 0, 1, 9003]], Some(1200.0 / 3937.0)),
            (vec![[VERTICAL_SYSTEM, 0, 1, 8228]], Some(0.3048)),
            (vec![[VERTICAL_SYSTEM, 0, 1, 5703]], Some(1.0)),
            (vec![], None),
        ] {
            let unit = keys(&entries).vertical_unit().unwrap();
            assert_eq!(unit.map(|unit| unit.metres), metres);
        }
        assert!(keys(&[[VERTICAL_UNITS, 0, 1, 9999]]).vertical_unit().is_err());
        assert_eq!(keys(&[[VERTICAL_SYSTEM, 0, 1, 5715]]).depth_system(), Some(5715));
    }

    #[test]
    fn written_keys_omit_vertical_systems_in_feet() {
        let point = [RASTER_TYPE, 0, 1, PIXEL_IS_POINT];
        let system = |code| [[MODEL_TYPE, 0, 1, 1], point, [VERTICAL_SYSTEM, 0, 1, code]];
        let area = [RASTER_TYPE, 0, 1, PIXEL_IS_AREA];
        let feet = keys(&system(6360)).for_output();
        assert_eq!(feet, keys(&[[MODEL_TYPE, 0, 1, 1], area]));
        let metres = keys(&system(5703)).for_output();
        assert_eq!(metres, keys(&[[MODEL_TYPE, 0, 1, 1], area, [VERTICAL_SYSTEM, 0, 1, 5703]]));
        assert_eq!(metres.for_output(), metres);
    }
}
