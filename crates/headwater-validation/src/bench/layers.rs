//! Benchmarks of reading layers at 1024² cells on two threads. A layer is a quantity of a world,
//! such as the depth, as an array of cells; renderers read layers once per frame. The reference is
//! a plain copy of as many bytes on one thread.

use super::timing::{Case, Speed, compare, in_thread_pool};
use super::{blocks, columns, flow, hydrology, waves};
use crate::noise::noise;
use anyhow::{Context as _, Result};
use headwater::changes::Tile;
use headwater::flow::{Flow, Params, Physics};
use headwater::{Field, Model};
use std::hint::black_box;

/// Expands to a `Vec<Case>`. Each case times an update of all cells of one layer of a world.
macro_rules! layer_cases {
    ($world:expr; $($name:literal: $layer:literal),* $(,)?) => {{
        let cases: Vec<Case> = vec![$(
            (concat!($name, "-into"), || time_layer(&$world?, $layer, UpdatedTiles::All)),
        )*];
        cases
    }};
}

/// Expands to a `Vec<Case>` with two cases for each layer: one that copies all cells of the layer
/// to a new field, and one that updates every second tile of the layer.
macro_rules! other_layer_cases {
    ($world:expr; $($name:literal: $layer:literal),* $(,)?) => {{
        let cases: Vec<Case> = vec![$(
            (concat!($name, "-new"), || time_new_layer(&$world?, $layer)),
            (concat!($name, "-tiles"), || {
                time_layer(&$world?, $layer, UpdatedTiles::EverySecondTile)
            }),
        )*];
        cases
    }};
}

/// Returns the benchmark cases that read layers, for all models.
pub(super) fn cases() -> Vec<Case> {
    let pipes = layer_cases! {
        create_wet_world(flow::square_lattice(N)?, Physics::Pipes);
        "layers/flow-depth": "depth",
        "layers/flow-surface": "surface",
        "layers/flow-velocity": "velocity_x",
        "layers/flow-speed": "speed",
        "layers/flow-foam": "foam",
    };
    let pipes_otherwise = other_layer_cases! {
        create_wet_world(flow::square_lattice(N)?, Physics::Pipes);
        "layers/flow-surface": "surface",
        "layers/flow-velocity": "velocity_x",
        "layers/flow-speed": "speed",
        "layers/flow-foam": "foam",
    };
    let shallow_water = layer_cases! {
        create_wet_world(flow::square_lattice(N)?, Physics::ShallowWater);
        "layers/shallow-water-surface": "surface",
        "layers/shallow-water-speed": "speed",
        "layers/shallow-water-foam": "foam",
    };
    let hexagons = layer_cases! {
        create_wet_world(flow::hexagonal_lattice(N)?, Physics::Pipes);
        "layers/hex-speed": "speed",
        "layers/hex-foam": "foam",
    };
    let waves = layer_cases! {
        waves::create_world(N, false);
        "layers/waves-height": "height",
        "layers/waves-velocity": "velocity",
        "layers/waves-normal": "normal_x",
        "layers/waves-slope": "slope",
        "layers/waves-energy": "energy",
        "layers/waves-caustics": "caustics",
        "layers/waves-land": "land",
    };
    let blocks = layer_cases! {
        blocks::create_running_water(N);
        "layers/blocks-cells": "cells",
        "layers/blocks-fill": "fill",
        "layers/blocks-liquid": "liquid",
        "layers/blocks-body": "body",
        "layers/blocks-pressure": "pressure",
        "layers/blocks-tag": "tag",
        "layers/blocks-active": "active",
    };
    let columns = layer_cases! {
        columns::create_half_full_pools(N);
        "layers/columns-walls": "walls",
        "layers/columns-fill": "fill",
        "layers/columns-pool": "pool",
        "layers/columns-head": "head",
        "layers/columns-velocity": "velocity",
        "layers/columns-temperature": "temperature",
        "layers/columns-ice": "ice",
        "layers/columns-light": "light",
    };
    let hydrology = layer_cases! {
        hydrology::create_world(N, 1);
        "layers/hydrology-soil": "soil",
        "layers/hydrology-depth": "depth",
        "layers/hydrology-surface": "surface",
        "layers/hydrology-stream": "stream",
        "layers/hydrology-momentum": "momentum_x",
        "layers/hydrology-size": "size",
    };
    let samples: Vec<Case> = vec![
        ("layers/flow-samples-depth", || time_samples("depth")),
        ("layers/flow-samples-surface", || time_samples("surface")),
        ("layers/flow-samples-velocity", || time_samples("velocity_x")),
    ];
    [pipes, pipes_otherwise, shallow_water, hexagons, waves, blocks, columns, hydrology, samples]
        .concat()
}

