//! Conversion of terrain carved by the `hydrology` model to a world of the `flow` model, with its
//! lakes and the discharges of its rivers.

use crate::error::InputError;
use crate::field::Field;
use crate::flow::{Boundary, BoundaryKind, Flow, MM_PER_HOUR, Params, Rain, Source};
use crate::hydrology::report::MIN_CHANNEL_AREA;
use crate::hydrology::{EdgeKind, Hydrology, Streams};
use crate::lattice::Edge;
use crate::parameter::{Parameters, Range, choices, parameters};
use crate::region::Region;
use serde::{Deserialize, Serialize};

choices! {
    /// Water supply of the flow world created from carved terrain.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum WaterSupply {
        /// Springs in streams and lakes. The runoff of each slope enters the stream or lake into
        /// which the slope drains.
        #[default]
        Streams = "streams",
        /// Rain on all cells. Slopes are covered by a thin film of water, and streams rise as water
        /// arrives from the slopes.
        Rain = "rain",
        /// No supply, so that the world contains only its initial water.
        Nothing = "nothing",
    }
}

parameters! {
    /// Options for the conversion of carved terrain to a flow world by [`carved_to_flow`].
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct CarvedToFlowOptions {
        /// Runoff: rain minus infiltration and evaporation, as a mean over the map. All discharges
        /// are proportional to it. The default corresponds to a cloudburst, and a value of 1 to
        /// steady rain.
        runoff: f64 = 10.0; Fixed, "runoff", "mm/h", |_| Range::new(0.0, 1e5), [0.0, 100.0];
        /// Source of the water that enters the flow world: springs in streams and lakes, rain on
        /// all cells, or none.
        feed: WaterSupply = WaterSupply::Streams; Fixed, "feed";
        /// Whether streams initially contain water. If so, their depth is the normal depth for
        /// their discharge and slope by Manning's formula. With
        /// [`Physics::ShallowWater`](crate::flow::Physics), they also have the corresponding
        /// velocity.
        streams: bool = true; Fixed, "initial streams";
        /// Smallest drainage area of a stream cell: the number of cells that drain to it, each
        /// weighted with its relative rain.
        channel: f64 = MIN_CHANNEL_AREA as f64; Fixed, "stream threshold", "cells", |_| Range::new(1.0, 1e9), [10.0, 1000.0];
        /// Whether streams can run diagonally from cell to cell. Water in a flow world crosses only
        /// the sides of cells, so a diagonal step would block a stream. If this option is set, one
        /// of the two cells next to each diagonal step is lowered to the bed of the stream.
        corners: bool = true; Fixed, "diagonal streams";
    }
    and {
        /// Parameters of the flow world.
        params: Params = Params::default();
    }
}

/// Smallest slope assumed for streams (m per m), which is typical of rivers in plains. Without this
/// limit, the depth by Manning's formula could become infinite.
const MIN_SLOPE: f64 = 1e-4;

