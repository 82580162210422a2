//! Asynchronous point queries of a world on the GPU.

use crate::models::PointState;
use headwater::Point;
use headwater::waves::SurfaceSample;
use headwater_gpu::{GpuError, flow, waves};

/// Maximum number of points queried per step. It bounds the amount of data read back, because each
/// point needs a few cells.
const MAX_POINTS_PER_QUERY: usize = 512;

/// Largest distance (cells) at which the result of an earlier query is reused for a new point.
const MAX_DISTANCE: f64 = 4.0;

/// Points to query in the next step, points whose query is in flight, and the latest results.
#[derive(Debug, Default)]
pub(super) struct Queries {
    queued: Vec<Point>,
    in_flight: Option<(Vec<Point>, PendingPoints)>,
    answers: Vec<(Point, PointState)>,
}

/// Query whose result has not arrived yet.
#[derive(Debug)]
pub(super) enum PendingPoints {
    Flow(flow::PendingQuery),
    /// Query of a pond with the given depth (m).
    Waves(waves::PendingQuery, f64),
}

impl PendingPoints {
    /// Returns the result of the query, with one state per point (`None` for points outside of the
    /// grid). Returns `None` while the result has not arrived.
    fn try_take(&mut self) -> Option<Result<Vec<Option<PointState>>, GpuError>> {
        match self {
            Self::Flow(asked) => {
                let place = |reading: flow::WaterSample| PointState {
                    depth: reading.surface.map_or(0.0, |_| reading.depth.into()),
                    surface: reading.surface.map(f64::from),
                    velocity: reading.velocity.map(f64::from),
                    slope: reading.slope.map(f64::from),
                    ..PointState::default()
                };
                Some(asked.try_take()?.map(|found| readings_to_point_states(found.points, place)))
            }
            Self::Waves(asked, depth) => {
                let place = |reading: SurfaceSample| {
                    PointState::from_surface(*depth, reading.height, reading.normal)
                };
                Some(asked.try_take()?.map(|found| readings_to_point_states(found.points, place)))
            }
        }
    }
}

fn readings_to_point_states<R>(
    readings: Vec<Option<R>>,
    place: impl Fn(R) -> PointState,
) -> Vec<Option<PointState>> {
    readings.into_iter().map(|reading| reading.map(&place)).collect()
}

impl Queries {
    /// Queues a query for the point `at` and returns the latest result for a point nearby. Returns
    /// `None` if no result is near enough. `cell` is the cell size (m).
    pub(super) fn request_and_get_latest(&mut self, at: Point, cell: f64) -> Option<PointState> {
        if self.queued.len() < MAX_POINTS_PER_QUERY && !self.queued.contains(&at) {
            self.queued.push(at);
        }
        let distance = |other: Point| (other[0] - at[0]).hypot(other[1] - at[1]);
        let nearest = self
            .answers
            .iter()
            .min_by(|(a, _), (b, _)| distance(*a).total_cmp(&distance(*b)))
            .copied();
        nearest.filter(|&(other, _)| distance(other) <= MAX_DISTANCE * cell).map(|(_, place)| place)
    }

    /// Collects the results of the query in flight if they have arrived. Then, if no query is in
    /// flight and the GPU can accept one (`is_ready`), passes the queued points to `submit`, which
    /// submits a new query. Never blocks.
    pub(super) fn update_queries(
        &mut self,
        is_ready: bool,
        submit: impl FnOnce(&[Point]) -> Result<PendingPoints, GpuError>,
    ) -> Result<(), GpuError> {
        if let Some((points, asked)) = &mut self.in_flight {
            let Some(answers) = asked.try_take() else { return Ok(()) };
            let found = points.drain(..).zip(answers?);
            self.answers.clear();
            self.answers.extend(found.filter_map(|(at, place)| Some((at, place?))));
            self.in_flight = None;
        }
        // Submitting while a query is in flight would block.
        if self.queued.is_empty() || !is_ready {
            return Ok(());
        }
        let points = std::mem::take(&mut self.queued);
        let in_flight = submit(&points)?;
        self.in_flight = Some((points, in_flight));
        Ok(())
    }
}
