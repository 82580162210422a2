//! [`Cells`]: the state of a world in the form that the renderer uploads, and the textures that
//! store it on the device.

use super::gpu::{Gpu, UPLOADED, texture_descriptor};
use headwater::changes::Tile;

/// State of a world as the renderer needs it. Each slice has one value per cell, in row-major
/// order. Rows are ordered from north to south, and each row goes from west to east.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    /// Number of columns.
    pub nx: usize,
    /// Number of rows.
    pub ny: usize,
    /// Distance between neighbouring cell centres from west to east and from north to south (m).
    pub cell: [f32; 2],
    /// Whether cells are hexagons, with odd rows shifted by half a cell to the east.
    pub hex: bool,
    /// Ground height of each cell (m).
    pub bed: &'a [f32],
    /// Water depth of each cell (m).
    pub depth: &'a [f32],
    /// Eastward and southward components of the water velocity of each cell (m/s); `None` if the
    /// model has no velocity.
    pub velocity: Option<(&'a [f32], &'a [f32])>,
    /// Foam on each cell (0 to 1) as computed by the model, if any.
    pub foam: Option<&'a [f32]>,
    /// For each cell, whether it is an obstacle; `None` if there are no obstacles.
    pub closed: Option<&'a [bool]>,
    /// For each cell, whether it lacks data and is not drawn; `None` if all cells have data.
    pub no_data: Option<&'a [bool]>,
}

/// Error for [`Cells`] that cannot be uploaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CellsError {
    /// A slice does not have one value per cell.
    #[error("`{what}` has {found} cells; the grid has {cells}")]
    Length {
        /// Name of the slice, such as `bed`.
        what: &'static str,
        /// Length of the slice.
        found: usize,
        /// Number of cells of the grid.
        cells: usize,
    },
    /// The grid is smaller than the minimum, or larger than a texture of the device.
    #[error("a grid of {nx} × {ny} cells cannot be shown; allowed: 2 to {max_side} a side")]
    Size {
        /// Number of columns.
        nx: usize,
        /// Number of rows.
        ny: usize,
        /// Largest number of columns or rows that the device allows.
        max_side: u32,
    },
}

impl Cells<'_> {
    /// Returns true if cell `i` lacks data and is not drawn.
    pub fn lacks_data(&self, i: usize) -> bool {
        self.no_data.is_some_and(|mask| mask[i]) || !self.bed[i].is_finite()
    }

    pub(super) fn extent(&self) -> [f32; 2] {
        extent([self.nx, self.ny], self.cell, self.hex)
    }

    pub(super) fn check_sizes(&self, max_side: u32) -> Result<(), CellsError> {
        let (nx, ny) = (self.nx, self.ny);
        if nx.min(ny) < 2 || nx.max(ny) > max_side as usize {
            return Err(CellsError::Size { nx, ny, max_side });
        }
        let cells = nx * ny;
        let fits = |what: &'static str, found: Option<usize>| match found {
            Some(found) if found != cells => Err(CellsError::Length { what, found, cells }),
            _ => Ok(()),
        };
        fits("bed", Some(self.bed.len()))?;
        fits("depth", Some(self.depth.len()))?;
        fits("velocity", self.velocity.map(|(east, _)| east.len()))?;
        fits("velocity", self.velocity.map(|(_, south)| south.len()))?;
        fits("foam", self.foam.map(<[f32]>::len))?;
        fits("closed", self.closed.map(<[bool]>::len))?;
        fits("no_data", self.no_data.map(<[bool]>::len))
    }

    fn texel_at(&self, i: usize) -> [f32; 4] {
        let clean = |v: f32| if v.is_finite() { v.clamp(-1e7, 1e7) } else { 0.0 };
        let (east, south) = self.velocity.map_or((0.0, 0.0), |(e, s)| (clean(e[i]), clean(s[i])));
        [clean(self.bed[i]), clean(self.depth[i]).max(0.0), east, south]
    }

    fn flags_at(&self, i: usize) -> [u8; 4] {
        let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        let full = |set: bool| if set { 255 } else { 0 };
        [
            self.foam.map_or(0, |foam| byte(foam[i])),
            full(self.closed.is_some_and(|closed| closed[i])),
            full(self.lacks_data(i)),
            0,
        ]
    }
}

/// Returns the width and height (m) of the area that a grid covers. In a hexagonal grid, the width
/// includes the half cell by which odd rows are shifted.
fn extent([nx, ny]: [usize; 2], cell: [f32; 2], hex: bool) -> [f32; 2] {
    let wide = nx as f32 + if hex { 0.5 } else { 0.0 };
    [wide * cell[0], ny as f32 * cell[1]]
}

/// Changes that an upload of cells has made.
pub(super) struct UploadedChange {
    /// Bounding rectangle of the cells with changed ground: first column, first row, end column,
    /// end row (ends exclusive). `None` if no ground has changed.
    pub(super) bed: Option<[usize; 4]>,
    /// Whether obstacles, or the ground under them, have changed.
    pub(super) have_walls_changed: bool,
}

