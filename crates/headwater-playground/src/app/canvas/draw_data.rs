//! [`DrawData`]: the state of a world seen from above, prepared for the renderer.

use crate::land::Cells;
use headwater::{Field, Lattice};
use headwater_scene::Scene;
use headwater_scene::flow::FlowWorld;
use headwater_scene::hydrology::HydrologyWorld;
use headwater_scene::live::Live;
use headwater_scene::picture::{BodySprite, Particle, PoolGround, PoolStyle, River, Scenery, Tree};
use headwater_scene::waves::WavesWorld;
use std::sync::Arc;

/// Number of colour samples per cell along each axis of the ground in a wave world. More than one
/// is needed because the floor tiles that are drawn on the bottom of pools are smaller than cells.
const SAMPLES_PER_CELL: usize = 3;

pub(super) struct DrawData {
    lattice: Lattice,
    /// Ground elevation of each cell (m).
    pub(super) bed: Field<f32>,
    /// Water depth of each cell (m).
    pub(super) depth: Field<f32>,
    velocity: Option<[Field<f32>; 2]>,
    foam: Option<Field<f32>>,
    closed: Option<Field<bool>>,
    no_data: Option<Field<bool>>,
    pub(super) particles: Vec<Particle>,
    /// Largest number of tracers (drawn particles that drift with the flow) that the world may
    /// have.
    pub(super) max_tracers: usize,
    pub(super) floats: Vec<BodySprite>,
    pub(super) trees: Vec<Tree>,
    pub(super) rivers: Vec<River>,
    /// Ground colours; `None` if the renderer's palette is used.
    pub(super) tint: Option<Arc<Tint>>,
    /// For each cell of a wave world, whether it is land; `None` for other models.
    land: Option<Field<bool>>,
}

/// Ground colours of a world, which replace the renderer's palette.
pub(super) struct Tint {
    /// sRGB colours that cover the whole world, in row-major order.
    pub(super) colors: Vec<[u8; 3]>,
    /// Number of columns and rows of the colour grid.
    pub(super) size: [usize; 2],
}

impl DrawData {
    /// Collects the data from which a world is drawn; returns `None` for a world in side view.
    /// Expensive data that has not changed is reused from `last`, the data of an earlier frame.
    pub(super) fn collect(live: &Live, last: Option<Self>) -> Option<Self> {
        let (world, scene) = (live.world(), live.scene());
        if let Some(world) = world.get() {
            return Some(Self::from_flow(world, scene));
        }
        if let Some(world) = world.get() {
            return Some(Self::from_waves(world, scene, last));
        }
        world.get().map(Self::from_hydrology)
    }

    fn from_bed_and_depth(lattice: Lattice, bed: Field<f32>, depth: Field<f32>) -> Self {
        Self {
            lattice,
            bed,
            depth,
            velocity: None,
            foam: None,
            closed: None,
            no_data: None,
            particles: Vec::new(),
            max_tracers: 0,
            floats: Vec::new(),
            trees: Vec::new(),
            rivers: Vec::new(),
            tint: None,
            land: None,
        }
    }

    fn from_flow(world: &FlowWorld, scene: &Scene) -> Self {
        let FlowWorld { flow, terrain, .. } = world;
        let state = flow.state();
        let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
        let no_data = &terrain.no_data;
        let closed = state.closed.cells();
        let particles = scene.flow().and_then(|scene| scene.particles.as_ref());
        let lifetime = particles.map_or(1.0, |particles| particles.keys.lifetime);
        let particle = |p: &headwater::flow::Particle| Particle {
            position: p.position,
            velocity: p.velocity.map(f64::from),
            age: (p.age / lifetime).min(1.0) as f32,
        };
        let carved = world.carved.as_ref().map(|carved| carved.scenery.clone());
        let Scenery { trees, rivers, .. } = carved.unwrap_or_default();
        let bodies = flow.bodies().entries().filter(|(_, body)| !body.gone);
        let velocity = flow.velocities();
        Self {
            foam: Some(flow.foam_cover()),
            velocity: Some(velocity),
            closed: Some(Field::from_fn(nx, ny, |x, y| closed[(x, y)] && !no_data[(x, y)])),
            no_data: Some(no_data.clone()),
            particles: flow.particles().iter().map(particle).collect(),
            max_tracers: flow.device_view().tracers().map_or(0, |drifting| drifting.tracers.count),
            floats: bodies
                .map(|(id, body)| BodySprite::new(body, world.body_kinds.get(id)))
                .collect(),
            trees,
            rivers,
            ..Self::from_bed_and_depth(*flow.lattice(), state.bed.clone(), state.depth.clone())
        }
    }

