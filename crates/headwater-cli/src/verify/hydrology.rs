//! Carved land: whether water and sediment are kept to the last quantum, whether lakes stand where the plain
//! flood has them, whether what is held is seen, whether any number of threads makes the same land, and how much it is
//! like real land.

use super::fields::{apart, unlike_one_thread};
use super::{Case, FROZEN, Motion, Outcome, Row, entries, work};
use crate::carve::{lattice, noise};
use crate::span::span;
use anyhow::{Context, Result};
use headwater::coupling::{Feed, HandOver, carved_to_flow};
use headwater::flow::{self, Physics};
use headwater::hydrology::plain::Flood;
use headwater::hydrology::report::Report;
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Inflow, Params, Substance};
use headwater::{Cause, Field, Square};
use once_cell::sync::OnceCell;
use std::sync::Arc;

pub(super) fn cases() -> Vec<Case> {
    // What several cases look at is run once, by the first that asks. All must be measured with one motion.
    let lands = Arc::new(OnceCell::new());
    let millions = Arc::new(OnceCell::new());
    let of_lands = |name: &'static str, rows: fn(&'static str, &Lands) -> Outcome| {
        let lands = Arc::clone(&lands);
        Case::new(name, move |motion| Ok(rows(name, lands.get_or_try_init(|| five_lands(motion))?)))
    };
    let of_books = |name: &'static str, substance: Substance| {
        let millions = Arc::clone(&millions);
        Case::new(name, move |motion| {
            let (world, moved): &(Hydrology, bool) =
                millions.get_or_try_init(|| million(motion))?;
            let residual = world.balance(substance).residual.unsigned_abs();
            let value = if *moved { residual as f64 } else { FROZEN };
            Ok(Row::at_most(name, "residual (quanta of 2⁻²⁰ m)", value, 0.0).into())
        })
    };
    let mut cases = vec![
        of_lands("hydrology/concavity", concavity),
        of_lands("hydrology/hack", hack),
        of_lands("hydrology/pits", pits),
        of_lands("hydrology/slots", slots),
        of_lands("hydrology/water-held", held),
        of_books("hydrology/water", Substance::Water),
        of_books("hydrology/sediment", Substance::Sediment),
    ];
    cases.extend(entries([
        ("hydrology/sizes", sizes),
        ("hydrology/outside-river", outside_river),
        ("hydrology/trees", trees),
        ("hydrology/threads", threads),
        ("hydrology/hand-over", hand_over),
        ("hydrology/lakes-oracle", oracle),
        ("hydrology/edge-outlet", edges),
        ("hydrology/nested-lakes", nested),
    ]));
    cases
}

fn world(bed: &Field<f32>, params: Params) -> Result<Hydrology> {
    Ok(Hydrology::new(lattice(bed)?, params, bed)?)
}

fn layer(world: &Hydrology, name: &str) -> Result<Field<f32>> {
    let layer = world.layer(name).with_context(|| format!("there is no layer `{name}`"))?;
    Ok(layer.into_owned())
}

/// Cells to a side of the coarser land that is compared with a finer one.
const COARSE: usize = 128;

/// Drops on each of the five lands.
const DROPS: u64 = 500_000;

/// Reports on the lands of five seeds, and on the noise that they were carved from.
struct Lands {
    carved: Vec<Report>,
    raw: Vec<Report>,
    /// Water held that no lake shows, as a part of what fell.
    unseen: Vec<f64>,
    /// Whether all drops fell on each: noise alone has some figures of real land.
    moved: bool,
}

