//! The same rule on many cells at once, in numbers of 32 bits.
//!
//! Heights have 64 bits, but neighbours are close together. A window of three rows is taken
//! relative to one of its heights; where it fits in 32 bits, the [plain rule](super::rule) is
//! vectorised with the same outcome.

use super::rule::{Ground, Rule, SLIDE, SOIL, to_corner};
use multiversion::multiversion;

/// Cells that a window gives the change of.
pub(super) const WIDTH: usize = 64;
/// Cells of a row of it: one more to each side.
const WIDE: usize = WIDTH + 2;
/// How far (quanta) a height may lie from that which a window is taken relative to: no difference of two overflows.
const FAR: i64 = 1 << 30;
/// The greatest rate (65536ths) for which no product overflows.
const FAST: i64 = 1 << 15;

#[derive(Clone, Copy)]
pub(super) struct Narrow {
    rate: i32,
    repose: [i32; 2],
    rock_repose: [i32; 2],
}

impl Narrow {
    /// `None` if a rule does not fit.
    pub(super) fn of(rule: &Rule) -> Option<Self> {
        let rate = i32::try_from(rule.rate).ok().filter(|_| (0..=FAST).contains(&rule.rate))?;
        // No difference in a window is larger than the greatest number, so what bears more bears all.
        let bears = |repose: [i64; 2]| repose.map(|most| most.clamp(0, i32::MAX.into()) as i32);
        Some(Self { rate, repose: bears(rule.repose), rock_repose: bears(rule.rock_repose) })
    }
}

#[derive(Clone, Copy)]
struct Row {
    /// Heights above that of the window.
    height: [i32; WIDE],
    /// What each cell may give to one neighbour of its soil, and at most where it stands in a river's bed.
    soil: [i32; WIDE],
    bank: [i32; WIDE],
    /// What its rock bears to a side.
    rock: [i32; WIDE],
}

const EMPTY: Row = Row { height: [0; WIDE], soil: [0; WIDE], bank: [0; WIDE], rock: [0; WIDE] };

pub(super) struct Window([Row; 3]);

impl Window {
    pub(super) fn new() -> Self {
        Self([EMPTY; 3])
    }

    /// Rise (quanta) of [`WIDTH`] cells with all neighbours on the map, from cell `first` on.
    /// `None` if heights do not fit.
    pub(super) fn change(
        &mut self,
        (rule, narrow): (&Rule, Narrow),
        ground: Ground,
        first: usize,
    ) -> Option<[i32; WIDTH]> {
        let nx = rule.grid.nx;
        let base = ground.bed[first];
        for (k, row) in self.0.iter_mut().enumerate() {
            let start = first + k * nx - nx - 1;
            let cells = start..start + WIDE;
            let (bed, soil) = (&ground.bed[cells.clone()], &ground.soil[cells.clone()]);
            if !take(base, bed, soil, row) {
                return None;
            }
            if !rule.rock.is_empty() {
                row.rock.copy_from_slice(&rule.rock[cells.clone()]);
            }
            if !rule.beds.is_empty() {
                for ((bank, river), &z) in row.bank.iter_mut().zip(&rule.beds[cells]).zip(bed) {
                    let above = z.saturating_sub(river.level(ground.bed)).max(0);
                    *bank = (above / SLIDE).min(FAR) as i32;
                }
            }
        }
        let mut change = [0; WIDTH];
        match (rule.beds.is_empty(), rule.rock.is_empty()) {
            (true, true) => changes::<false, false>(narrow, &self.0, &mut change),
            (true, false) => changes::<false, true>(narrow, &self.0, &mut change),
            (false, true) => changes::<true, false>(narrow, &self.0, &mut change),
            (false, false) => changes::<true, true>(narrow, &self.0, &mut change),
        }
        Some(change)
    }
}

/// Takes a row of the land into a window. Says whether it fits.
#[multiversion(targets = "simd")]
fn take(base: i64, bed: &[i64], soil: &[i64], row: &mut Row) -> bool {
    let mut farthest = 0;
    for (height, &z) in row.height.iter_mut().zip(bed) {
        let above = z.wrapping_sub(base);
        // All bits that a near one has not: its own sign throughout.
        farthest |= above ^ (above >> 63);
        *height = above as i32;
    }
    for (part, &soil) in row.soil.iter_mut().zip(soil) {
        // Of differences that fit, less goes over than that.
        *part = (soil.clamp(0, FAR) / SOIL) as i32;
    }
    farthest < FAR
}

/// The changes of a window's cells. With `BEDS` there are rivers' beds, with `ROCK` rock is not the same everywhere.
#[multiversion(targets = "simd")]
fn changes<const BEDS: bool, const ROCK: bool>(
    narrow: Narrow,
    rows: &[Row; 3],
    change: &mut [i32; WIDTH],
) {
    let [above, here, below] = rows;
    // By rows and the columns that cells stand at in them; 1 is their own.
    exchange::<BEDS, ROCK, 0, 1>(narrow, here, above, change);
    exchange::<BEDS, ROCK, 1, 0>(narrow, here, above, change);
    exchange::<BEDS, ROCK, 2, 1>(narrow, here, above, change);
    exchange::<BEDS, ROCK, 0, 0>(narrow, here, here, change);
    exchange::<BEDS, ROCK, 2, 0>(narrow, here, here, change);
    exchange::<BEDS, ROCK, 0, 1>(narrow, here, below, change);
    exchange::<BEDS, ROCK, 1, 0>(narrow, here, below, change);
    exchange::<BEDS, ROCK, 2, 1>(narrow, here, below, change);
}

#[inline(always)]
fn exchange<const BEDS: bool, const ROCK: bool, const COLUMN: usize, const CORNER: usize>(
    narrow: Narrow,
    row: &Row,
    beside: &Row,
    change: &mut [i32; WIDTH],
) {
    let Narrow { rate, repose, rock_repose } = narrow;
    let (repose, rock_repose) = (repose[CORNER], rock_repose[CORNER]);
    let (slide, all) = (SLIDE as i32, COLUMN..COLUMN + WIDTH);
    let (height, soil, bank) =
        (&row.height[1..][..WIDTH], &row.soil[1..][..WIDTH], &row.bank[1..][..WIDTH]);
    let (heights, soils, banks) =
        (&beside.height[all.clone()], &beside.soil[all.clone()], &beside.bank[all.clone()]);
    let (rock, rocks) = (&row.rock[1..][..WIDTH], &beside.rock[all]);
    for i in 0..WIDTH {
        let ahead = height[i] - heights[i];
        // All bits where the cell gives, none where it gets.
        let gives = -i32::from(ahead > 0);
        let drop = ahead.abs();
        // The product in two parts, of which none overflows.
        let creeping = ((drop >> 16) * rate + (((drop & 0xFFFF) * rate) >> 16)) >> CORNER;
        let sliding = (drop - repose).max(0) / slide;
        let bears = if ROCK {
            let side = (rock[i] & gives) | (rocks[i] & !gives);
            if CORNER == 0 { side } else { to_corner(side) }
        } else {
            rock_repose
        };
        let falling = (drop - bears).max(0) / slide;
        let steep = drop / slide;
        let loose = (soil[i] & gives) | (soils[i] & !gives);
        let mut flux = (creeping + sliding).min(steep).min(loose).max(falling);
        if BEDS {
            flux = flux.max(steep.min((bank[i] & gives) | (banks[i] & !gives)));
        }
        // Minus it where it gives.
        change[i] += (flux ^ gives) - gives;
    }
}