/// Converts carved terrain to a flow world with the same cells.
///
/// Lakes are initially at rest. Each river carries the runoff of its catchment, which follows from
/// [`CarvedToFlowOptions::runoff`]. The sum of all rivers is therefore the runoff of the whole map.
/// At edges that border on the sea, the water level stays at sea level. All other edges are open
/// or walls, as in the hydrology world.
///
/// ```
/// use headwater::coupling::{WaterSupply, CarvedToFlowOptions, carved_to_flow};
/// use headwater::hydrology::{Hydrology, Params};
/// use headwater::{Field, Square};
///
/// // A valley with a hollow in it, carved for a while.
/// let lattice = Square::new(64, 48, 2.0, 2.0)?;
/// let bed = Field::from_fn(64, 48, |x, y| {
///     let (x, y) = (x as f32, y as f32);
///     let hollow = ((x - 30.0).powi(2) + (y - 24.0).powi(2)) / 90.0;
///     30.0 - 0.3 * x + 0.4 * (y - 24.0).abs() - 9.0 * (-hollow).exp()
/// });
/// let mut land = Hydrology::new(lattice, Params::default(), &bed)?;
/// land.rain(300);
/// land.pour([60.0, 48.0], 500.0)?;
///
/// // Lakes only: they stay at rest.
/// let still = CarvedToFlowOptions { feed: WaterSupply::Nothing, streams: false, ..CarvedToFlowOptions::default() };
/// let mut flow = carved_to_flow(&land, &still)?;
/// let lakes: f64 = land.lakes().iter().map(|lake| lake.volume).sum();
/// assert!(lakes > 100.0 && (flow.volume() / lakes - 1.0).abs() < 1e-6);
/// flow.advance(5.0)?;
/// assert!((flow.volume() / lakes - 1.0).abs() < 1e-3);
///
/// // With streams: the inflow is the runoff of the whole map.
/// let mut flow = carved_to_flow(&land, &CarvedToFlowOptions::default())?;
/// let before = flow.ledger().total_inflow();
/// flow.advance(10.0)?;
/// let runoff = 0.010 / 3600.0 * 64.0 * 48.0 * 4.0;
/// assert!(((flow.ledger().total_inflow() - before) / (10.0 * runoff) - 1.0).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`InputError`] if a parameter of the flow world or another value in `options` is out of
/// range.
pub fn carved_to_flow(
    terrain: &Hydrology,
    options: &CarvedToFlowOptions,
) -> Result<Flow, InputError> {
    let CarvedToFlowOptions { params, runoff, feed, channel, .. } = options;
    options.check()?;
    let lattice = *terrain.lattice();
    let layer = |name| match terrain.layer(name) {
        Some(layer) => layer.into_owned(),
        None => Field::new(lattice.nx(), lattice.ny(), 0.0),
    };
    let (mut bed, mut depth) = (layer("bed"), layer("depth"));
    let mut streams = terrain.streams(*channel as f32);
    if options.corners {
        straighten_diagonal_steps(&mut bed, &depth, &mut streams);
    }
    let running = (options.streams && *runoff > 0.0).then(|| {
        let unit = runoff * MM_PER_HOUR * lattice.cell_area() / lattice.dx();
        RunningStreams { streams: &streams, params, unit }
    });
    let lakes = depth.clone();
    if let Some(running) = &running {
        running.fill_depth(&mut depth);
    }
    let mut flow = Flow::new(lattice, params.clone(), bed, depth)?;
    set_edge_boundaries(&mut flow, terrain)?;
    match feed {
        WaterSupply::Streams => {
            let rain = Rain { rate: (*runoff).into(), map: Some(streams.lateral_inflow.clone()) };
            flow.set_rain(Some(rain))?;
        }
        WaterSupply::Rain => {
            flow.set_rain(Some(Rain { rate: (*runoff).into(), map: terrain.rain_map() }))?;
            for inflow in terrain.springs() {
                // The region covers a single cell.
                let region = Region::disc(inflow.position, 0.5 * lattice.dx());
                let rate = runoff * MM_PER_HOUR * inflow.catchment;
                flow.add_spring(Source::new(region, rate))?;
            }
        }
        WaterSupply::Nothing => {}
    }
    if let (Some(running), Some(_)) = (running, &flow.state().momentum) {
        let [east, south] = running.stream_velocity(flow.state().depth.clone(), &lakes);
        flow.set_velocity(&east, &south)?;
    }
    Ok(flow)
}

fn set_edge_boundaries(flow: &mut Flow, terrain: &Hydrology) -> Result<(), InputError> {
    let (edges, sea) = (terrain.params().edges, terrain.params().sea);
    let kinds = [
        (Edge::West, edges.west),
        (Edge::East, edges.east),
        (Edge::North, edges.north),
        (Edge::South, edges.south),
    ];
    for (edge, kind) in kinds {
        let kind = match kind {
            EdgeKind::Open => BoundaryKind::Open,
            EdgeKind::Sea => BoundaryKind::Stage { level: sea.into() },
            EdgeKind::Wall => BoundaryKind::Wall,
        };
        flow.set_boundary(Boundary::on_edge(edge, kind))?;
    }
    Ok(())
}

struct RunningStreams<'a> {
    streams: &'a Streams,
    params: &'a Params,
    unit: f64,
}