/// The land of five seeds after 500 000 drops on 512² cells: a seed for each thread.
fn five_lands(motion: &dyn Motion) -> Result<Lands> {
    let mut lands = Lands { carved: Vec::new(), raw: Vec::new(), unseen: Vec::new(), moved: true };
    let carve = |&seed: &u64| {
        let bed = noise(512, seed);
        let mut world = world(&bed, Params { seed, ..Params::default() })?;
        motion.fall(&mut world, DROPS)?;
        let raw = Report::of_bed(&bed, 1.0);
        Ok((world.report(), raw, unseen(&world)?, world.drops() >= DROPS))
    };
    work::in_order(&[1, 2, 3, 4, 5], carve, |_, reports| {
        let (carved, raw, unseen, moved) = reports?;
        lands.moved &= moved;
        lands.carved.push(carved);
        lands.raw.push(raw);
        lands.unseen.push(unseen);
        Ok(())
    })?;
    Ok(lands)
}

/// A figure of rivers, and how far it may be from that of real ones.
fn figure(name: &str, words: &str, of: fn(&Report) -> f64, range: [f64; 2], on: &Lands) -> Outcome {
    let [low, high] = span(on.carved.iter().map(of));
    let [_, raw] = span(on.raw.iter().map(of));
    let high = if on.moved { high } else { FROZEN };
    Outcome::of([
        Row::at_least(name, format!("least {words} of five seeds"), low, range[0]),
        Row::at_most(name, format!("largest {words} of five seeds"), high, range[1]),
        Row::at_most(name, format!("largest {words} of the noise"), raw, None),
    ])
}

fn concavity(name: &'static str, lands: &Lands) -> Outcome {
    figure(name, "θ", |r| r.concavity, [0.225, 0.575], lands)
}

fn hack(name: &'static str, lands: &Lands) -> Outcome {
    figure(name, "exponent", |r| r.hack, [0.5, 0.7], lands)
}

fn pits(name: &'static str, lands: &Lands) -> Outcome {
    let percent = |of: fn(&Report) -> f64| 100.0 * span(lands.carved.iter().map(of))[1];
    let (pits, dry) = (percent(|r| r.pits), percent(|r| r.dry_depressions));
    Outcome::of([
        Row::at_most(name, "dry pits (% of cells)", pits, 0.1),
        Row::at_most(name, "depressions without a lake (% of area)", dry, 0.1),
    ])
}

fn slots(name: &'static str, lands: &Lands) -> Outcome {
    let most = |of: fn(&Report) -> f64| {
        let [_, most] = span(lands.carved.iter().map(of));
        if lands.moved { most } else { FROZEN }
    };
    Outcome::of([
        Row::at_most(
            name,
            "slots deeper than 2 cells (% of cells)",
            100.0 * most(|r| r.slots),
            0.1,
        ),
        Row::at_most(name, "deepest slot (cells)", most(|r| r.deepest_slot), 3.0),
    ])
}

fn held(name: &'static str, lands: &Lands) -> Outcome {
    let [_, most] = span(lands.unseen.iter().copied());
    let most = if lands.moved { 100.0 * most } else { FROZEN };
    Row::at_most(name, "water held that no lake shows (% of rain)", most, 1.0).into()
}

/// Water that the books hold but that stands in no cell, as a part of all that fell.
fn unseen(world: &Hydrology) -> Result<f64> {
    let water = world.balance(Substance::Water);
    let volume = |quanta: i128| quanta as f64 * world.quantum();
    let seen = layer(world, "depth")?.sum() * world.lattice().cell_area();
    let fell = water.ledger.inflow(Cause::Rain) + water.ledger.inflow(Cause::Source);
    Ok((volume(water.now) - seen).abs() / volume(fell).max(f64::MIN_POSITIVE))
}

/// The land after a million drops on 128² cells with a sea, and whether anything moved.
fn million(motion: &dyn Motion) -> Result<(Hydrology, bool)> {
    let edges = Edges { west: EdgeKind::Sea, ..Edges::default() };
    let mut world = world(&noise(128, 1), Params { edges, sea: 6.0, ..Params::default() })?;
    motion.fall(&mut world, 1_000_000)?;
    let carved = world.ledger(Substance::Sediment).outflow(Cause::Boundary) > 0;
    let moved = world.drops() >= 1_000_000 && carved && !world.lakes().is_empty();
    Ok((world, moved))
}

