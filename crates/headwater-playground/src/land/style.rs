//! How a world is shown: [`LandStyle`], [`Layer`], [`Quality`], [`Scales`], [`Cursor`].

use super::cells::Cells;
use headwater_scene::picture::{
    Liquid, Palette, Style, deep_depth, fast_speed, height_range, sun_direction,
};

/// What the colours say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Nothing: land and water as they look.
    #[default]
    Natural,
    /// Depth of the water (m).
    Depth,
    /// Speed of the water (m/s).
    Speed,
    /// Height of the water's surface (m).
    Surface,
    /// Height of the ground (m), with the water left out.
    Ground,
}

impl Layer {
    /// What its numbers are counted in; empty where they have no unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Natural => "",
            Self::Speed => "m/s",
            Self::Depth | Self::Surface | Self::Ground => "m",
        }
    }

    /// The range of its colours on such scales.
    pub fn range(self, scales: &Scales) -> [f32; 2] {
        match self {
            Self::Natural => [0.0, 1.0],
            Self::Depth => [0.0, scales.deep],
            Self::Speed => [0.0, scales.fast],
            Self::Surface | Self::Ground => [scales.low, scales.high],
        }
    }
}

/// How much work is done for a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// For adapters that are programs: fewer triangles and samples, a smaller picture.
    Low,
    /// For GPUs.
    #[default]
    High,
}

impl Quality {
    /// What suits an adapter.
    pub fn of(adapter: &wgpu::AdapterInfo) -> Self {
        if adapter.device_type == wgpu::DeviceType::Cpu { Self::Low } else { Self::High }
    }
}

/// The scales of colours and heights; found from a world at first, then kept, so that frames fit together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Heights of the lowest and the highest tint (m).
    pub low: f32,
    /// See `low`.
    pub high: f32,
    /// Height of the sea (m): beaches of the palette `island` lie there, and contours count from there.
    pub sea: f32,
    /// Under this depth nothing is drawn (m).
    pub wet: f32,
    /// The depth that has the deepest colour (m).
    pub deep: f32,
    /// The speed of the longest arrows and streaks (m/s).
    pub fast: f32,
    /// Factor on heights that shows the relief well.
    pub exaggeration: f32,
}

impl Scales {
    /// The scales that suit a world as it is.
    pub fn of(cells: &Cells<'_>) -> Self {
        let known = (0..cells.bed.len()).filter(|&i| !cells.is_void(i));
        let (low, high) = height_range(known.map(|i| cells.bed[i]));
        let relief = high - low;
        // A millimetre is what a raindrop leaves; less is a damp stone.
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
            // Relief of a sixth of the width looks like mountains, half of that like hills.
            exaggeration: (0.085 * size / relief.max(1e-6)).clamp(1.0, 12.0),
        }
    }
}

/// How a world is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct LandStyle {
    /// Colours of the land, where it has none of its own.
    pub palette: Palette,
    /// What flows.
    pub liquid: Liquid,
    /// Whether acid stands in its pools, in place of the liquid.
    pub acid: bool,
    /// Factor on heights, 0.01 to 1000; by default that of the [`Scales`].
    pub exaggeration: Option<f32>,
    /// Where the sun stands (degrees clockwise from north).
    pub sun_azimuth: f32,
    /// How high the sun stands (degrees above the horizon, 5 to 90).
    pub sun_altitude: f32,
    /// Dark surroundings.
    pub dark: bool,
    /// Lines of equal height.
    pub contours: bool,
    /// Arrows along the velocity.
    pub arrows: bool,
    /// Tracers.
    pub particles: bool,
    /// Plants.
    pub trees: bool,
    /// What the colours say.
    pub layer: Layer,
    /// The range of the layer's colours; by default that of the [`Scales`].
    pub range: Option<[f32; 2]>,
    /// Factor on the ripples that the flow carries, which no model knows of; 0 for none.
    pub ripples: f32,
    /// How hard it rains, 0 to 1.
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
    /// Factor on heights.
    pub fn exaggeration(&self, scales: &Scales) -> f32 {
        self.exaggeration.unwrap_or(scales.exaggeration).clamp(0.01, 1000.0)
    }

    /// Unit vector towards the sun: east, south, up.
    pub fn sun(&self) -> [f32; 3] {
        sun_direction(self.sun_azimuth, self.sun_altitude.clamp(5.0, 90.0))
    }

    /// The number that shaders know what flows by.
    pub(super) fn kind(&self) -> u8 {
        if self.acid { 3 } else { self.liquid as u8 }
    }

    /// The range of the layer's colours, for a legend.
    pub fn range(&self, scales: &Scales) -> [f32; 2] {
        self.range.unwrap_or_else(|| self.layer.range(scales))
    }
}

/// The brush, drawn as a ring on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cursor {
    /// Its middle (m).
    pub at: [f64; 2],
    /// Its radius (m).
    pub radius: f64,
    /// Its colour (red, green, blue, opacity; 0 to 1).
    pub color: [f32; 4],
}
