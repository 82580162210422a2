//! Objects on the land: obstacles (drawn as houses and blocks), trees and floating bodies. They are
//! drawn as instances of a few meshes.

pub(super) mod meshes;
pub(super) mod rivers;

use super::cells::Cells;
use super::gpu::{Gpu, Instances};
use super::pipelines::Pipelines;
use super::style::Quality;
use bytemuck::{Pod, Zeroable};
use headwater_scene::flow::BodyKind;
use headwater_scene::picture::{
    BodySprite, Building, Crown, Tree, TreeKind, find_buildings, hash_to_unit_interval, paint,
};
use meshes::Mesh;
use std::f32::consts::{FRAC_PI_2, TAU};
use std::ops::Range;

/// Object in the instance layout that `objects.wgsl` declares.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct ObjectInstance {
    /// East and south coordinates (m), heading (rad), and vertical offset. The offset is an
    /// exaggerated height above the ground or water surface; for objects that rest on neither, it
    /// is a height in metres above the world's datum.
    placement: [f32; 4],
    /// Length, width and height (m), and a code for the surface on which the object rests:
    /// [`ON_GROUND`], [`ON_WATER`] or [`ON_NOTHING`]. The sizes are as drawn, except the height of
    /// an object with [`ON_NOTHING`]: the shader multiplies this height by the vertical
    /// exaggeration.
    size: [f32; 4],
    /// Colour (red, green, blue), and an extra height as drawn (m). The extra height is used only
    /// for an object with [`ON_NOTHING`], and is added to the exaggerated height of the object.
    color_and_extra_height: [f32; 4],
}

const ON_GROUND: f32 = 0.0;
const ON_WATER: f32 = 1.0;
const ON_NOTHING: f32 = 2.0;

/// Ratio of the height of a tree to the height of its crown.
const TREE_TO_CROWN_HEIGHT: f32 = 1.2;

/// Instances of one kind of object, sorted by mesh.
#[derive(Debug, Default)]
struct InstanceGroup {
    instances: Instances,
    runs: Vec<(usize, Range<u32>)>,
}

#[derive(Debug)]
pub(super) struct Objects {
    corners: wgpu::Buffer,
    ranges: Vec<Range<u32>>,
    walls: InstanceGroup,
    trees: InstanceGroup,
    floats: InstanceGroup,
    /// Instances that draw tree shadows: east and south coordinates of the trunk, width and height
    /// of the tree (all in m).
    tree_shadows: Instances,
}

fn shaded_color(code: u32, brightness: f32, fourth_component: f32) -> [f32; 4] {
    let part = |shift: u32| (((code >> shift) & 255) as f32 / 255.0 * brightness).min(1.0);
    [part(16), part(8), part(0), fourth_component]
}

impl InstanceGroup {
    fn set(&mut self, gpu: &Gpu, mut objects: Vec<(Mesh, ObjectInstance)>) {
        objects.sort_by_key(|&(mesh, _)| mesh as usize);
        self.runs.clear();
        for (i, (mesh, _)) in objects.iter().enumerate() {
            let (mesh, i) = (*mesh as usize, i as u32);
            match self.runs.last_mut() {
                Some((last, run)) if *last == mesh => run.end = i + 1,
                _ => self.runs.push((mesh, i..i + 1)),
            }
        }
        let instances: Vec<ObjectInstance> =
            objects.into_iter().map(|(_, object)| object).collect();
        self.instances.set(gpu, &instances);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, ranges: &[Range<u32>]) {
        let Some((buffer, _)) = self.instances.get() else { return };
        for (mesh, run) in &self.runs {
            // Bind the buffer at an offset for each mesh, because WebGL2 does not support a
            // first-instance index.
            let from = u64::from(run.start) * size_of::<ObjectInstance>() as u64;
            pass.set_vertex_buffer(1, buffer.slice(from..));
            pass.draw(ranges[*mesh].clone(), 0..run.len() as u32);
        }
    }
}

