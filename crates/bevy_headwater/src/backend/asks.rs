//! What is asked of a water that is on a GPU, and the answers that have come.

use crate::models::Place;
use headwater::Point;
use headwater::waves::SurfaceSample;
use headwater_gpu::{GpuError, flow, waves};

/// Places that are asked for in a step at most: each costs a few cells on their way back.
const MOST: usize = 512;

/// Cells between a place and the answer that is taken for it.
const NEAR: f64 = 4.0;

/// Places that were asked for since the last step, those that are on their way, and the last answers.
#[derive(Debug, Default)]
pub(super) struct Asks {
    wanted: Vec<Point>,
    coming: Option<(Vec<Point>, Coming)>,
    known: Vec<(Point, Place)>,
}

/// Answers on their way.
#[derive(Debug)]
pub(super) enum Coming {
    Flow(flow::PendingQuery),
    /// Of a pond that is so deep (m).
    Waves(waves::PendingQuery, f64),
}

impl Coming {
    /// What is in each place, once it has come; `None` if there is no water to tell of.
    fn try_take(&mut self) -> Option<Result<Vec<Option<Place>>, GpuError>> {
        match self {
            Self::Flow(asked) => {
                let place = |reading: flow::Reading| Place {
                    depth: reading.surface.map_or(0.0, |_| reading.depth.into()),
                    surface: reading.surface.map(f64::from),
                    velocity: reading.velocity.map(f64::from),
                    slope: reading.slope.map(f64::from),
                    ..Place::default()
                };
                Some(asked.try_take()?.map(|found| each(found.points, place)))
            }
            Self::Waves(asked, depth) => {
                let place = |reading: SurfaceSample| {
                    Place::of_surface(*depth, reading.height, reading.normal)
                };
                Some(asked.try_take()?.map(|found| each(found.points, place)))
            }
        }
    }
}

fn each<R>(readings: Vec<Option<R>>, place: impl Fn(R) -> Place) -> Vec<Option<Place>> {
    readings.into_iter().map(|reading| reading.map(&place)).collect()
}

impl Asks {
    /// The last answer near a place, which is asked for now; `None` if there is none.
    pub(super) fn place(&mut self, at: Point, cell: f64) -> Option<Place> {
        if self.wanted.len() < MOST && !self.wanted.contains(&at) {
            self.wanted.push(at);
        }
        let far = |there: Point| (there[0] - at[0]).hypot(there[1] - at[1]);
        let nearest =
            self.known.iter().min_by(|(a, _), (b, _)| far(*a).total_cmp(&far(*b))).copied();
        nearest.filter(|&(there, _)| far(there) <= NEAR * cell).map(|(_, place)| place)
    }

    /// Takes answers that have come, and asks for what is wanted unless something is on its way. It does not wait.
    pub(super) fn keep_asking(
        &mut self,
        is_ready: bool,
        ask: impl FnOnce(&[Point]) -> Result<Coming, GpuError>,
    ) -> Result<(), GpuError> {
        if let Some((points, asked)) = &mut self.coming {
            let Some(answers) = asked.try_take() else { return Ok(()) };
            let found = points.drain(..).zip(answers?);
            self.known.clear();
            self.known.extend(found.filter_map(|(at, place)| Some((at, place?))));
            self.coming = None;
        }
        // What is not known yet would have to be waited for.
        if self.wanted.is_empty() || !is_ready {
            return Ok(());
        }
        let points = std::mem::take(&mut self.wanted);
        let coming = ask(&points)?;
        self.coming = Some((points, coming));
        Ok(())
    }
}
