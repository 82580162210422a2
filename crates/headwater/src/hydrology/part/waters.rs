//! Lakes whose floors lie in several parts. What is known of nodes and leaves is the same in all of them.

use super::levels::Curves;
use super::log::Step;
use super::strip::Strip;
use super::talk::Talk;
use super::{basins, joints};
use crate::hydrology::held::Holding;
use crate::hydrology::lakes::DRY;
use crate::hydrology::stream_power::catchment::Catchments;
use crate::hydrology::stream_power::stage::{depth_of_rain, volume};
use crate::hydrology::water::Gone;
use crate::hydrology::world::Hydrology;

/// Pours what is held on the part's cells (which have their numbers on the map) into the depressions of the land as it is now. The bed has to be
/// known beside the part's own rows.
pub(super) fn refill(
    world: &mut Hydrology,
    strip: &Strip,
    held: &[Holding],
    curves: &mut Curves,
    talk: &mut Talk,
) -> Gone {
    let Hydrology { land, waters, spare, .. } = world;
    let terrain = land.terrain();
    let hierarchy = &mut waters.hierarchy;
    let pits = basins::find(strip, terrain.bed, &mut hierarchy.label, talk);
    let joints = joints::gather(strip, terrain, &hierarchy.label, pits.len(), talk, spare);
    hierarchy.follow_joints((strip.grid(), terrain.sea), &pits, joints.into_iter(), spare);
    hierarchy.list_floors(terrain.bed, strip.own_cells(), spare);
    let own = hierarchy.nodes.iter().map(|node| [i64::from(node.cells), node.sum]);
    let counts = talk.sums(hierarchy.nodes.len(), own.enumerate());
    for (node, [cells, sum]) in hierarchy.nodes.iter_mut().zip(counts) {
        (node.cells, node.sum) = (cells as u32, sum);
    }
    hierarchy.sum_up();

    let mut poured = vec![[0; 2]; hierarchy.leaves];
    for holding in held {
        let Some(cell) = strip.own_cell(holding.cell) else { continue };
        let leaf = &mut poured[hierarchy.label[cell] as usize];
        leaf[0] += holding.water;
        leaf[1] += holding.sediment;
    }
    let poured = talk.sums(poured.len(), poured.iter().copied().enumerate());
    let poured: Vec<_> = poured.into_iter().map(|[water, sediment]| (water, sediment)).collect();
    let gone = waters.fill(&poured, spare);
    curves.clear();
    let mut nodes = spare.vec();
    waters.nodes_of_leaves(&mut nodes);
    let levels = curves.levels(waters, (terrain.bed, terrain.sea), &nodes, talk);
    waters.set_levels(&nodes, &levels);
    gone
}

/// 1. Rain, and rivers from outside.
pub(super) fn rain(
    world: &mut Hydrology,
    (strip, most): (&Strip, f64),
    rain: f64,
    curves: &mut Curves,
    talk: &mut Talk,
) -> Step {
    let Hydrology { land, waters, spare, .. } = world;
    let (map, size) = (strip.map(), land.lattice.dx());
    let weight = land.rain.weight(map, land.lattice.cell_area());
    let depth = depth_of_rain(land, rain, weight);
    let rows = strip.rows.clone();
    let catchments = Catchments::of_rows(&land.rain, (map, size), most, rows, spare);
    let (label, own) = (&waters.hierarchy.label, strip.own_cells());
    // By leaf, the area that it rains on, and the volume that rivers bring.
    let mut areas = vec![[0; 2]; waters.hierarchy.leaves];
    for cell in own.clone() {
        areas[label[cell] as usize][0] += catchments.of_rain(cell) as i64;
    }
    let mut step = Step::default();
    for &(cell, area) in
        catchments.rivers().iter().filter(|river| own.contains(&(river.0 as usize)))
    {
        let volume = volume(area, depth);
        areas[label[cell as usize] as usize][1] += volume;
        step.rivers += i128::from(volume);
    }
    let areas = talk.sums(areas.len(), areas.iter().copied().enumerate());
    let mut volumes = spare.vec();
    for [area, rivers] in areas {
        let fallen = volume(area as u64, depth);
        if talk.is_first() {
            step.rain += i128::from(fallen);
        }
        volumes.push(fallen + rivers);
    }
    land.drops += (rain * weight).round() as u64;
    let mut touched = spare.vec();
    let gone = waters.rain_on(&volumes, &mut touched, spare);
    if talk.is_first() {
        step.spilled = gone;
    }
    waters.list_wholes(&mut touched);
    let terrain = land.terrain();
    let levels = curves.levels(waters, (terrain.bed, terrain.sea), &touched, talk);
    let mut stack = spare.vec();
    for (&node, level) in touched.iter().zip(levels) {
        waters.set_level(node, level, &mut stack);
    }
    step
}

/// 3. Open water loses a depth (quanta). Gives what is held on the part's own cells, which have their numbers on the map, and what has dried of it.
pub(super) fn hold(
    world: &Hydrology,
    strip: &Strip,
    dry: i64,
    talk: &mut Talk,
) -> (Vec<Holding>, i64) {
    let Hydrology { land, waters, .. } = world;
    let nodes = &waters.hierarchy.nodes;
    let wet = |node: &u32| waters.lakes.water(*node) != 0 && !nodes[*node as usize].sea;
    let wholes: Vec<u32> = waters.lakes.wholes().filter(wet).collect();
    let (mut held, mut dried) = (Vec::new(), 0);
    let mut sums = vec![[0]; wholes.len()];
    for (&node, [sum]) in wholes.iter().zip(&mut sums) {
        let depression = &nodes[node as usize];
        let level = waters.leaves[depression.first as usize].height;
        if level == DRY {
            continue;
        }
        for &cell in waters.hierarchy.floor(depression) {
            let depth = level - land.bed[cell as usize];
            if depth > 0 {
                *sum += depth;
                let lost = depth.min(dry);
                dried += lost;
                if lost < depth {
                    let cell = strip.on_map(cell as usize);
                    held.push(Holding { cell, water: depth - lost, sediment: 0 });
                }
            }
        }
    }
    let sums = talk.sums(sums.len(), sums.iter().copied().enumerate());
    for (&node, [sum]) in wholes.iter().zip(sums) {
        // What is too much, and what is not enough for a quantum on every cell.
        let (cell, water) = (nodes[node as usize].pit, waters.lakes.water(node) - sum);
        if strip.own_cell(cell).is_some() {
            held.push(Holding { cell, water, sediment: 0 });
        }
    }
    (held, dried)
}
