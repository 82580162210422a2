//! [`Limits`]: the resources that a scene may use.

use super::MAX_CELLS;

/// Resources that a scene may use. A scene that needs more is rejected before memory is allocated.
/// This protects against scenes from unknown authors and against mistyped sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum memory (bytes) of each of these: the world, as estimated from its number of cells;
    /// the cells of sources, bodies and other objects; the readings of all gauges; a raster; and
    /// all rain rasters together. 4 GiB by default.
    pub memory_bytes: u64,
    /// Maximum total size of the time series and polygons that are read from CSV and GeoJSON files
    /// (bytes). 64 MiB by default.
    pub file_bytes: u64,
    /// Maximum total number of points: the points of all time series from CSV files, and the
    /// corners of all polygons from GeoJSON files. 10⁶ by default.
    pub points: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory_bytes: 4 << 30, file_bytes: 64 << 20, points: 1_000_000 }
    }
}

/// Memory (bytes per cell) needed while a raster is read and resampled.
const RASTER_BYTES_PER_CELL: u64 = 16;

impl Limits {
    /// Returns the maximum number of cells of a raster that is read into memory as a whole.
    pub(crate) fn max_raster_cells(&self) -> usize {
        max_cells(self.memory_bytes, RASTER_BYTES_PER_CELL)
    }

    /// Checks that a world of `nx` × `ny` cells is small enough. A cell needs about `cell_bytes`
    /// bytes, including its share of the pictures that a run draws.
    ///
    /// # Errors
    /// Returns a message if the world needs more than the maximum memory or than the system
    /// provides, or has more cells than the models support in memory.
    pub(crate) fn check_cells(&self, [nx, ny]: [usize; 2], cell_bytes: u64) -> Result<(), String> {
        let cells = nx.saturating_mul(ny);
        if cells > MAX_CELLS {
            return Err(format!("found {nx} × {ny} cells, allowed are {MAX_CELLS} in all"));
        }
        let message = |message| format!("found {nx} × {ny} cells: {message}");
        self.check_memory(cells as u64 * cell_bytes).map_err(message)
    }

    /// Checks that `bytes` bytes are within the limit on memory, and that the system can provide
    /// them.
    ///
    /// # Errors
    /// Returns a message with the memory needed.
    pub(crate) fn check_memory(&self, bytes: u64) -> Result<(), String> {
        let needed = format_size(bytes);
        if bytes > self.memory_bytes {
            let allowed = format_size(self.memory_bytes);
            return Err(format!(
                "the scene needs about {needed} of memory; allowed are {allowed} (change with \
                 --limit memory=SIZE)"
            ));
        }
        if !is_memory_available(bytes) {
            return Err(format!(
                "the scene needs about {needed} of memory, which the system does not provide"
            ));
        }
        Ok(())
    }
}

/// Returns whether the system can provide `bytes` bytes of memory, by allocating and releasing
/// them.
fn is_memory_available(bytes: u64) -> bool {
    // Memory that a WebAssembly module has allocated is never returned to the system.
    if cfg!(target_family = "wasm") {
        return true;
    }
    let mut probe: Vec<u8> = Vec::new();
    let is_reserved = usize::try_from(bytes).is_ok_and(|n| probe.try_reserve_exact(n).is_ok());
    // Without a use, the compiler removes the allocation.
    std::hint::black_box(&mut probe);
    is_reserved
}

fn max_cells(memory: u64, cell_bytes: u64) -> usize {
    (memory / cell_bytes).min(MAX_CELLS as u64) as usize
}

/// Formats a number of bytes in GiB or MiB, with one decimal place if it is not a whole number.
pub(crate) fn format_size(bytes: u64) -> String {
    let (unit, name) = if bytes >= 1 << 30 { (1 << 30, "GiB") } else { (1 << 20, "MiB") };
    let rounded = (bytes as f64 / f64::from(unit) * 10.0).round() / 10.0;
    format!("{rounded} {name}")
}
