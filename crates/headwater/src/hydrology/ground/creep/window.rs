//! Vectorised creep in 32-bit integers.
//!
//! Heights have 64 bits, but neighbouring heights are close together. The heights in a window of
//! three rows are stored relative to one height of the window. If these offsets fit in 32 bits, the
//! vectorised code computes the same result as the [plain rule](super::rule).

use super::rule::{BedAndSoil, CreepRule, SLIDE_DIVISOR, SOIL_DIVISOR, diagonal_difference};
use multiversion::multiversion;

/// Number of cells in a window, without padding.
pub(super) const WIDTH: usize = 64;
/// Number of cells in each row of a window, with one cell of padding on each side.
const PADDED_WIDTH: usize = WIDTH + 2;
/// Largest absolute offset of a height from the window's base height (quanta of 2⁻²⁰ m). The limit
/// prevents overflow in the difference between two offsets.
const MAX_OFFSET: i64 = 1 << 30;
/// Largest creep rate for which no 32-bit product overflows (in units of 1/65536).
const MAX_RATE: i64 = 1 << 15;

#[derive(Clone, Copy)]
pub(super) struct CreepRule32 {
    rate: i32,
    repose: [i32; 2],
    rock_repose: [i32; 2],
}

impl CreepRule32 {
    /// Converts the scalar rule to 32-bit integers. Returns `None` if a value of the rule is too
    /// large.
    pub(super) fn new(rule: &CreepRule) -> Option<Self> {
        let rate = i32::try_from(rule.rate).ok().filter(|_| (0..=MAX_RATE).contains(&rule.rate))?;
        // No height difference in a window exceeds `i32::MAX`, so larger limits have no effect.
        let limit = |repose: [i64; 2]| repose.map(|limit| limit.clamp(0, i32::MAX.into()) as i32);
        Some(Self { rate, repose: limit(rule.repose), rock_repose: limit(rule.rock_repose) })
    }
}

#[derive(Clone, Copy)]
struct WindowRow {
    /// Height of each cell relative to the window's base height (quanta of 2⁻²⁰ m).
    height: [i32; PADDED_WIDTH],
    /// Largest thickness of soil that each cell can lose to one neighbour in a round (quanta of
    /// 2⁻²⁰ m).
    soil: [i32; PADDED_WIDTH],
    /// Largest thickness that each cell can lose to one neighbour by bank collapse (quanta of 2⁻²⁰
    /// m). 0 unless the cell is part of a river bed.
    bank: [i32; PADDED_WIDTH],
    /// Largest stable height difference of each cell's rock to an edge neighbour (quanta of 2⁻²⁰
    /// m).
    rock: [i32; PADDED_WIDTH],
}

const EMPTY: WindowRow = WindowRow {
    height: [0; PADDED_WIDTH],
    soil: [0; PADDED_WIDTH],
    bank: [0; PADDED_WIDTH],
    rock: [0; PADDED_WIDTH],
};

pub(super) struct CreepWindow([WindowRow; 3]);

impl CreepWindow {
    pub(super) fn new() -> Self {
        Self([EMPTY; 3])
    }

    /// Returns the height changes of [`WIDTH`] cells that start at column `first` (quanta of 2⁻²⁰
    /// m). All neighbours of these cells must be on the map. Returns `None` if the heights do not
    /// fit in 32 bits.
    pub(super) fn height_changes(
        &mut self,
        (rule, narrow): (&CreepRule, CreepRule32),
        ground: BedAndSoil,
        first: usize,
    ) -> Option<[i32; WIDTH]> {
        let nx = rule.grid.nx;
        let base = ground.bed[first];
        for (k, row) in self.0.iter_mut().enumerate() {
            let start = first + k * nx - nx - 1;
            let cells = start..start + PADDED_WIDTH;
            let (bed, soil) = (&ground.bed[cells.clone()], &ground.soil[cells.clone()]);
            if !load_row(base, bed, soil, row) {
                return None;
            }
            if !rule.rock_limits.is_empty() {
                row.rock.copy_from_slice(&rule.rock_limits[cells.clone()]);
            }
            if !rule.river_beds.is_empty() {
                for ((bank, river), &z) in row.bank.iter_mut().zip(&rule.river_beds[cells]).zip(bed)
                {
                    let above = z.saturating_sub(river.collapse_height(ground.bed)).max(0);
                    *bank = (above / SLIDE_DIVISOR).min(MAX_OFFSET) as i32;
                }
            }
        }
        let mut change = [0; WIDTH];
        match (rule.river_beds.is_empty(), rule.rock_limits.is_empty()) {
            (true, true) => window_changes::<false, false>(narrow, &self.0, &mut change),
            (true, false) => window_changes::<false, true>(narrow, &self.0, &mut change),
            (false, true) => window_changes::<true, false>(narrow, &self.0, &mut change),
            (false, false) => window_changes::<true, true>(narrow, &self.0, &mut change),
        }
        Some(change)
    }
}