    fn from_waves(world: &WavesWorld, scene: &Scene, last: Option<Self>) -> Self {
        let waves = &world.waves;
        let reusable =
            last.filter(|last| last.land.as_ref() == waves.land() && last.tint.is_some());
        let (bed, tint) = match reusable {
            Some(last) => (last.bed, last.tint),
            None => {
                let plain = PoolStyle::default();
                let style = scene.waves().map_or(&plain, |scene| &scene.picture);
                let PoolGround { bed, colors, size } =
                    PoolGround::from_waves(waves, style, SAMPLES_PER_CELL);
                (bed, Some(Arc::new(Tint { colors, size })))
            }
        };
        let height = &waves.state().height;
        let depth = Field::from_fn(bed.nx(), bed.ny(), |x, y| {
            if waves.is_land(x, y) { 0.0 } else { (height[(x, y)] - bed[(x, y)]).max(0.0) }
        });
        let (floats, land) = (world.body_sprites(), waves.land().cloned());
        Self {
            floats,
            tint,
            land,
            ..Self::from_bed_and_depth((*waves.lattice()).into(), bed, depth)
        }
    }

    fn from_hydrology(world: &HydrologyWorld) -> Self {
        let land = world.land();
        let lattice = *land.lattice();
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let layer = |name: &str| {
            land.layer(name).map_or_else(|| Field::new(nx, ny, 0.0), std::borrow::Cow::into_owned)
        };
        let scenery = Scenery::from_hydrology(land);
        let tint = Some(Arc::new(Tint { colors: scenery.srgb_ground_colors(), size: [nx, ny] }));
        let Scenery { trees, rivers, .. } = scenery;
        let base = Self::from_bed_and_depth(
            lattice.into(),
            layer("bed"),
            Scenery::visible_lake_depth(land),
        );
        Self { trees, rivers, tint, ..base }
    }

    pub(super) fn cells(&self) -> Cells<'_> {
        let Self { lattice, velocity, .. } = self;
        Cells {
            nx: lattice.nx(),
            ny: lattice.ny(),
            cell: [lattice.dx() as f32, lattice.dy() as f32],
            hex: lattice.is_hex(),
            bed: self.bed.as_slice(),
            depth: self.depth.as_slice(),
            velocity: velocity.as_ref().map(|[east, south]| (east.as_slice(), south.as_slice())),
            foam: self.foam.as_ref().map(Field::as_slice),
            closed: self.closed.as_ref().map(Field::as_slice),
            no_data: self.no_data.as_ref().map(Field::as_slice),
        }
    }

    /// Returns the drawn ground in wave worlds, where it differs from the model's bed. Returns
    /// `None` in other worlds.
    pub(super) fn ground(&self) -> Option<&Field<f32>> {
        (self.velocity.is_none() && self.tint.is_some()).then_some(&self.bed)
    }

    /// Returns the elevation (m) of the water surface at a position (m), or of the ground if the
    /// position is dry. Returns `None` outside the world.
    pub(super) fn height_at(&self, place: [f64; 2]) -> Option<f32> {
        let (x, y) = self.lattice.cell_at(place)?;
        Some(self.bed[(x, y)] + self.depth[(x, y)])
    }

    /// Returns the width and height of the world (m).
    pub(super) fn size(&self) -> [f64; 2] {
        [self.lattice.width(), self.lattice.height()]
    }
}
