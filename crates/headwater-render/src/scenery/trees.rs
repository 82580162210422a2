//! Plants of a hydrology world: their positions, and the appearance of each kind of plant.

use super::layer::layer;
use crate::color::hash_to_unit_interval;
use headwater::Field;
use headwater::hydrology::Hydrology;

/// Plant, drawn as a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tree {
    /// Position of the plant (m east and m south of the top-left corner of the map).
    pub position: [f32; 2],
    /// Number of the plant's kind, counted from 1.
    pub kind: u8,
    /// Size of the plant as a fraction of a full-grown plant, 0 to 1.
    pub size: f32,
}

/// Shape of a tree's crown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crown {
    /// Broad and low, like willows.
    Broad,
    /// Round, like beeches.
    Round,
    /// Conical, like pines.
    Cone,
}

/// Appearance of a kind of tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeKind {
    /// Shape of the crown.
    pub crown: Crown,
    /// Colour of the crown (`0xRRGGBB`, sRGB).
    pub color: u32,
    /// Width and height of the crown, as multiples of the default width and height.
    pub crown_scale: [f32; 2],
}

/// Appearance of the plant kinds 1 to 3. Higher kinds use the same appearances in darker colours.
const KINDS: [TreeKind; 3] = [
    // Near water: broad, low, light.
    TreeKind { crown: Crown::Broad, color: 0x9DB84E, crown_scale: [1.15, 0.8] },
    // Slopes: round, full.
    TreeKind { crown: Crown::Round, color: 0x4F8A3C, crown_scale: [1.0, 1.0] },
    // Heights: narrow, dark.
    TreeKind { crown: Crown::Cone, color: 0x2F5F4C, crown_scale: [0.8, 1.55] },
];

/// Minimum size of a drawn tree, as a fraction of a full-grown tree. Smaller plants only tint the
/// ground.
const MIN_SIZE: f32 = 0.2;

impl Tree {
    /// Returns true if the tree is large enough to be drawn.
    pub fn is_drawn(&self) -> bool {
        self.size >= MIN_SIZE
    }

    /// Returns the crown width as a fraction of a full-grown tree's crown width.
    pub fn crown_width(&self) -> f32 {
        0.45 + 0.55 * self.size
    }

    /// Returns the appearance of the tree's kind.
    pub fn kind(&self) -> &'static TreeKind {
        &KINDS[self.kind_index() % KINDS.len()]
    }

    /// Returns a pseudo-random number from 0 to 1 that depends only on the position of the tree.
    pub fn variation(&self) -> f32 {
        let [east, south] = self.position;
        hash_to_unit_interval((east * 8191.0) as u32 ^ ((south * 131.0) as u32) << 11)
    }

    /// Returns a brightness factor for the colour of the tree. The factor varies from tree to tree
    /// and is smaller for kinds beyond the third.
    pub fn tone(&self) -> f32 {
        let turns = (self.kind_index() / KINDS.len()) as i32;
        (0.88 + 0.24 * self.variation()) * 0.85_f32.powi(turns)
    }

    fn kind_index(&self) -> usize {
        usize::from(self.kind).saturating_sub(1)
    }
}

/// Returns the plants of a world, each at a random point in its cell. Plants under the sea or under
/// lakes are left out. `lake_depth` is the depth (m) of lakes and sea in each cell.
pub(super) fn visible_plants(world: &Hydrology, lake_depth: &Field<f32>) -> Vec<Tree> {
    let [kind, size] = ["plant", "size"].map(|name| layer(world, name));
    let cell = world.lattice().dx() as f32;
    let nx = kind.nx();
    let all = kind.as_slice().iter().zip(size.as_slice()).enumerate();
    all.filter(|(i, (kind, _))| **kind > 0.0 && lake_depth.as_slice()[*i] <= 0.0)
        .map(|(i, (&kind, &size))| {
            let jitter = |k: u32| 0.15 + 0.7 * hash_to_unit_interval(2 * i as u32 + k);
            let at = [(i % nx) as f32 + jitter(0), (i / nx) as f32 + jitter(1)];
            Tree { position: at.map(|cells| cells * cell), kind: kind as u8, size }
        })
        .collect()
}