/// Loads the heights and the soil of a row of cells into a row of the window. `base` is the height
/// from which offsets are measured. Returns whether all offsets are small enough for 32-bit
/// arithmetic.
#[multiversion(targets = "simd")]
fn load_row(base: i64, bed: &[i64], soil: &[i64], row: &mut WindowRow) -> bool {
    let mut offset_bits = 0;
    for (height, &z) in row.height.iter_mut().zip(bed) {
        let above = z.wrapping_sub(base);
        // Collects bits that are 0 in every small offset, after removing its sign.
        offset_bits |= above ^ (above >> 63);
        *height = above as i32;
    }
    for (part, &soil) in row.soil.iter_mut().zip(soil) {
        // Clamping has no effect, because no flux between heights in a window can exceed this
        // limit.
        *part = (soil.clamp(0, MAX_OFFSET) / SOIL_DIVISOR) as i32;
    }
    offset_bits < MAX_OFFSET
}

/// Computes the height changes of the cells in a window. The constant parameters state whether the
/// computation includes river beds (`RIVER_BEDS`) and a separate stability limit for each cell's
/// rock (`ROCK`).
#[multiversion(targets = "simd")]
fn window_changes<const RIVER_BEDS: bool, const ROCK: bool>(
    narrow: CreepRule32,
    rows: &[WindowRow; 3],
    change: &mut [i32; WIDTH],
) {
    let [above, here, below] = rows;
    // The last constant is the neighbour's column relative to the cell's own column, which is 1.
    add_flux::<RIVER_BEDS, ROCK, 0, 1>(narrow, here, above, change);
    add_flux::<RIVER_BEDS, ROCK, 1, 0>(narrow, here, above, change);
    add_flux::<RIVER_BEDS, ROCK, 2, 1>(narrow, here, above, change);
    add_flux::<RIVER_BEDS, ROCK, 0, 0>(narrow, here, here, change);
    add_flux::<RIVER_BEDS, ROCK, 2, 0>(narrow, here, here, change);
    add_flux::<RIVER_BEDS, ROCK, 0, 1>(narrow, here, below, change);
    add_flux::<RIVER_BEDS, ROCK, 1, 0>(narrow, here, below, change);
    add_flux::<RIVER_BEDS, ROCK, 2, 1>(narrow, here, below, change);
}

#[inline(always)]
fn add_flux<const RIVER_BEDS: bool, const ROCK: bool, const COLUMN: usize, const CORNER: usize>(
    narrow: CreepRule32,
    row: &WindowRow,
    neighbour: &WindowRow,
    change: &mut [i32; WIDTH],
) {
    let CreepRule32 { rate, repose, rock_repose } = narrow;
    let (repose, rock_repose) = (repose[CORNER], rock_repose[CORNER]);
    let (slide, all) = (SLIDE_DIVISOR as i32, COLUMN..COLUMN + WIDTH);
    let (height, soil, bank) =
        (&row.height[1..][..WIDTH], &row.soil[1..][..WIDTH], &row.bank[1..][..WIDTH]);
    let (heights, soils, banks) = (
        &neighbour.height[all.clone()],
        &neighbour.soil[all.clone()],
        &neighbour.bank[all.clone()],
    );
    let (rock, rocks) = (&row.rock[1..][..WIDTH], &neighbour.rock[all]);
    for i in 0..WIDTH {
        let ahead = height[i] - heights[i];
        // All bits are set if the cell loses ground, none if it gains ground.
        let loss_mask = -i32::from(ahead > 0);
        let drop = ahead.abs();
        // The product is split into two parts that cannot overflow.
        let creeping = ((drop >> 16) * rate + (((drop & 0xFFFF) * rate) >> 16)) >> CORNER;
        let sliding = (drop - repose).max(0) / slide;
        let limit = if ROCK {
            let side = (rock[i] & loss_mask) | (rocks[i] & !loss_mask);
            if CORNER == 0 { side } else { diagonal_difference(side) }
        } else {
            rock_repose
        };
        let falling = (drop - limit).max(0) / slide;
        let steep = drop / slide;
        let loose = (soil[i] & loss_mask) | (soils[i] & !loss_mask);
        let mut flux = (creeping + sliding).min(steep).min(loose).max(falling);
        if RIVER_BEDS {
            flux = flux.max(steep.min((bank[i] & loss_mask) | (banks[i] & !loss_mask)));
        }
        // Negate the flux where the cell loses ground.
        change[i] += (flux ^ loss_mask) - loss_mask;
    }
}
