//! The cases of what a renderer has done in a frame: meshes, views, hashes. Each is held against a copy of the bytes that it
//! makes or reads.

use super::flow::{squares, world};
use super::timing::{Case, Speed, on, race, times};
use anyhow::Result;
use headwater::changes::Tile;
use headwater::flow::{Flow, Physics, View};
use headwater::hydrology::{self, Hydrology};
use headwater::mesh::Sheet;
use headwater::{Field, Model, Square};
use std::hint::black_box;

/// On one thread.
pub(super) const CASES: [Case; 5] = [
    ("flow/water-mesh-512", mesh),
    ("flow/water-sheet-512", sheet),
    ("flow/view-surface-512", surface),
    ("flow/state-hash-1024", hash),
    ("hydrology/state-hash-1024", hash_of_land),
];

/// Calls of one timed stretch.
const CALLS: usize = 4;

/// Work that is done several times, against a copy of so many bytes as often.
fn against_copy(bytes: usize, mut work: impl FnMut() + Send) -> Result<Speed> {
    let (from, mut to) = (vec![1_u8; bytes], vec![0_u8; bytes]);
    let copy = || {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
    };
    let ours = on(1, || times(CALLS, &mut work))?;
    let (mut ours, mut copy) = (ours, copy);
    Ok(race("copy", &mut ours, || times(CALLS, &mut copy))?.ms("ms", CALLS))
}

fn hills(n: usize) -> Result<Flow> {
    let mut flow = world(squares(n)?, Physics::Pipes)?;
    flow.advance(1.0)?;
    Ok(flow)
}

/// In the room of the last one.
fn mesh() -> Result<Speed> {
    let flow = hills(512)?;
    let mut mesh = flow.water_mesh();
    let bytes = 32 * mesh.positions.len() + 12 * mesh.triangles.len();
    against_copy(bytes, move || {
        flow.water_mesh_into(&mut mesh);
        black_box(&mesh);
    })
}

/// All of a sheet that is kept: where nothing rests, a frame's work.
fn sheet() -> Result<Speed> {
    let flow = hills(512)?;
    let mut sheet = Sheet::new(*flow.lattice());
    flow.update_water(&mut sheet, &[Tile::all([512, 512])])?;
    against_copy(28 * 512 * 512, move || {
        let done = flow.update_water(&mut sheet, &[Tile::all([512, 512])]);
        black_box((&sheet, done.is_ok()));
    })
}

fn surface() -> Result<Speed> {
    let (flow, mut kept) = (hills(512)?, Field::new(512, 512, 0.0));
    against_copy(4 * 512 * 512, move || {
        let done = flow.view_into(View::Surface, &[Tile::all([512, 512])], &mut kept);
        black_box((&kept, done.is_ok()));
    })
}

fn hash() -> Result<Speed> {
    let flow = hills(1024)?;
    against_copy(17 * 1024 * 1024, move || {
        black_box(Model::state_hash(&flow));
    })
}

fn hash_of_land() -> Result<Speed> {
    let bed = Field::from_fn(1024, 1024, |x, y| ((x * 7 + y * 13) % 101) as f32);
    let lattice = Square::new(1024, 1024, 10.0, 10.0)?;
    let mut land = Hydrology::new(lattice, hydrology::Params::default(), &bed)?;
    land.rain(20_000);
    against_copy(36 * 1024 * 1024, move || {
        black_box(Model::state_hash(&land));
    })
}
