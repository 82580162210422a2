//! Scenes of the library, run for a while, as a renderer sees them.

use crate::woods::scatter;
use headwater::Field;
use headwater_playground::land::{Cells, LandStyle, Scales};
use headwater_scene::flow::{FlowScene, FlowWorld};
use headwater_scene::hydrology::{HydrologyScene, HydrologyWorld};
use headwater_scene::picture::{
    Float, Particle, PoolGround, PoolStyle, River, Scenery, Style, Tree,
};
use headwater_scene::scene;
use headwater_scene::waves::{WavesScene, WavesWorld};
use std::error::Error;

/// All that a renderer is told of a world.
pub(crate) struct Shown {
    pub(crate) nx: usize,
    pub(crate) ny: usize,
    pub(crate) cell: [f32; 2],
    pub(crate) hex: bool,
    pub(crate) bed: Vec<f32>,
    pub(crate) depth: Vec<f32>,
    pub(crate) velocity: Option<(Vec<f32>, Vec<f32>)>,
    pub(crate) closed: Option<Vec<bool>>,
    pub(crate) no_data: Option<Vec<bool>>,
    pub(crate) particles: Vec<Particle>,
    pub(crate) floats: Vec<Float>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) rivers: Vec<River>,
    pub(crate) tint: Option<(Vec<[u8; 3]>, u32, u32)>,
    pub(crate) scales: Option<Scales>,
    pub(crate) style: LandStyle,
}

impl Shown {
    pub(crate) fn cells(&self) -> Cells<'_> {
        Cells {
            nx: self.nx,
            ny: self.ny,
            cell: self.cell,
            hex: self.hex,
            bed: &self.bed,
            depth: &self.depth,
            velocity: self.velocity.as_ref().map(|(e, s)| (e.as_slice(), s.as_slice())),
            foam: None,
            closed: self.closed.as_deref(),
            no_data: self.no_data.as_deref(),
        }
    }

    /// The scene of that name after so many of its units of time.
    pub(crate) fn of(name: &str, until: f64) -> Result<Self, Box<dyn Error>> {
        let known = headwater_scene::library::scene(name).ok_or(format!("no scene {name}"))?;
        let scene = scene::parse(name, known.text, &[])?;
        match (scene.flow(), scene.waves(), scene.hydrology()) {
            (Some(scene), ..) => flow(scene, until),
            (_, Some(scene), _) => waves(scene, until),
            (.., Some(scene)) => hydrology(scene, until),
            _ => Err(format!("{name} is seen from the side").into()),
        }
    }
}

/// Times at which something is due: its number and when, in order.
fn due(
    events: impl Iterator<Item = (f64, Option<f64>, Option<f64>)>,
    until: f64,
) -> Vec<(f64, usize)> {
    let mut due = Vec::new();
    for (i, (time, every, last)) in events.enumerate() {
        let last = last.unwrap_or(f64::INFINITY).min(until);
        let mut at = time;
        while at <= last {
            due.push((at, i));
            let Some(every) = every else { break };
            at += every;
        }
    }
    due.sort_by(|a, b| a.0.total_cmp(&b.0));
    due
}

fn style(of: &Style) -> LandStyle {
    LandStyle {
        palette: of.palette,
        liquid: of.liquid,
        contours: of.contours,
        ..LandStyle::default()
    }
}

fn flow(scene: &FlowScene, until: f64) -> Result<Shown, Box<dyn Error>> {
    let mut world = FlowWorld::build(scene)?;
    if let Some(settle) = &scene.settle {
        world.flow.settle(**settle)?;
    }
    let dry = world.flow.state().depth.clone();
    let start = Shown::see(&world, &dry, scene);
    let trees = scatter(&start.cells(), Scales::of(&start.cells()).exaggeration, 0.32, 5);
    for (time, event) in
        due(scene.events.iter().map(|e| (e.times.time, e.times.every, e.times.until)), until)
    {
        while world.flow.steps_toward(time, 8)? > 0 {}
        scene.events[event].action().map_or(Ok(()), |action| world.act(action))?;
    }
    while world.flow.steps_toward(until, 8)? > 0 {}
    let depth = world.flow.state().depth.clone();
    let mut shown = Shown::see(&world, &depth, scene);
    if scene.picture.liquid == headwater_scene::picture::Liquid::Water {
        shown.trees = trees;
    }
    if let Some(carved) = &world.carved {
        shown.trees = carved.scenery.trees.clone();
        shown.rivers = carved.scenery.rivers.clone();
    }
    Ok(shown)
}

impl Shown {
    fn see(world: &FlowWorld, depth: &Field<f32>, scene: &FlowScene) -> Self {
        let flow = &world.flow;
        let state = flow.state();
        let lattice = flow.lattice();
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let [east, south] = flow.velocities().map(|velocity| velocity.as_slice().to_vec());
        let no_data = world.terrain.no_data.as_slice().to_vec();
        let cells = state.closed.cells();
        let closed = cells.as_slice().iter().zip(&no_data).map(|(&c, &n)| c && !n).collect();
        let lifetime = scene.particles.as_ref().map_or(1.0, |p| p.keys.lifetime);
        let particles = flow.particles().iter().map(|p| Particle {
            position: p.position,
            velocity: p.velocity.map(f64::from),
            age: (p.age / lifetime).min(1.0) as f32,
        });
        let bodies = flow.bodies().entries().filter(|(_, body)| !body.gone);
        let hex = matches!(lattice, headwater::Lattice::Hex(_));
        let mut shown = Self {
            nx,
            ny,
            cell: [lattice.dx() as f32, (lattice.height() / ny as f64) as f32],
            hex,
            bed: state.bed.as_slice().to_vec(),
            depth: depth.as_slice().to_vec(),
            velocity: Some((east, south)),
            closed: Some(closed),
            no_data: Some(no_data),
            particles: particles.collect(),
            floats: bodies.map(|(id, body)| Float::new(body, world.body_kinds.of(id))).collect(),
            trees: Vec::new(),
            rivers: Vec::new(),
            tint: None,
            scales: None,
            style: style(&scene.picture),
        };
        let mut scales = Scales::of(&shown.cells());
        scales.sea = -world.terrain.datum as f32;
        if let Some(deep) = scene.picture.deep_depth {
            scales.deep = deep as f32;
        }
        if let Some(fast) = scene.picture.fast_speed {
            scales.fast = fast as f32;
        }
        shown.scales = Some(scales);
        shown
    }
}

