//! Low-polygon meshes of objects on the land. The meshes have unit width and height; instances
//! scale them.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use headwater_scene::picture::{hull_half_width, paint};
use std::f32::consts::TAU;
use std::ops::Range;

/// Vertex of a mesh. The alpha channel of its colour is a blend weight: 0 for the vertex colour, 1
/// for the colour of the instance.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(in crate::land) struct Vertex {
    point: [f32; 3],
    normal: [f32; 3],
    color: [u8; 4],
}

/// Returns the vertex attributes of meshes, then those of instances.
pub(in crate::land) fn attributes() -> ([wgpu::VertexAttribute; 3], [wgpu::VertexAttribute; 3]) {
    (
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4],
        wgpu::vertex_attr_array![3 => Float32x4, 4 => Float32x4, 5 => Float32x4],
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::land) enum Mesh {
    Willow,
    Beech,
    Pine,
    Block,
    House,
    Prism,
    Boat,
    Log,
    Crate,
    Buoy,
}

/// Functions that build the meshes, in the order of [`Mesh`].
const BUILDERS: [fn(&mut MeshBuilder<'_>); 10] = [
    |build| build.add_broadleaf_tree(0.52, 0.30),
    |build| build.add_broadleaf_tree(0.50, 0.22),
    |build| build.add_pine_tree(),
    |build| build.add_block([-0.5, 0.5], [0.0, 1.0]),
    |build| build.add_house(),
    |build| build.add_prism(6, TAU / 12.0, 0.577_35, [0.0, 1.0]),
    |build| build.add_boat(),
    |build| build.add_log(),
    |build| build.add_block([-0.5, 0.5], [-1.0, 1.0]),
    |build| build.add_buoy(),
];

/// Returns the vertices of all meshes, and the vertex range of each mesh.
pub(in crate::land) fn build_all_meshes() -> (Vec<Vertex>, Vec<Range<u32>>) {
    let mut vertices = Vec::new();
    let ranges = BUILDERS.map(|built| {
        let from = vertices.len() as u32;
        built(&mut MeshBuilder { vertices: &mut vertices, color: INSTANCE_COLOR });
        from..vertices.len() as u32
    });
    (vertices, ranges.to_vec())
}

/// Vertex colour that is replaced by the colour of the instance.
const INSTANCE_COLOR: [u8; 4] = [0, 0, 0, 255];
const BARK: [u8; 4] = [0x5E, 0x48, 0x35, 0];
const PLASTER: [u8; 4] = [0xE9, 0xDF, 0xCB, 0];
const SAIL: [u8; 4] = fixed_vertex_color(paint::RAIL);
const DECK: [u8; 4] = fixed_vertex_color(paint::DECK);
const CUT: [u8; 4] = fixed_vertex_color(paint::CUT);
const BAND: [u8; 4] = fixed_vertex_color(paint::BAND);

/// Returns the vertex colour for an sRGB code (`0xRRGGBB`). The tint of an
/// instance does not change this colour.
const fn fixed_vertex_color(code: u32) -> [u8; 4] {
    let [_, r, g, b] = code.to_be_bytes();
    [r, g, b, 0]
}

type Point = [f32; 3];

/// Returns point `i` of `count` equally spaced points on the unit circle, starting at the angle
/// `start_angle`.
fn circle_point(i: usize, count: usize, start_angle: f32) -> [f32; 2] {
    let angle = start_angle + i as f32 / count as f32 * TAU;
    [angle.cos(), angle.sin()]
}

struct MeshBuilder<'a> {
    vertices: &'a mut Vec<Vertex>,
    color: [u8; 4],
}