/// Land of two seeds on 128² cells and on 256² of half the size: how far its figures are apart. The finer land is brought to
/// the coarser grid to be surveyed.
fn sizes(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let carve = |&(seed, n): &(u64, usize)| {
        let size = COARSE as f64 / n as f64;
        let lattice = Square::new(n, n, size, size)?;
        let bed = noise(n, seed).map(|z| z * size as f32);
        let params = Params { seed, unit: 1.0, ..Params::default() };
        let mut world = Hydrology::new(lattice, params, &bed)?;
        let drops = (4 * n * n) as u64;
        motion.fall(&mut world, drops)?;
        let coarse = coarser(&layer(&world, "bed")?, n / COARSE);
        let report = Report::of_bed(&coarse, 1.0);
        let raw = Report::of_bed(&coarser(&bed, n / COARSE), 1.0);
        let lake = world.lakes().iter().map(|lake| lake.area).fold(0.0, f64::max);
        let moved = world.drops() >= drops && raw != report;
        Ok(([report.hypsometric_integral, report.drainage_density, lake], moved))
    };
    let seeds = [1, 2];
    let lands: Vec<_> =
        seeds.iter().flat_map(|&seed| [(seed, COARSE), (seed, 2 * COARSE)]).collect();
    let (mut figures, mut all_moved) = (Vec::new(), true);
    work::in_order(&lands, carve, |_, land: Result<([f64; 3], bool)>| {
        let (land, moved) = land?;
        all_moved &= moved;
        figures.push(land);
        Ok(())
    })?;
    let apart = |k: usize| {
        let pairs = figures.chunks_exact(2).map(|pair| (pair[1][k] / pair[0][k] - 1.0).abs());
        if all_moved { 100.0 * pairs.fold(0.0, f64::max) } else { FROZEN }
    };
    Ok(Outcome::of([
        Row::at_most(name, "hypsometric integrals apart (%)", apart(0), 10.0),
        Row::at_most(name, "drainage densities apart (%)", apart(1), 10.0),
        Row::at_most(name, "areas of the largest lakes apart (%)", apart(2), 10.0),
    ]))
}

/// Means over squares of so many cells.
fn coarser(bed: &Field<f32>, cells: usize) -> Field<f32> {
    Field::from_fn(bed.nx() / cells, bed.ny() / cells, |x, y| {
        let of = |i: usize| bed[(x * cells + i % cells, y * cells + i / cells)];
        (0..cells * cells).map(of).sum::<f32>() / (cells * cells) as f32
    })
}

/// A river that enters a rough valley from outside, without drying: how much of it comes out at the other end, of three
/// seeds.
fn outside_river(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    const CATCHMENT: f64 = 30_000.0;
    const DROPS: u64 = 220_000;
    const WIDE: usize = 9;
    let carve = |&seed: &u64| {
        let rough = noise(192, seed);
        let valley = |x: usize, y: usize| {
            let (x, y) = (x as f32, y as f32);
            let bend = (x / 96.0).fract();
            let aside = y - 52.0 - 96.0 * bend * (1.0 - bend);
            0.08 * x - 14.0 / (1.0 + aside * aside / 256.0)
        };
        let bed = Field::from_fn(192, 128, |x, y| valley(x, y) + 0.6 * rough[(x, y)]);
        let edges = Edges { east: EdgeKind::Wall, ..Edges::default() };
        let mut world = world(
            &bed,
            Params { seed, drying: 0.0, evaporation: 0.0, edges, ..Params::default() },
        )?;
        world.add_spring(Inflow { position: [191.5, 64.5], catchment: CATCHMENT })?;
        motion.fall(&mut world, DROPS)?;
        let discharge = layer(&world, "discharge")?;
        // A river five cells wide leaves through several of them.
        let west: Vec<f32> = (0..128).map(|y| discharge[(0, y)]).collect();
        let most = west.windows(WIDE).map(|river| river.iter().sum()).fold(0.0_f32, f32::max);
        Ok(f64::from(most) / CATCHMENT)
    };
    let mut least = f64::INFINITY;
    work::in_order(&[1, 2, 3], carve, |_, part: Result<f64>| {
        least = least.min(part?);
        Ok(())
    })?;
    Ok(Row::at_least(name, "discharge at the outlet (% of what enters)", 100.0 * least, 95.0)
        .into())
}

