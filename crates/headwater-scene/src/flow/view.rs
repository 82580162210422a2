//! Construction of the views of a flow world from which pictures are drawn.

use super::{FlowScene, FlowWorld};
use crate::picture::{BodySprite, Painter, Particle, Picture, Style, View};
use headwater::flow;
use headwater::{Field, InputError, Region};

/// Builds a view of the world and calls `draw` with it.
pub(super) fn with_view<R>(
    world: &FlowWorld,
    scene: &FlowScene,
    draw: impl FnOnce(&View<'_>) -> R,
) -> R {
    let flow = &world.flow;
    // Lifetime of a tracer particle (s), after which it is no longer drawn.
    let lifetime = scene.particles.as_ref().map_or(1.0, |particles| particles.keys.lifetime);
    let state = flow.state();
    let [east, south] = flow.velocities();
    let no_data = &world.terrain.no_data;
    let closed = state.closed.cells();
    let obstacles =
        Field::from_fn(closed.nx(), closed.ny(), |x, y| closed[(x, y)] && !no_data[(x, y)]);
    let particles: Vec<Particle> = flow
        .particles()
        .iter()
        .map(|p| Particle {
            position: p.position,
            velocity: p.velocity.map(f64::from),
            age: (p.age / lifetime).min(1.0) as f32,
        })
        .collect();
    let structures = structure_lines(flow.structures().map(|(_, structure)| structure));
    let bodies: Vec<BodySprite> = flow
        .bodies()
        .entries()
        .filter(|(_, body)| !body.gone)
        .map(|(id, body)| BodySprite::new(body, world.body_kinds.get(id)))
        .collect();
    draw(&View {
        bodies: &bodies,
        scenery: world.carved.as_ref().map(|carved| &carved.scenery),
        closed: Some(&obstacles),
        no_data: Some(no_data),
        velocity: Some((&east, &south)),
        particles: &particles,
        structures: &structures,
        time: flow.time(),
        datum: world.terrain.datum,
        ..View::new(flow.lattice(), &state.bed, &state.depth)
    })
}

/// Returns a line segment between the two mouths of each structure (culvert, gate or weir), with
/// coordinates in m, for pictures.
pub(super) fn structure_lines<'a>(
    structures: impl Iterator<Item = &'a flow::Structure>,
) -> Vec<[[f64; 2]; 2]> {
    let line = |structure: &flow::Structure| match structure.mouths {
        [Region::Disc { center: from, .. }, Region::Disc { center: to, .. }] => Some([from, to]),
        // Scenes cannot define mouths of other shapes.
        _ => None,
    };
    structures.filter_map(line).collect()
}

/// Draws a picture of the ground and the maximum water depth over the run.
pub(super) fn paint_flood(world: &FlowWorld, scene: &FlowScene) -> Result<Picture, InputError> {
    let deepest = world.flow.view(flow::View::MaxDepth);
    // The picture shows the whole run, so it has no time label.
    let style = Style { time_label: false, ..scene.picture.clone() };
    with_view(world, scene, |view| {
        let still = View { depth: &deepest, velocity: None, particles: &[], bodies: &[], ..*view };
        Ok(Painter::new(style, &still)?.paint(&still))
    })
}