fn waves(scene: &WavesScene, until: f64) -> Result<Shown, Box<dyn Error>> {
    let mut world = WavesWorld::build(scene)?;
    let step = world.waves.params().step;
    let events = scene.events.iter().map(|e| (e.times.time, e.times.every, e.times.until));
    for (time, event) in due(events, until) {
        while world.waves.time() + step <= time {
            world.step()?;
        }
        scene.events[event].action().map_or(Ok(()), |action| world.act(action))?;
    }
    while world.waves.time() + step <= until {
        world.step()?;
    }
    let style: &PoolStyle = &scene.picture;
    let waves = &world.waves;
    let lattice = waves.lattice();
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let ground = PoolGround::of(waves, style, (2048 / nx.max(ny)).clamp(1, 6));
    let height = waves.state().height.as_slice();
    let bed = ground.bed.as_slice().to_vec();
    let wet = |i: usize| !waves.is_land(i % nx, i / nx);
    let depth =
        (0..nx * ny).map(|i| if wet(i) { (height[i] - bed[i]).max(0.0) } else { 0.0 }).collect();
    let mut shown = Shown {
        nx,
        ny,
        cell: [lattice.dx() as f32, lattice.dy() as f32],
        hex: false,
        bed,
        depth,
        velocity: None,
        closed: None,
        no_data: None,
        particles: Vec::new(),
        floats: world.floats(),
        trees: Vec::new(),
        rivers: Vec::new(),
        tint: Some((ground.colors, ground.size[0] as u32, ground.size[1] as u32)),
        scales: None,
        style: LandStyle {
            palette: style.palette,
            ripples: 0.15,
            clarity: 1.0,
            ..LandStyle::default()
        },
    };
    let mut scales = Scales::of(&shown.cells());
    scales.deep = 1.3 * waves.params().depth as f32;
    scales.exaggeration = 1.6;
    shown.scales = Some(scales);
    Ok(shown)
}

fn hydrology(scene: &HydrologyScene, until: f64) -> Result<Shown, Box<dyn Error>> {
    let mut world = HydrologyWorld::build(scene)?;
    let way = world.ways.first_mut().ok_or("a land has no way")?;
    while way.land.time() < until {
        way.land.step();
    }
    let land = &way.land;
    let lattice = land.lattice();
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let layer = |name: &str| {
        land.layer(name).map_or_else(|| Field::new(nx, ny, 0.0), std::borrow::Cow::into_owned)
    };
    let scenery = Scenery::of(land);
    let tint = scenery.ground.as_ref().map(|[red, green, blue]| {
        let bytes = |v: f32| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        let colors = red.as_slice().iter().zip(green.as_slice()).zip(blue.as_slice());
        (colors.map(|((&r, &g), &b)| [r, g, b].map(bytes)).collect(), nx as u32, ny as u32)
    });
    Ok(Shown {
        nx,
        ny,
        cell: [lattice.dx() as f32, lattice.dy() as f32],
        hex: false,
        bed: layer("bed").as_slice().to_vec(),
        depth: Scenery::lakes(land).as_slice().to_vec(),
        velocity: None,
        closed: None,
        no_data: None,
        particles: Vec::new(),
        floats: Vec::new(),
        trees: scenery.trees,
        rivers: scenery.rivers,
        tint,
        scales: None,
        style: style(&scene.picture),
    })
}

impl Shown {
    /// Hills with a sea and a stream, `side × side` cells, for timings.
    pub(crate) fn made_up(side: usize) -> Self {
        let place = |i: usize| ((i % side) as f32 / side as f32, (i / side) as f32 / side as f32);
        let bed: Vec<f32> = (0..side * side)
            .map(|i| {
                let (x, y) = place(i);
                let hills = (x * 17.0).sin() * (y * 13.0).cos() + 0.4 * (x * 41.0 + y * 37.0).sin();
                60.0 * hills + 80.0 * (1.0 - x)
            })
            .collect();
        let depth = bed.iter().map(|z| (20.0 - z).max(0.0)).collect();
        let velocity = |k: f32| (0..side * side).map(|i| (place(i).0 * k).sin()).collect();
        Self {
            nx: side,
            ny: side,
            cell: [1024.0 / side as f32; 2],
            hex: false,
            bed,
            depth,
            velocity: Some((velocity(9.0), velocity(7.0))),
            closed: None,
            no_data: None,
            particles: Vec::new(),
            floats: Vec::new(),
            trees: Vec::new(),
            rivers: Vec::new(),
            tint: None,
            scales: None,
            style: LandStyle::default(),
        }
    }
}