impl MeshBuilder<'_> {
    /// Adds a triangle with a flat normal that points away from `inside`.
    fn add_triangle(&mut self, [a, b, c]: [Point; 3], inside: Point) {
        let [from, b_at, c_at] = [a, b, c].map(Vec3::from);
        let normal = (b_at - from).cross(c_at - from);
        let inward = normal.dot(from - Vec3::from(inside)) < 0.0;
        let normal = if inward { -normal } else { normal };
        self.add_smooth_triangle([a, b, c], [normal.to_array(); 3]);
    }

    fn add_quad(&mut self, [a, b, c, d]: [Point; 4], inside: Point) {
        self.add_triangle([a, b, c], inside);
        self.add_triangle([a, c, d], inside);
    }

    /// Adds a quadrilateral like [`add_quad`](Self::add_quad), with the vertex normals that the
    /// closure `normal` returns.
    fn add_smooth_quad(&mut self, [a, b, c, d]: [Point; 4], normal: impl Fn(Point) -> Point) {
        self.add_smooth_triangle([a, b, c], [a, b, c].map(&normal));
        self.add_smooth_triangle([a, c, d], [a, c, d].map(&normal));
    }

    /// Adds a triangle with the given vertex normals.
    fn add_smooth_triangle(&mut self, points: [Point; 3], normals: [Point; 3]) {
        for (point, normal) in points.into_iter().zip(normals) {
            self.vertices.push(Vertex { point, normal, color: self.color });
        }
    }

    fn add_block(&mut self, [w, e]: [f32; 2], [low, top]: [f32; 2]) {
        let middle = [0.0, 0.0, 0.5 * (low + top)];
        let ring = [[w, w], [e, w], [e, e], [w, e]];
        let at = |i: usize, z: f32| [ring[i % 4][0], ring[i % 4][1], z];
        for i in 0..4 {
            self.add_quad([at(i, low), at(i + 1, low), at(i + 1, top), at(i, top)], middle);
        }
        self.add_quad([at(0, top), at(1, top), at(2, top), at(3, top)], middle);
    }

    fn add_prism(&mut self, sides: usize, start_angle: f32, radius: f32, [low, top]: [f32; 2]) {
        let at = |i: usize, z: f32| {
            let [x, y] = circle_point(i, sides, start_angle);
            [radius * x, radius * y, z]
        };
        for i in 0..sides {
            let middle = [0.0, 0.0, 0.5 * (low + top)];
            self.add_quad([at(i, low), at(i + 1, low), at(i + 1, top), at(i, top)], middle);
            self.add_triangle([at(i, top), at(i + 1, top), [0.0, 0.0, top]], [0.0, 0.0, low]);
        }
    }

    fn add_trunk(&mut self, radius: f32, top: f32) {
        let before = self.color;
        self.color = BARK;
        self.add_prism(5, 0.0, radius, [-0.06, top]);
        self.color = before;
    }

    /// Adds a broadleaf tree: a trunk and an irregular round crown.
    fn add_broadleaf_tree(&mut self, radius: f32, foot: f32) {
        self.add_trunk(0.06, foot + 0.12);
        const AROUND: usize = 7;
        let rings = [0.0_f32, 0.34, 0.70, 1.0];
        let point = |ring: usize, i: usize| -> Point {
            let up = rings[ring];
            let wide = radius * (1.0 - (2.0 * up - 0.92).powi(2)).max(0.0).sqrt();
            let i = i % AROUND;
            let bump = 1.0 + 0.16 * ((i * 5 + ring * 3) as f32 * 2.1).sin();
            let angle = (i as f32 + 0.5 * (ring % 2) as f32) / AROUND as f32 * TAU;
            [wide * bump * angle.cos(), wide * bump * angle.sin(), foot + up * (1.0 - foot)]
        };
        let middle = 0.5 * (1.0 + foot);
        let normal = |p: Point| {
            [p[0] / radius, p[1] / radius, (p[2] - middle) / (0.5 * (1.0 - foot)) * 0.9 + 0.15]
        };
        for ring in 0..3 {
            for i in 0..AROUND {
                let (low, high) = (|i| point(ring, i), |i| point(ring + 1, i));
                self.add_smooth_quad([low(i), low(i + 1), high(i + 1), high(i)], normal);
            }
        }
    }

    fn add_pine_tree(&mut self) {
        self.add_trunk(0.05, 0.2);
        const AROUND: usize = 6;
        for (foot, top, radius) in [(0.10, 0.58, 0.46), (0.36, 0.80, 0.35), (0.60, 1.0, 0.22)] {
            let at = |i: usize| {
                let angle = (i % AROUND) as f32 / AROUND as f32 * TAU + foot * 9.0;
                [radius * angle.cos(), radius * angle.sin(), foot]
            };
            let out = |p: Point| [p[0] / radius, p[1] / radius, 0.55];
            for i in 0..AROUND {
                let (a, b) = (at(i), at(i + 1));
                let tip = [0.0, 0.0, top];
                let side = out([a[0] + b[0], a[1] + b[1], 0.0].map(|v| 0.5 * v));
                self.add_smooth_triangle([a, b, tip], [out(a), out(b), side]);
            }
        }
    }

    fn add_house(&mut self) {
        let (eaves, ridge, over) = (0.55, 0.30, 0.54);
        self.color = PLASTER;
        self.add_block([-0.47, 0.47], [-0.4, eaves]);
        self.color = INSTANCE_COLOR;
        let ring = [[-over, -over], [over, -over], [over, over], [-over, over]];
        let at = |i: usize| [ring[i][0], ring[i][1], eaves - 0.03];
        let (west, east) = ([-0.5 + ridge, 0.0, 1.0], [0.5 - ridge, 0.0, 1.0]);
        let inside = [0.0, 0.0, 0.3];
        self.add_quad([at(0), at(1), east, west], inside);
        self.add_quad([at(3), at(2), east, west], inside);
        self.add_triangle([at(0), at(3), west], inside);
        self.add_triangle([at(1), at(2), east], inside);
    }

    fn add_boat(&mut self) {
        // Go along the starboard side from bow to stern, and back along the port side.
        let along = [0.5, 0.32, 0.0, -0.46];
        let aside = |x: f32| 0.5 * hull_half_width(2.0 * f64::from(x)) as f32;
        let side = |x: f32, sign: f32| [x, sign * aside(x)];
        let starboard = along.into_iter().map(|x| side(x, 1.0));
        let port = along.into_iter().skip(1).rev().map(|x| side(x, -1.0));
        let ring: Vec<[f32; 2]> = starboard.chain(port).collect();
        let count = ring.len();
        let rim = |i: usize| [ring[i % count][0], ring[i % count][1], 0.55];
        let keel = |i: usize| [0.8 * ring[i % count][0], 0.5 * ring[i % count][1], -0.5];
        for i in 0..count {
            self.add_quad([rim(i), rim(i + 1), keel(i + 1), keel(i)], [0.0, 0.0, 0.0]);
        }
        self.color = DECK;
        let deck = |i: usize| [0.92 * ring[i % count][0], 0.88 * ring[i % count][1], 0.48];
        for i in 0..count {
            self.add_triangle([deck(i), deck(i + 1), [0.0, 0.0, 0.48]], [0.0, 0.0, -1.0]);
        }
        // Mast and sails are lit from both sides because they are translucent.
        self.color = SAIL;
        let sail = [[0.12, 0.0, 0.7], [0.06, 0.0, 3.0], [-0.40, 0.16, 0.8]];
        self.add_smooth_triangle(sail, [[0.0, 0.0, 1.0]; 3]);
        let jib = [[0.16, 0.0, 0.7], [0.08, 0.0, 2.6], [0.42, 0.08, 0.7]];
        self.add_smooth_triangle(jib, [[0.0, 0.0, 1.0]; 3]);
        self.color = BARK;
        self.add_block([0.05, 0.08], [0.4, 0.7]);
    }

    fn add_log(&mut self) {
        const AROUND: usize = 9;
        let at = |i: usize, x: f32| {
            let [y, z] = circle_point(i % AROUND, AROUND, 0.0);
            [x, 0.5 * y, z]
        };
        for i in 0..AROUND {
            let vertices = [at(i, -0.5), at(i + 1, -0.5), at(i + 1, 0.5), at(i, 0.5)];
            self.add_smooth_quad(vertices, |[_, y, z]| [0.0, 2.0 * y, z]);
        }
        self.color = CUT;
        for x in [-0.5, 0.5] {
            for i in 0..AROUND {
                self.add_triangle([at(i, x), at(i + 1, x), [x, 0.0, 0.0]], [0.0; 3]);
            }
        }
    }

    fn add_buoy(&mut self) {
        self.add_prism(10, 0.0, 0.5, [-0.6, 0.3]);
        const AROUND: usize = 8;
        let at = |i: usize| circle_point(i % AROUND, AROUND, 0.0).map(|v| 0.34 * v);
        let at = |i: usize| [at(i)[0], at(i)[1], 0.3];
        self.color = BAND;
        for i in 0..AROUND {
            self.add_triangle([at(i), at(i + 1), [0.0, 0.0, 1.4]], [0.0, 0.0, 0.4]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mesh_has_faces_and_valid_normals() {
        let (vertices, ranges) = build_all_meshes();
        assert_eq!(ranges.len(), Mesh::Buoy as usize + 1);
        for (mesh, range) in ranges.iter().enumerate() {
            assert!(range.len() >= 24 && range.len() % 3 == 0, "{mesh}: {range:?}");
        }
        for corner in &vertices {
            let length: f32 = corner.normal.iter().map(|v| v * v).sum();
            assert!(length > 1e-8 && length.is_finite(), "{corner:?}");
        }
    }
}