impl RunningStreams<'_> {
    /// Returns the normal depth `h` (m) of a stream cell by Manning's formula `q = √S·h^(5/3)/n`,
    /// with the unit discharge `q` (m²/s), the slope `S` and the roughness `n` (s/m^⅓). Returns the
    /// critical depth if the roughness is 0.
    fn normal_depth(&self, cell: (usize, usize)) -> f64 {
        let Params { manning, gravity, .. } = self.params;
        let q = f64::from(self.streams.discharge[cell]) * self.unit;
        let slope = f64::from(self.streams.slope[cell]).max(MIN_SLOPE);
        let normal = libm::pow(q * manning / slope.sqrt(), 0.6);
        if normal > 0.0 { normal } else { libm::cbrt(q * q / gravity) }
    }

    fn fill_depth(&self, depth: &mut Field<f32>) {
        for y in 0..depth.ny() {
            for x in (0..depth.nx()).filter(|&x| self.streams.stream[(x, y)]) {
                depth[(x, y)] = self.normal_depth((x, y)) as f32;
            }
        }
    }

    /// Returns the eastward (index 0) and southward (index 1) components of the stream velocity in
    /// each cell (m/s). Both are 0 outside streams and in lakes.
    fn stream_velocity(&self, depth: Field<f32>, lakes: &Field<f32>) -> [Field<f32>; 2] {
        let speed = |(x, y): (usize, usize)| {
            let running = self.streams.stream[(x, y)] && lakes[(x, y)] == 0.0;
            let to = self.streams.receiver[(x, y)].filter(|_| running)?;
            let direction = [to.0 as f32 - x as f32, to.1 as f32 - y as f32];
            let q = f64::from(self.streams.discharge[(x, y)]) * self.unit;
            let speed = q as f32 / depth[(x, y)] / direction[0].hypot(direction[1]);
            Some(direction.map(|direction| direction * speed))
                .filter(|direction| direction.iter().all(|v| v.is_finite()))
        };
        let component = |k: usize| {
            Field::from_fn(depth.nx(), depth.ny(), |x, y| speed((x, y)).map_or(0.0, |v| v[k]))
        };
        [component(0), component(1)]
    }
}

/// Replaces each diagonal step of a stream by two straight steps through one of the two cells next
/// to the step. The lower of these cells is used, unless a lake would drain through it. Its bed is
/// lowered, if necessary, to the higher of the water surface elevations at the two ends of the
/// diagonal step.
fn straighten_diagonal_steps(bed: &mut Field<f32>, depth: &Field<f32>, streams: &mut Streams) {
    let (nx, ny) = (bed.nx(), bed.ny());
    for y in 0..ny {
        for x in 0..nx {
            let here = (x, y);
            let Some(to) = streams.receiver[here] else { continue };
            // The outflow of a lake can also start with a diagonal step.
            let starts = depth[here] > 0.0 && depth[to] == 0.0 && streams.stream[to];
            if to.0 == x || to.1 == y || !(streams.stream[here] || starts) {
                continue;
            }
            let floor = (bed[here] + depth[here]).max(bed[to] + depth[to]);
            let lakes_stay_full = |cell: (usize, usize)| {
                let near = |at: usize, n: usize| at.saturating_sub(1)..(at + 2).min(n);
                let mut neighbours =
                    near(cell.1, ny).flat_map(|y| near(cell.0, nx).map(move |x| (x, y)));
                neighbours.all(|cell| depth[cell] == 0.0 || bed[cell] + depth[cell] <= floor)
            };
            let neighbours = [(to.0, y), (x, to.1)].into_iter();
            let candidates = neighbours.filter(|&cell| depth[cell] == 0.0 && lakes_stay_full(cell));
            let Some(middle) = candidates.min_by(|&a, &b| bed[a].total_cmp(&bed[b])) else {
                continue;
            };
            bed[middle] = bed[middle].min(floor);
            if !streams.stream[middle] && streams.stream[here] {
                streams.stream[middle] = true;
                streams.discharge[middle] = streams.discharge[here];
                streams.slope[middle] = streams.slope[here];
                streams.receiver[middle] = Some(to);
                streams.receiver[here] = Some(middle);
            }
        }
    }
}