#[derive(Debug)]
pub(super) struct CellTextures {
    pub(super) nx: usize,
    pub(super) ny: usize,
    pub(super) cell: [f32; 2],
    pub(super) hex: bool,
    pub(super) cells: wgpu::TextureView,
    pub(super) flags: wgpu::TextureView,
    pub(super) tint: wgpu::TextureView,
    pub(super) has_tint: bool,
    /// Lowest and highest ground height (m) among cells with data.
    pub(super) range: [f32; 2],
    values: Vec<[f32; 4]>,
    bytes: Vec<[u8; 4]>,
    closed: Vec<bool>,
    fresh: bool,
}

impl CellTextures {
    pub(super) fn new(gpu: &Gpu, cells: &Cells<'_>) -> Self {
        let size = [cells.nx as u32, cells.ny as u32];
        let limits = gpu.device.limits();
        let storage = if limits.max_storage_textures_per_shader_stage > 0 {
            wgpu::TextureUsages::STORAGE_BINDING
        } else {
            wgpu::TextureUsages::empty()
        };
        let made = |label, size, format, usage| {
            gpu.create_texture(&texture_descriptor(label, size, format, usage))
        };
        let bytes = wgpu::TextureFormat::Rgba8Unorm;
        let count = cells.nx * cells.ny;
        Self {
            nx: cells.nx,
            ny: cells.ny,
            cell: cells.cell,
            hex: cells.hex,
            cells: made("cells", size, wgpu::TextureFormat::Rgba32Float, UPLOADED | storage),
            flags: made("flags", size, bytes, UPLOADED),
            tint: made("tint", [1, 1], bytes, UPLOADED),
            has_tint: false,
            range: [0.0, 1.0],
            values: vec![[f32::NAN; 4]; count],
            bytes: vec![[0; 4]; count],
            closed: Vec::new(),
            fresh: true,
        }
    }

    pub(super) fn has_same_grid(&self, cells: &Cells<'_>) -> bool {
        (self.nx, self.ny, self.cell, self.hex) == (cells.nx, cells.ny, cells.cell, cells.hex)
    }

    /// Returns the width and height of the world (m).
    pub(super) fn extent(&self) -> [f32; 2] {
        extent([self.nx, self.ny], self.cell, self.hex)
    }

    /// Uploads the cells of the given tiles, and returns what has changed. The first call uploads
    /// all cells.
    pub(super) fn write(&mut self, gpu: &Gpu, cells: &Cells<'_>, tiles: &[Tile]) -> UploadedChange {
        let whole = [Tile { x: 0, y: 0, nx: self.nx, ny: self.ny }];
        let mut changed = [usize::MAX, usize::MAX, 0, 0];
        for tile in if self.fresh { &whole } else { tiles } {
            let mut flags_changed = self.fresh;
            for y in tile.y..tile.y + tile.ny {
                for x in tile.x..tile.x + tile.nx {
                    let i = y * self.nx + x;
                    let (value, flags) = (cells.texel_at(i), cells.flags_at(i));
                    if value[0] != self.values[i][0] || flags[2] != self.bytes[i][2] {
                        changed[0] = changed[0].min(x);
                        changed[1] = changed[1].min(y);
                        changed[2] = changed[2].max(x + 1);
                        changed[3] = changed[3].max(y + 1);
                    }
                    flags_changed |= flags != self.bytes[i];
                    self.values[i] = value;
                    self.bytes[i] = flags;
                }
            }
            gpu.fill_tile(&self.cells, tile, self.nx, &self.values);
            if flags_changed {
                gpu.fill_tile(&self.flags, tile, self.nx, &self.bytes);
            }
        }
        if changed[0] < changed[2] {
            self.update_height_range();
        }
        let bed = (changed[0] < changed[2]).then_some(changed);
        let closed = cells.closed.unwrap_or(&[]);
        let have_walls_changed =
            self.fresh || closed != self.closed || (bed.is_some() && closed.contains(&true));
        if closed != self.closed {
            self.closed = closed.to_vec();
        }
        self.fresh = false;
        UploadedChange { bed, have_walls_changed }
    }

    /// Updates the range of ground heights over all cells with data.
    fn update_height_range(&mut self) {
        let known = self.values.iter().zip(&self.bytes).filter(|(_, flags)| flags[2] == 0);
        let range = known.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], (value, _)| {
            [low.min(value[0]), high.max(value[0])]
        });
        if range[0] <= range[1] {
            self.range = range;
        }
    }

    pub(super) fn set_tint(&mut self, gpu: &Gpu, tint: Option<(&[[u8; 3]], u32, u32)>) {
        self.has_tint = false;
        let Some((colors, width, height)) = tint else { return };
        if colors.len() != (width * height) as usize || colors.is_empty() {
            return;
        }
        let size = self.tint.texture().size();
        if (size.width, size.height) != (width, height) {
            let format = wgpu::TextureFormat::Rgba8Unorm;
            self.tint =
                gpu.create_texture(&texture_descriptor("tint", [width, height], format, UPLOADED));
        }
        let bytes: Vec<[u8; 4]> = colors.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
        gpu.fill(&self.tint, &bytes);
        self.has_tint = true;
    }
}
