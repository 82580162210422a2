//! Names and units of layers in the notation of the Climate and Forecast metadata conventions (CF
//! 1.11), for files that are read by other programs.

/// Returns the CF standard name (<https://cfconventions.org/standard-names.html>) of a layer, or
/// `None` if the conventions define no name for the layer.
pub fn standard_name(layer: &str) -> Option<&'static str> {
    Some(match layer {
        "bed" => "ground_level_altitude",
        "depth" | "max_depth" => "flood_water_thickness",
        "surface" | "max_level" => "water_surface_height_above_reference_datum",
        "speed" | "max_speed" => "flood_water_speed",
        _ => return None,
    })
}

/// Converts the symbol of a unit, as used by this crate, to UDUNITS notation. The unit `cells`
/// becomes `1` (dimensionless).
pub fn to_udunits(unit: &str) -> &str {
    match unit {
        "" | "cells" => "1",
        "°C" => "degC",
        "m/s" => "m s-1",
        "m²/s" => "m2 s-1",
        "m³/s" => "m3 s-1",
        "1/m" => "m-1",
        "1/s" => "s-1",
        "m²" => "m2",
        "m³" => "m3",
        "kg/m³" => "kg m-3",
        other => other,
    }
}
