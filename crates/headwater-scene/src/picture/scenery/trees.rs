//! Where plants stand, and what sets their kinds apart.

use super::layer::layer;
use crate::picture::color::random;
use headwater::Field;
use headwater::hydrology::Hydrology;

/// A plant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tree {
    /// From the top-left corner to the east and to the south (m).
    pub position: [f32; 2],
    /// Its kind, from 1.
    pub kind: u8,
    /// Its size, 0 to 1.
    pub size: f32,
}

/// The form of a crown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crown {
    /// Broad and low, as of willows.
    Broad,
    /// Round, as of beeches.
    Round,
    /// A cone, as of pines.
    Cone,
}

/// What sets a kind of trees apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeKind {
    /// The form of its crown.
    pub crown: Crown,
    /// The colour of its crown (`0xRRGGBB`, sRGB).
    pub color: u32,
    /// Width and height of the crown, as parts of the usual.
    pub form: [f32; 2],
}

/// The first kind, the second and the third; further kinds begin again, each with another tone.
const KINDS: [TreeKind; 3] = [
    // Along the water: broad, low, light.
    TreeKind { crown: Crown::Broad, color: 0x9DB84E, form: [1.15, 0.8] },
    // On slopes: round, full.
    TreeKind { crown: Crown::Round, color: 0x4F8A3C, form: [1.0, 1.0] },
    // On heights: narrow, dark.
    TreeKind { crown: Crown::Cone, color: 0x2F5F4C, form: [0.8, 1.55] },
];

/// Trees smaller than this part of the full size are not drawn: the ground's green shows them.
const SMALLEST: f32 = 0.2;

impl Tree {
    /// Whether it is large enough to be drawn.
    pub fn is_drawn(&self) -> bool {
        self.size >= SMALLEST
    }

    /// Width of its crown, as a part of a full-grown tree's.
    pub fn crown_width(&self) -> f32 {
        0.45 + 0.55 * self.size
    }

    /// What sets its kind apart.
    pub fn kind(&self) -> &'static TreeKind {
        &KINDS[self.number() % KINDS.len()]
    }

    /// A number of its own from 0 to 1, for its place.
    pub fn variation(&self) -> f32 {
        let [east, south] = self.position;
        random((east * 8191.0) as u32 ^ ((south * 131.0) as u32) << 11)
    }

    /// Factor on its colour: no two trees are the same, and kinds beyond the third are darker by turns.
    pub fn tone(&self) -> f32 {
        let turns = (self.number() / KINDS.len()) as i32;
        (0.88 + 0.24 * self.variation()) * 0.85_f32.powi(turns)
    }

    fn number(&self) -> usize {
        usize::from(self.kind).saturating_sub(1)
    }
}

/// The plants of a world, each somewhere in its cell; those that lakes (m) or the sea have just drowned are left
/// out.
pub(super) fn stand(world: &Hydrology, lake_depth: &Field<f32>) -> Vec<Tree> {
    let [kind, size] = ["plant", "size"].map(|name| layer(world, name));
    let cell = world.lattice().dx() as f32;
    let nx = kind.nx();
    let plants = kind.as_slice().iter().zip(size.as_slice()).enumerate();
    plants
        .filter(|(i, (kind, _))| **kind > 0.0 && lake_depth.as_slice()[*i] <= 0.0)
        .map(|(i, (&kind, &size))| {
            let aside = |k: u32| 0.15 + 0.7 * random(2 * i as u32 + k);
            let at = [(i % nx) as f32 + aside(0), (i / nx) as f32 + aside(1)];
            Tree { position: at.map(|cells| cells * cell), kind: kind as u8, size }
        })
        .collect()
}
