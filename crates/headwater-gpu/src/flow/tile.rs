//! Choice of the tile size. A tile is the block of cells that one workgroup computes. Its size is
//! limited by the workgroup memory of the device.

use super::options::{Tile, Tiling};
use super::variant::Variant;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::Physics;

impl Variant {
    /// Returns the width (cells) of the halo beyond the east and south sides of a tile. The
    /// inertial scheme reads neighbouring faces, so its halo is one cell wider than that of other
    /// schemes.
    fn trailing_halo_width(self) -> u32 {
        if self.physics == Physics::Inertial { 3 } else { 2 }
    }

    pub(crate) fn tile_constants(self, tile: Tile) -> [(&'static str, u32); 4] {
        let Tile { x, y, threads } = tile;
        [("TILE_X", x), ("TILE_Y", y), ("THREADS", threads), ("BEYOND", self.trailing_halo_width())]
    }

    /// Returns the workgroup memory that the kernel for a tile needs (bytes).
    fn workgroup_memory_bytes(self, tile: Tile) -> u64 {
        if self.physics == Physics::ShallowWater {
            // 25 numbers for each cell. Vectors of three numbers take the space of four.
            return 100 * u64::from(tile.x + 6) * u64::from(tile.y + 6) + 64;
        }
        let places = u64::from(tile.x + 2 + self.trailing_halo_width())
            * u64::from(tile.y + 2 + self.trailing_halo_width());
        let families = if self.hex { 3 } else { 2 };
        let arrays = 2 + families + if self.physics == Physics::Inertial { families } else { 0 };
        4 * arrays * places + 64
    }

    /// Returns the largest default tile for which `memory` bytes of workgroup memory suffice. A
    /// tile has no more rows than the world, which has `rows` rows.
    pub(crate) fn default_tile(self, memory: u64, rows: usize) -> Tile {
        // The number of invocations is half the number of cells of the tile, in multiples of 32.
        let tile = |x, y| Tile { x, y, threads: (x * y / 64).max(1) * 32 };
        let sizes = match rows {
            0..=8 => [32, 24, 16, 8].map(|x| tile(x, rows.max(2).next_multiple_of(2) as u32)),
            _ => [tile(32, 16), tile(32, 8), tile(16, 8), tile(16, 4)],
        };
        let fits = |tile: &Tile| self.workgroup_memory_bytes(*tile) <= memory;
        sizes.into_iter().find(fits).unwrap_or(tile(8, 4))
    }

    /// Returns the tile that `tiling` selects for a world with `rows` rows.
    ///
    /// # Errors
    /// Returns [`GpuError::Limit`] if the tile exceeds a limit of the device, and
    /// [`GpuError::Refused`] if its size is invalid.
    pub(crate) fn select_tile(
        self,
        gpu: &Gpu,
        tiling: Tiling,
        rows: usize,
    ) -> Result<Tile, GpuError> {
        let limits = gpu.limits();
        let memory = u64::from(limits.max_compute_workgroup_storage_size);
        let tile = match tiling {
            Tiling::Custom(tile) => tile,
            Tiling::Automatic => self.default_tile(memory, rows),
        };
        let name = "max_compute_workgroup_storage_size";
        gpu.check_limit("a tile", (self.workgroup_memory_bytes(tile), memory), "bytes", name)?;
        let max_threads =
            limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        let name = "max_compute_invocations_per_workgroup";
        let threads = (u64::from(tile.threads), u64::from(max_threads));
        gpu.check_limit("a tile", threads, "invocations", name)?;
        if tile.x < 1 || tile.y < 1 || tile.y % 2 == 1 || tile.threads < 8 {
            return Err(GpuError::Refused(format!(
                "a tile must have 1 or more columns, an even number of rows and 8 or more invocations, \
                 found {} × {} and {}",
                tile.x, tile.y, tile.threads
            )));
        }
        Ok(tile)
    }
}