impl Objects {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let (corners, ranges) = meshes::build_all_meshes();
        Self {
            corners: gpu.create_constant_buffer(&corners, wgpu::BufferUsages::VERTEX),
            ranges,
            walls: InstanceGroup::default(),
            trees: InstanceGroup::default(),
            floats: InstanceGroup::default(),
            tree_shadows: Instances::default(),
        }
    }

    /// Returns the tree shadows as instances for drawing the map of marks on the ground.
    pub(super) fn tree_shadows(&self) -> &Instances {
        &self.tree_shadows
    }

    pub(super) fn set_walls(&mut self, gpu: &Gpu, cells: &Cells<'_>) {
        self.walls.set(gpu, wall_instances(cells));
    }

    pub(super) fn set_trees(&mut self, gpu: &Gpu, trees: &[Tree], cell: f32, quality: Quality) {
        let max_trees = match quality {
            Quality::Low => 4000,
            Quality::High => 30_000,
        };
        // Select every n-th of the larger trees; if fewer are drawn, they are broader.
        let large: Vec<&Tree> = trees.iter().filter(|tree| tree.is_drawn()).collect();
        let every = large.len().div_ceil(max_trees).max(1);
        let broad = cell * 1.25 * (every as f32).sqrt().min(2.0);
        let mut objects = Vec::new();
        let mut shades = Vec::new();
        for tree in large.into_iter().step_by(every) {
            let TreeKind { crown, color, crown_scale } = *tree.kind();
            let mesh = match crown {
                Crown::Broad => Mesh::Willow,
                Crown::Round => Mesh::Beech,
                Crown::Cone => Mesh::Pine,
            };
            let width = broad * tree.crown_width();
            let [x, y] = tree.position;
            let (wide, high) =
                (width * crown_scale[0], TREE_TO_CROWN_HEIGHT * width * crown_scale[1]);
            let placement = [x, y, tree.variation() * TAU, 0.0];
            let (size, color_and_extra_height) =
                ([wide, wide, high, ON_GROUND], shaded_color(color, tree.tone(), 0.0));
            objects.push((mesh, ObjectInstance { placement, size, color_and_extra_height }));
            shades.push([x, y, wide, high]);
        }
        self.tree_shadows.set(gpu, &shades);
        self.trees.set(gpu, objects);
    }

    pub(super) fn set_body_sprites(&mut self, gpu: &Gpu, floats: &[BodySprite]) {
        let objects = floats.iter().filter(|float| float.is_finite()).map(|float| {
            let (mesh, color) = match float.kind {
                BodyKind::Boat => (Mesh::Boat, paint::CABIN),
                BodyKind::Log => (Mesh::Log, paint::BARK),
                BodyKind::Crate => (Mesh::Crate, paint::CRATE),
                BodyKind::Buoy => (Mesh::Buoy, paint::BUOY),
            };
            let [long, wide] = float.size.map(|size| size as f32);
            let high = (float.height as f32).max(0.25 * wide);
            let [x, y] = float.position.map(|at| at as f32);
            let placement = [x, y, float.heading as f32, 0.0];
            let (size, color_and_extra_height) =
                ([long, wide, high, ON_WATER], shaded_color(color, 1.0, 0.0));
            (mesh, ObjectInstance { placement, size, color_and_extra_height })
        });
        self.floats.set(gpu, objects.collect());
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines, trees: bool) {
        pass.set_pipeline(&pipelines.object);
        pass.set_vertex_buffer(0, self.corners.slice(..));
        self.walls.draw(pass, &self.ranges);
        if trees {
            self.trees.draw(pass, &self.ranges);
        }
        self.floats.draw(pass, &self.ranges);
    }
}

/// Returns the instances that represent obstacles: a house for each small rectangle of closed
/// cells, and a block for each other closed cell.
fn wall_instances(cells: &Cells<'_>) -> Vec<(Mesh, ObjectInstance)> {
    let Some(closed) = cells.closed else { return Vec::new() };
    let stands = |i: usize| closed[i] && !cells.lacks_data(i);
    let mut objects = Vec::new();
    for building in find_buildings([cells.nx, cells.ny], 1, stands) {
        add_building_instances(cells, &building, &mut objects);
    }
    objects
}

fn add_building_instances(
    cells: &Cells<'_>,
    building: &Building,
    objects: &mut Vec<(Mesh, ObjectInstance)>,
) {
    let nx = cells.nx;
    let [dx, dy] = cells.cell;
    let Building { cells: part, color, is_house: small } = building;
    let (color, small) = (*color, *small);
    let heights = part.iter().map(|&i| cells.bed[i]);
    let low = heights.clone().fold(f32::INFINITY, f32::min);
    let top = heights.fold(f32::NEG_INFINITY, f32::max);
    let (mut x0, mut x1, mut y0, mut y1) = (usize::MAX, 0, usize::MAX, 0);
    for &i in part {
        (x0, x1) = (x0.min(i % nx), x1.max(i % nx + 1));
        (y0, y1) = (y0.min(i / nx), y1.max(i / nx + 1));
    }
    let (wide, high) = ((x1 - x0) as f32 * dx, (y1 - y0) as f32 * dy);
    if small && !cells.hex && (x1 - x0) * (y1 - y0) == part.len() && part.len() > 1 {
        let middle = [0.5 * (x0 + x1) as f32 * dx, 0.5 * (y0 + y1) as f32 * dy];
        // The ridge of the roof follows the longer side.
        let (long, across, turn) =
            if wide >= high { (wide, high, 0.0) } else { (high, wide, FRAC_PI_2) };
        let placement = [middle[0], middle[1], turn, low];
        let (size, color_and_extra_height) =
            ([long, across, top - low, ON_NOTHING], shaded_color(color, 1.0, 0.85 * across));
        objects.push((Mesh::House, ObjectInstance { placement, size, color_and_extra_height }));
        return;
    }
    for &i in part {
        let (x, y) = (i % nx, i / nx);
        let shift = if cells.hex && y % 2 == 1 { 0.5 } else { 0.0 };
        let middle = [(x as f32 + 0.5 + shift) * dx, (y as f32 + 0.5) * dy];
        // Houses have level roofs, whereas walls follow the ground.
        let (ground, more) = if small { (top, 1.1 * dx) } else { (cells.bed[i], 1.4 * dx) };
        let (mesh, high) = if cells.hex { (Mesh::Prism, dx) } else { (Mesh::Block, dy) };
        let bright = 0.97 + 0.06 * hash_to_unit_interval(i as u32);
        let foot = low.min(cells.bed[i]) - 0.3 * dx;
        let placement = [middle[0], middle[1], 0.0, foot];
        let (size, color_and_extra_height) =
            ([dx, high, ground - foot, ON_NOTHING], shaded_color(color, bright, more));
        objects.push((mesh, ObjectInstance { placement, size, color_and_extra_height }));
    }
}
