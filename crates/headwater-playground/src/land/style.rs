//! Appearance of a world: [`LandStyle`], [`Layer`], [`Quality`], [`Scales`], [`Cursor`].

use super::cells::Cells;
use headwater_scene::picture::{
    Liquid, Palette, Style, deep_depth, fast_speed, height_range, sun_direction,
};

/// The quantity that is shown by colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// None: natural appearance.
    #[default]
    Natural,
    /// Water depth (m).
    Depth,
    /// Flow speed (m/s).
    Speed,
    /// Height of the water surface (m).
    Surface,
    /// Ground height (m), without water.
    Ground,
}

impl Layer {
    /// Returns the unit of the quantity; empty if it has none.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Natural => "",
            Self::Speed => "m/s",
            Self::Depth | Self::Surface | Self::Ground => "m",
        }
    }

    /// Returns the range of its colours for given scales.
    pub fn range(self, scales: &Scales) -> [f32; 2] {
        match self {
            Self::Natural => [0.0, 1.0],
            Self::Depth => [0.0, scales.deep],
            Self::Speed => [0.0, scales.fast],
            Self::Surface | Self::Ground => [scales.low, scales.high],
        }
    }
}

/// Rendering quality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// Suits software rasterizers: fewer triangles and samples, a smaller picture.
    Low,
    /// Suits GPUs.
    #[default]
    High,
}

impl Quality {
    /// Returns the quality that suits an adapter.
    pub fn for_adapter(adapter: &wgpu::AdapterInfo) -> Self {
        if adapter.device_type == wgpu::DeviceType::Cpu { Self::Low } else { Self::High }
    }
}

/// Scales of colours and heights, computed once for a world so that frames are comparable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Lowest and highest height of the terrain colours (m).
    pub low: f32,
    /// See `low`.
    pub high: f32,
    /// Sea level (m): position of beaches in the palette `island`, and origin of contours.
    pub sea: f32,
    /// Smallest drawn depth (m).
    pub wet: f32,
    /// Depth with the darkest colour (m).
    pub deep: f32,
    /// Speed of the longest arrows and streaks (m/s).
    pub fast: f32,
    /// Vertical exaggeration that shows the relief well.
    pub exaggeration: f32,
}

impl Scales {
    /// Computes the scales that suit a world.
    pub fn from_cells(cells: &Cells<'_>) -> Self {
        let known = (0..cells.bed.len()).filter(|&i| !cells.is_void(i));
        let (low, high) = height_range(known.map(|i| cells.bed[i]));
        let relief = high - low;
        // A raindrop leaves a film of about a millimetre; thinner films are not drawn.
        let wet = 1e-3_f32.min(0.002 * relief);
        let deep = deep_depth(cells.depth, wet, relief);
        let size = (cells.nx as f32 * cells.cell[0]).max(cells.ny as f32 * cells.cell[1]);
        Self {
            low,
            high,
            sea: 0.0,
            wet,
            deep,
            fast: fast_speed(deep),
            // A relief of 1/6 of the width looks like mountains, half of that like hills.
            exaggeration: (0.085 * size / relief.max(1e-6)).clamp(1.0, 12.0),
        }
    }
}

/// Appearance of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct LandStyle {
    /// Colours of the land, if it has no ground colours.
    pub palette: Palette,
    /// The liquid.
    pub liquid: Liquid,
    /// True if pools contain acid instead of the liquid.
    pub acid: bool,
    /// Vertical exaggeration, 0.01 to 1000; by default that of the [`Scales`].
    pub exaggeration: Option<f32>,
    /// Azimuth of the sun (degrees clockwise from north).
    pub sun_azimuth: f32,
    /// Altitude of the sun (degrees above the horizon, 5 to 90).
    pub sun_altitude: f32,
    /// True for dark surroundings.
    pub dark: bool,
    /// True to draw contour lines.
    pub contours: bool,
    /// True to draw velocity arrows.
    pub arrows: bool,
    /// True to draw tracers.
    pub particles: bool,
    /// True to draw plants.
    pub trees: bool,
    /// The quantity shown by colours.
    pub layer: Layer,
    /// Range of the quantity's colours; by default that of the [`Scales`].
    pub range: Option<[f32; 2]>,
    /// Strength of the ripples carried by the flow, which no model computes; 0 for none.
    pub ripples: f32,
    /// Intensity of rain, 0 to 1.
    pub rain: f32,
}

impl Default for LandStyle {
    fn default() -> Self {
        let pictures = Style::default();
        Self {
            palette: pictures.palette,
            liquid: pictures.liquid,
            acid: false,
            exaggeration: None,
            sun_azimuth: pictures.sun_azimuth,
            sun_altitude: pictures.sun_altitude,
            dark: false,
            contours: false,
            arrows: false,
            particles: true,
            trees: true,
            layer: Layer::Natural,
            range: None,
            ripples: 1.0,
            rain: 0.0,
        }
    }
}

impl LandStyle {
    /// Returns the vertical exaggeration.
    pub fn exaggeration(&self, scales: &Scales) -> f32 {
        self.exaggeration.unwrap_or(scales.exaggeration).clamp(0.01, 1000.0)
    }

    /// Returns the unit vector towards the sun: east, south, up.
    pub fn sun(&self) -> [f32; 3] {
        sun_direction(self.sun_azimuth, self.sun_altitude.clamp(5.0, 90.0))
    }

    /// Returns the liquid's number in the shaders.
    pub(super) fn kind(&self) -> u8 {
        if self.acid { 3 } else { self.liquid as u8 }
    }

    /// Returns the range of the quantity's colours, for a legend.
    pub fn range(&self, scales: &Scales) -> [f32; 2] {
        self.range.unwrap_or_else(|| self.layer.range(scales))
    }
}

/// The brush, drawn as a ring on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cursor {
    /// Centre (m).
    pub at: [f64; 2],
    /// Radius (m).
    pub radius: f64,
    /// Colour (red, green, blue, opacity; 0 to 1).
    pub color: [f32; 4],
}