/// Plants after 150 000 drops on 256² cells: whether the rarest kind is there, whether any stands in a lake or a
/// strong stream.
fn trees(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut world = world(&noise(256, 2), Params::default())?;
    motion.fall(&mut world, 150_000)?;
    let (plant, stream) = (layer(&world, "plant")?, layer(&world, "stream")?);
    let depth = layer(&world, "depth")?;
    let count = |kind: f32| plant.as_slice().iter().filter(|&&k| k == kind).count() as f64;
    let [rarest, _] = span([1.0, 2.0, 3.0].map(count));
    // A film below the resolution of f32 is no lake.
    let wet = stream.as_slice().iter().zip(depth.as_slice()).map(|(&s, &d)| s > 0.5 || d > 1e-3);
    let drowned = plant.as_slice().iter().zip(wet).filter(|&(&kind, wet)| kind > 0.0 && wet);
    let drowned = drowned.count() as f64;
    Ok(Outcome::of([
        Row::at_least(name, "plants of the rarest kind", rarest, 100.0),
        Row::at_most(name, "plants in lakes and strong streams", drowned, 0.0),
    ]))
}

/// One, two and eight threads.
fn threads(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let before = world(&noise(128, 3), Params::default())?;
    let differ = unlike_one_thread(|| {
        let mut world = before.clone();
        motion.fall(&mut world, 30_000)?;
        Ok(Some(world.state_hash()).filter(|&end| end != before.state_hash()))
    })?;
    Ok(Row::at_most(name, "runs that differ from one thread's", differ, 0.0).into())
}

/// Twenty fixed beds filled by the model and by the plain flood.
fn oracle(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    use EdgeKind::{Open, Sea, Wall};
    let pairs = [[Open, Wall], [Wall, Sea], [Sea, Wall], [Open, Open], [Sea, Sea]];
    let (mut apart, mut left) = (0.0_f64, 0.0_f64);
    for seed in 0..20 {
        let bed = noise(48, seed);
        let [most, north] = pairs[seed as usize % pairs.len()];
        let edges = Edges { north, ..Edges::all(most) };
        let sea = 3.0;
        let mut ours = world(&bed, Params { edges, sea, ..Params::default() })?;
        let mut flood = Flood::new(&bed, edges, sea);
        for k in 0..80 {
            let (x, y) = ((7 * k + seed as usize) % 48, (11 * k + 3) % 48);
            let depth = 0.5 * (1 + k % 9) as f64;
            motion.pour(&mut ours, [x as f64 + 0.5, y as f64 + 0.5], depth)?;
            flood.pour(x, y, depth);
        }
        let (a, b) = (layer(&ours, "depth")?, flood.depth());
        let depths = a.as_slice().iter().zip(b.as_slice());
        apart = depths.map(|(&a, b)| (f64::from(a) - b).abs()).fold(apart, f64::max);
        let gone = ours.ledger(Substance::Water).scaled(ours.quantum()).outflow(Cause::Boundary);
        left = left.max((gone - flood.gone()).abs());
    }
    Ok(Outcome::of([
        Row::at_most(name, "largest difference in level (m)", apart, 1e-4),
        Row::at_most(name, "largest difference in what left (m³)", left, 1e-3),
    ]))
}