const N: usize = 1024;
const THREADS: usize = 2;
const POINTS: usize = 100_000;
/// Side length of a tile (cells).
const TILE: usize = 64;

/// Selection of the tiles of a layer that one timed call updates.
#[derive(Clone, Copy)]
enum UpdatedTiles {
    All,
    /// The tiles of one colour of a chessboard, so that no two of them are neighbours.
    EverySecondTile,
}

impl UpdatedTiles {
    fn tiles(self, [nx, ny]: [usize; 2]) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for (x, y) in (Tile { x: 0, y: 0, nx: nx / TILE, ny: ny / TILE }).cells() {
            if matches!(self, Self::All) || (x + y).is_multiple_of(2) {
                tiles.push(Tile { x: TILE * x, y: TILE * y, nx: TILE, ny: TILE });
            }
        }
        tiles
    }
}

/// Times [`Model::view_into`], which writes the tiles selected by `update` of the layer `layer` to
/// an existing field.
fn time_layer(world: &(impl Model + Sync), layer: &str, update: UpdatedTiles) -> Result<Speed> {
    let [nx, ny] = world.grid_size();
    let tiles = update.tiles([nx, ny]);
    let mut into = Field::new(nx, ny, 0.0);
    let cells = tiles.len() * TILE * TILE;
    compare_with_copy(cells, || {
        Model::view_into(world, layer, &tiles, &mut into)?;
        black_box(&mut into);
        Ok(())
    })
}

/// Times [`Model::layer`], which borrows the layer `layer` if the world stores it, and computes it
/// otherwise.
fn time_new_layer(world: &(impl Model + Sync), layer: &str) -> Result<Speed> {
    let [nx, ny] = world.grid_size();
    compare_with_copy(nx * ny, || {
        black_box(Model::layer(world, layer).context("unknown layer")?);
        Ok(())
    })
}

/// Times [`Model::sample_many`] at random points, compared with [`Model::sample_at`], which returns
/// all quantities at one point.
fn time_samples(layer: &str) -> Result<Speed> {
    let world = create_wet_world(flow::square_lattice(N)?, Physics::Pipes)?;
    let position = |i: usize| N as f64 * f64::from(noise(i % 317, i / 317));
    let points: Vec<_> = (0..POINTS).map(|i| [position(2 * i), position(2 * i + 1)]).collect();
    let mut into = vec![0.0; POINTS];
    let many = in_thread_pool(THREADS, || {
        Model::sample_many(&world, layer, &points, &mut into)?;
        black_box(&mut into);
        Ok(())
    })?;
    let comparison = compare("one by one", many, || {
        points.iter().for_each(|&point| drop(black_box(world.sample_at(point))));
        Ok(())
    })?;
    Ok(comparison.speed(1e9 * comparison.seconds / POINTS as f64, "ns per point"))
}

fn compare_with_copy(cells: usize, work: impl FnMut() -> Result<()> + Send) -> Result<Speed> {
    let (from, mut to) = (vec![1.0_f32; cells], vec![0.0; cells]);
    let comparison = compare("copy", in_thread_pool(THREADS, work)?, || {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
        Ok(())
    })?;
    Ok(comparison.to_milliseconds("ms", 1))
}

/// Creates a world in which all cells are wet and move.
fn create_wet_world(lattice: headwater::Lattice, physics: Physics) -> Result<Flow> {
    let wave = |x: usize, y: usize| (0.11 * x as f32).sin() * (0.13 * y as f32).cos();
    let bed = Field::from_fn(N, N, |x, y| (0.05 * x as f32).sin() + (0.07 * y as f32).cos());
    let depth = Field::from_fn(N, N, |x, y| 3.0 + 0.4 * wave(x, y) - bed[(x, y)]);
    let params = Params { level: physics, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    for _ in 0..20 {
        flow.step(flow.stable_dt())?;
    }
    Ok(flow)
}
