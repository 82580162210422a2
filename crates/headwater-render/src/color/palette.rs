//! Colours of dry land at different heights, of the sea floor, and of bare rock.

use super::{Ramp, Rgb, mix, rgb_from_hex, smoothstep};
use crate::style::Palette;

impl Palette {
    /// Returns the colour stops (position, `0xRRGGBB` in sRGB) of the land, from the lowest (0) to
    /// the highest (1) ground. For [`Island`](Self::Island), position 0 is sea level.
    pub fn land_stops(self) -> &'static [(f32, u32)] {
        match self {
            Palette::Alpine => &[
                (0.0, 0x86A873),
                (0.16, 0xA3BA82),
                (0.34, 0xC6CB97),
                (0.5, 0xD3C59C),
                (0.64, 0xBFA98A),
                (0.78, 0xAD9F93),
                (0.9, 0xD5D2D0),
                (1.0, 0xFBFBFC),
            ],
            Palette::Desert => &[
                (0.0, 0xEAD9AF),
                (0.25, 0xE3C48E),
                (0.5, 0xD3A26C),
                (0.72, 0xBB7F56),
                (0.88, 0xA56A4C),
                (1.0, 0xCFA98C),
            ],
            Palette::Island => &[
                (0.0, 0xF0E3BC),
                (0.025, 0xE6D7A6),
                (0.06, 0xB5C287),
                (0.22, 0x86AC6A),
                (0.48, 0x6A9358),
                (0.7, 0x93966E),
                (0.86, 0x9A8C7C),
                (1.0, 0xB9B0A8),
            ],
            Palette::Gray => &[(0.0, 0xA5A5A3), (0.5, 0xC4C3C0), (1.0, 0xEDECEA)],
        }
    }

    /// Returns the colour stops (position, `0xRRGGBB` in sRGB) of ground below sea level, from the
    /// shore (0) to the deepest floor (1).
    pub fn sea_floor_stops(self) -> &'static [(f32, u32)] {
        match self {
            Palette::Gray => &[(0.0, 0xC9C8C4), (1.0, 0x8F9194)],
            _ => &[(0.0, 0xEADCB4), (0.3, 0xC9BE9C), (1.0, 0x7C8784)],
        }
    }

    /// Returns the colour (`0xRRGGBB`, sRGB) of bare rock.
    pub fn rock_color(self) -> u32 {
        match self {
            Palette::Alpine => 0x9C9389,
            Palette::Desert => 0x9A6248,
            Palette::Island => 0x857A6E,
            Palette::Gray => 0x8F8E8C,
        }
    }

    /// Returns the fraction of the land colour ramp, counted from its low end, that is used for
    /// terrain with the given relief (highest minus lowest ground elevation, m). For low hills the
    /// fraction is below 1, so that they have no snow.
    pub fn land_ramp_fraction(self, relief: f32) -> f32 {
        match self {
            Palette::Alpine => 0.62 + 0.38 * smoothstep(200.0, 900.0, relief),
            _ => 1.0,
        }
    }
}

/// Colours (`0xRRGGBB`, sRGB) of objects that several painters draw.
pub mod paint {
    /// Colour of thin water films and rivulets.
    pub const THIN_WATER: u32 = 0x4F9FC6;
    /// Colour of foam.
    pub const FOAM: u32 = 0xF3FBFA;
    /// Colour of a log's bark.
    pub const BARK: u32 = 0x8A5A33;
    /// Colour of a log's cut ends.
    pub const CUT: u32 = 0xD9B27C;
    /// Colour of a boat's deck.
    pub const DECK: u32 = 0xC99A62;
    /// Colour of a boat's rail.
    pub const RAIL: u32 = 0xF4F1EA;
    /// Colour of a boat's cabin.
    pub const CABIN: u32 = 0xC9402F;
    /// Colour of a crate's planks.
    pub const CRATE: u32 = 0xCC9A5E;
    /// Colour of a buoy.
    pub const BUOY: u32 = 0xD8432E;
    /// Colour of the band around a buoy.
    pub const BAND: u32 = 0xF6F3EC;
}

/// Table of the palette's colours by height, from 0 (lowest land) to 1 (highest land).
#[derive(Clone, Debug)]
pub(crate) struct PaletteTable {
    land: Ramp,
    /// Colours below sea level, from the shore (0) to the deepest floor (1).
    floor: Ramp,
    rock: Rgb,
    /// Sea level on the height scale from 0 (lowest) to 1 (highest); `None` if the palette has no
    /// sea.
    sea: Option<f32>,
    /// Fraction of the land colour ramp in use, counted from its low end.
    used_fraction: f32,
}

impl PaletteTable {
    /// Tabulates a palette. `sea` is the sea level on the height scale, which runs from 0 (lowest)
    /// to 1 (highest); `relief` is the height range (m).
    pub(crate) fn new(palette: Palette, sea: f32, relief: f32) -> Self {
        Self {
            land: Ramp::new(palette.land_stops()),
            floor: Ramp::new(palette.sea_floor_stops()),
            rock: rgb_from_hex(palette.rock_color()),
            sea: palette.sea_level_within_scale(sea),
            used_fraction: palette.land_ramp_fraction(relief),
        }
    }

    /// Returns the ground colour at height `t` on the scale from 0 to 1; `bare_fraction` is the
    /// fraction of the ground that is bare rock.
    pub(crate) fn color_at_height(&self, t: f32, bare_fraction: f32) -> Rgb {
        let tint = match self.sea {
            Some(sea) if t < sea => self.floor.sample((sea - t) / sea.max(1e-3)),
            Some(sea) => self.land.sample((t - sea) / (1.0 - sea)),
            None => self.land.sample(t * self.used_fraction),
        };
        mix(tint, self.rock, bare_fraction)
    }
}