/// A bowl with one open edge, a sea beside it, walls all around: the level that it takes.
fn edges(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let bed = Field::from_fn(21, 15, |x, _| if x < 18 { 0.0 } else { x as f32 - 17.0 });
    let volume: f32 = bed.as_slice().iter().map(|z| 10.0 - z).sum();
    let mut apart = 0.0_f64;
    for (kind, sea, level) in
        [(EdgeKind::Open, 0.0, 3.0), (EdgeKind::Sea, 2.0, 3.0), (EdgeKind::Wall, 0.0, 10.0)]
    {
        let edges = Edges { east: kind, ..Edges::all(EdgeKind::Wall) };
        let mut world = world(&bed, Params { edges, sea, ..Params::default() })?;
        motion.pour(&mut world, [3.0, 3.0], volume.into())?;
        let found = world.lake_at([3.0, 3.0]).map_or(f64::INFINITY, |lake| lake.level);
        apart = apart.max((found - level).abs());
    }
    Ok(Row::at_most(name, "largest error in level (m)", apart, 1e-5).into())
}

/// Two hollows in one basin: one spills into the other, they merge, they run over.
fn nested(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let bed = Field::from_fn(24, 10, |x, y| match (x, y) {
        (2..=9, 2..=7) => -5.0,
        (12..=21, 2..=7) => -3.0,
        (1..=22, 1..=8) => -1.0,
        _ => 0.0,
    });
    let mut world = world(&bed, Params::default())?;
    let mut apart = 0.0_f64;
    // What is poured in the west, and the levels then.
    for (volume, levels) in
        [(144.0, [-2.0, -3.0]), (108.0, [-1.0, -2.0]), (148.0, [-0.5, -0.5]), (1e4, [0.0, 0.0])]
    {
        motion.pour(&mut world, [5.5, 5.5], volume)?;
        for (x, level) in [5.5, 15.5].into_iter().zip(levels) {
            let floor = f64::from(bed[(x as usize, 5)]);
            let found = world.lake_at([x, 5.5]).map_or(floor, |lake| lake.level);
            apart = apart.max((found - level).abs());
        }
    }
    Ok(Row::at_most(name, "largest error in level (m)", apart, 1e-5).into())
}

/// Lakes handed over to a flow at each level of physics: how much water is there (as exactly as f32 has its depths:
/// 2⁻²⁴), and whether it lies still for 300 steps. Water that is not enough for a quantum on each cell of its lake stays
/// behind.
fn hand_over(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut land = world(&noise(192, 4), Params::default())?;
    motion.fall(&mut land, 60_000)?;
    let lakes: f64 = land.lakes().iter().map(|lake| lake.volume).sum();
    let cells: f64 = land.lakes().iter().map(|lake| lake.area / land.lattice().cell_area()).sum();
    let behind = cells * land.quantum();
    let (mut missing, mut wave) = (0.0_f64, 0.0_f64);
    for physics in [Physics::Pipes, Physics::Inertial, Physics::ShallowWater] {
        let params = flow::Params { level: physics, ..flow::Params::default() };
        let still = HandOver { params, feed: Feed::Nothing, streams: false, ..HandOver::default() };
        let mut flow = carved_to_flow(&land, &still)?;
        missing = missing.max(((flow.volume() - lakes).abs() - behind).max(0.0) / lakes);
        let before = flow.state().depth.clone();
        let dt = 0.5 * flow.stable_dt();
        motion.steps(&mut flow, 300, dt)?;
        let change = apart(&flow.state().depth, &before);
        let wet = before.as_slice().iter().filter(|&&depth| depth > 0.0).count();
        wave = wave.max(change / (before.sum() / wet as f64));
    }
    // Without lakes, nothing is shown.
    let [missing, wave] = if lakes > 0.0 { [missing, 100.0 * wave] } else { [FROZEN; 2] };
    Ok(Outcome::of([
        Row::at_most(name, "relative error of the lakes' volume", missing, 1e-7),
        Row::at_most(name, "largest change of level (% of mean depth)", wave, 1.0),
    ]))
}
