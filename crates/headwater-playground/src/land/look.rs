//! How a world is shown: [`Look`], [`Layer`], [`Quality`], [`Scales`], [`Cursor`].

use super::Cells;
use headwater_scene::picture::{Liquid, Palette};

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
    /// White water (0 to 1).
    Foam,
}

impl Layer {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Natural, Self::Depth, Self::Speed, Self::Surface, Self::Ground, Self::Foam];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Depth => "depth",
            Self::Speed => "speed",
            Self::Surface => "surface",
            Self::Ground => "ground",
            Self::Foam => "foam",
        }
    }

    /// What its numbers are counted in; empty where they have no unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Natural | Self::Foam => "",
            Self::Speed => "m/s",
            Self::Depth | Self::Surface | Self::Ground => "m",
        }
    }

    /// The range of its colours on such scales.
    pub fn range(self, scales: &Scales) -> [f32; 2] {
        match self {
            Self::Natural | Self::Foam => [0.0, 1.0],
            Self::Depth => [0.0, scales.deep],
            Self::Speed => [0.0, scales.fast],
            Self::Surface | Self::Ground => [scales.low, scales.high],
        }
    }

    pub(super) fn number(self) -> f32 {
        match self {
            Self::Natural => 0.0,
            Self::Depth => 1.0,
            Self::Speed => 2.0,
            Self::Surface => 3.0,
            Self::Ground => 4.0,
            Self::Foam => 5.0,
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
        let mut heights: Vec<f32> =
            (0..cells.bed.len()).filter(|&i| !cells.is_void(i)).map(|i| cells.bed[i]).collect();
        if heights.is_empty() {
            heights.push(0.0);
        }
        // A lone spike or pit shall not take the colours from all the rest.
        let (low, high) = (quantile(&mut heights, 0.002), quantile(&mut heights, 0.998));
        let high = high.max(low + 1e-3 + 1e-6 * low.abs());
        let relief = high - low;
        // A millimetre is what a raindrop leaves; less is a damp stone.
        let wet = 1e-3_f32.min(0.002 * relief);
        let wet_cells = cells.depth.iter().copied().filter(|&depth| depth > 10.0 * wet);
        let mut depths: Vec<f32> = wet_cells.collect();
        // A puddle or a spring's first drops say little of how deep it will become.
        let deep = if depths.len() * 500 > cells.depth.len() {
            (1.25 * quantile(&mut depths, 0.98)).max(0.004 * relief)
        } else {
            0.03 * relief
        };
        let deep = deep.max(50.0 * wet);
        let size = (cells.nx as f32 * cells.cell[0]).max(cells.ny as f32 * cells.cell[1]);
        Self {
            low,
            high,
            sea: 0.0,
            wet,
            deep,
            fast: 0.5 * (9.81 * deep).sqrt(),
            // Relief of a sixth of the width looks like mountains, half of that like hills.
            exaggeration: (0.085 * size / relief.max(1e-6)).clamp(1.0, 12.0),
        }
    }
}

fn quantile(values: &mut [f32], share: f32) -> f32 {
    let at = ((values.len() - 1) as f32 * share) as usize;
    *values.select_nth_unstable_by(at, f32::total_cmp).1
}

/// How a world is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Colours of the land, where it has none of its own.
    pub palette: Palette,
    /// What flows.
    pub liquid: Liquid,
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
    /// Height from one line to the next (m); by default a round number that gives about a dozen lines.
    pub interval: Option<f32>,
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
    /// Cells as they are, once they are at least so many points wide (from above).
    pub exact_from: f32,
    /// Factor on the ripples that the flow carries, which no model knows of; 0 for none.
    pub ripples: f32,
    /// How clear the water is: 0 as in pictures of land, where shallow water shows too; 1 as in a pool.
    pub clarity: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            palette: Palette::Alpine,
            liquid: Liquid::Water,
            exaggeration: None,
            sun_azimuth: 315.0,
            sun_altitude: 38.0,
            dark: false,
            contours: false,
            interval: None,
            arrows: false,
            particles: true,
            trees: true,
            layer: Layer::Natural,
            range: None,
            exact_from: 14.0,
            ripples: 1.0,
            clarity: 0.25,
        }
    }
}

impl Look {
    /// Factor on heights.
    pub fn exaggeration(&self, scales: &Scales) -> f32 {
        self.exaggeration.unwrap_or(scales.exaggeration).clamp(0.01, 1000.0)
    }

    /// Unit vector towards the sun: east, south, up.
    pub fn sun(&self) -> [f32; 3] {
        let (sin_a, cos_a) = self.sun_azimuth.to_radians().sin_cos();
        let (sin_h, cos_h) = self.sun_altitude.clamp(5.0, 90.0).to_radians().sin_cos();
        [sin_a * cos_h, -cos_a * cos_h, sin_h]
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
