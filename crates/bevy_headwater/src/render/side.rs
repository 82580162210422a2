//! Mesh of a side view, which is an upright rectangle.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, Mesh, PrimitiveTopology};

/// Creates an upright rectangle of the given size (m). It extends from the origin to the right and
/// downward. Its `uv` coordinates are in cells: (0, 0) is the top-left corner and (`nx`, `ny`) the
/// bottom-right corner.
pub(crate) fn create_rectangle_mesh([width, height]: [f64; 2], [nx, ny]: [usize; 2]) -> Mesh {
    let (w, h) = (width as f32, -height as f32);
    let (columns, rows) = (nx as f32, ny as f32);
    let positions = vec![[0.0, 0.0, 0.0], [w, 0.0, 0.0], [w, h, 0.0], [0.0, h, 0.0]];
    let cells = vec![[0.0, 0.0], [columns, 0.0], [columns, rows], [0.0, rows]];
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0_f32, 0.0, 1.0]; 4])
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, cells)
        .with_inserted_indices(Indices::U32(vec![0, 3, 2, 0, 2, 1]))
}
