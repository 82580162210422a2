//! Appearance of a drawn world: [`LandStyle`], [`Layer`], [`Quality`], [`Scales`] and [`Cursor`].

use super::cells::Cells;
use headwater_scene::picture::{
    Liquid, Palette, Style, default_deep_depth, default_fast_speed, height_range, sun_direction,
};

/// Quantity that is shown by colours on the land or water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// No quantity: the world has its natural appearance.
    #[default]
    Natural,
    /// Water depth (m).
    Depth,
    /// Flow speed (m/s).
    Speed,
    /// Height of the water surface (m).
    Surface,
    /// Ground height (m); water is not drawn.
    Ground,
}

impl Layer {
    /// Returns the unit of the quantity; an empty string if the quantity has no unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Natural => "",
            Self::Speed => "m/s",
            Self::Depth | Self::Surface | Self::Ground => "m",
        }
    }

    /// Returns the lowest and highest value on the colour ramp of the quantity, for the given
    /// scales.
    pub fn range(self, scales: &Scales) -> [f32; 2] {
        match self {
            Self::Natural => [0.0, 1.0],
            Self::Depth => [0.0, scales.max_depth],
            Self::Speed => [0.0, scales.max_speed],
            Self::Surface | Self::Ground => [scales.min_ground, scales.max_ground],
        }
    }
}

/// Rendering quality. By default, it depends on the speed of the graphics adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// Quality for software rasterizers: fewer triangles and samples, and a picture with fewer
    /// pixels.
    Low,
    /// Full quality, for GPUs.
    #[default]
    High,
}

impl Quality {
    /// Returns the quality that suits an adapter.
    pub fn for_adapter(adapter: &wgpu::AdapterInfo) -> Self {
        if adapter.device_type == wgpu::DeviceType::Cpu { Self::Low } else { Self::High }
    }
}

/// Scales of colours and heights. They are computed once for a world, so that frames are
/// comparable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Ground height at the lower end of the terrain colours (m).
    pub min_ground: f32,
    /// Ground height at the upper end of the terrain colours (m).
    pub max_ground: f32,
    /// Sea level (m). The palette `island` places beaches at this height, and contour lines are
    /// counted from this height.
    pub sea_level: f32,
    /// Smallest water depth that is drawn (m).
    pub min_depth: f32,
    /// Water depth with the darkest colour (m).
    pub max_depth: f32,
    /// Flow speed of the longest arrows and streaks (m/s).
    pub max_speed: f32,
    /// Vertical exaggeration (dimensionless) that shows the relief well.
    pub exaggeration: f32,
}

impl Scales {
    /// Computes the scales that suit the current state of a world.
    pub fn from_cells(cells: &Cells<'_>) -> Self {
        let known = (0..cells.bed.len()).filter(|&i| !cells.lacks_data(i));
        let (min_ground, max_ground) = height_range(known.map(|i| cells.bed[i]));
        let relief = max_ground - min_ground;
        // A raindrop leaves a film of about a millimetre; thinner films are not drawn.
        let min_depth = 1e-3_f32.min(0.002 * relief);
        let max_depth = default_deep_depth(cells.depth, min_depth, relief);
        let size = (cells.nx as f32 * cells.cell[0]).max(cells.ny as f32 * cells.cell[1]);
        Self {
            min_ground,
            max_ground,
            sea_level: 0.0,
            min_depth,
            max_depth,
            max_speed: default_fast_speed(max_depth),
            // A relief of 1/6 of the width looks like mountains, half of that like hills.
            exaggeration: (0.085 * size / relief.max(1e-6)).clamp(1.0, 12.0),
        }
    }
}

/// Appearance of a world: colours, light and drawn overlays.
#[derive(Clone, Debug, PartialEq)]
pub struct LandStyle {
    /// Colours of the land. A world with its own ground colours ignores them.
    pub palette: Palette,
    /// Liquid that determines the colours of the drawn water.
    pub liquid: Liquid,
    /// Whether the liquid in pools is drawn as acid.
    pub acid: bool,
    /// Vertical exaggeration, 0.01 to 1000 (dimensionless); `None` to use the value of the
    /// [`Scales`].
    pub exaggeration: Option<f32>,
    /// Azimuth of the sun (degrees clockwise from north).
    pub sun_azimuth: f32,
    /// Altitude of the sun (degrees above the horizon, 5 to 90).
    pub sun_altitude: f32,
    /// Whether the background around the world is dark.
    pub dark: bool,
    /// Whether contour lines are drawn.
    pub contours: bool,
    /// Whether velocity arrows are drawn.
    pub arrows: bool,
    /// Whether tracers are drawn.
    pub particles: bool,
    /// Whether plants are drawn.
    pub trees: bool,
    /// Quantity that is shown by colours.
    pub layer: Layer,
    /// Lowest and highest value on the colour ramp of the shown quantity, in the quantity's unit;
    /// `None` to use the range of the [`Scales`].
    pub range: Option<[f32; 2]>,
    /// Strength of decorative ripples that drift with the flow (0 for none). The ripples are not
    /// computed by a model.
    pub ripples: f32,
    /// Intensity of the rain, 0 to 1.
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
    /// Returns the chosen vertical exaggeration, or that of `scales` if none is chosen.
    pub fn exaggeration(&self, scales: &Scales) -> f32 {
        self.exaggeration.unwrap_or(scales.exaggeration).clamp(0.01, 1000.0)
    }

    /// Returns the unit vector toward the sun, with the components east, south and up.
    pub fn sun(&self) -> [f32; 3] {
        sun_direction(self.sun_azimuth, self.sun_altitude.clamp(5.0, 90.0))
    }

    /// Returns the number that denotes the liquid in the shaders.
    pub(super) fn liquid_code(&self) -> u8 {
        if self.acid { 3 } else { self.liquid as u8 }
    }

    /// Returns the lowest and highest value on the colour ramp of the shown quantity, for a legend.
    pub fn range(&self, scales: &Scales) -> [f32; 2] {
        self.range.unwrap_or_else(|| self.layer.range(scales))
    }
}

/// The tool's brush, drawn as a ring on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cursor {
    /// Centre of the ring: east and south coordinates (m).
    pub at: [f64; 2],
    /// Radius of the ring (m).
    pub radius: f64,
    /// Colour of the ring (red, green, blue, opacity; 0 to 1).
    pub color: [f32; 4],
}
