//! What is asked of a water that is on a GPU, and the answers that have come.

use crate::models::Place;
use headwater::Point;
use headwater_gpu::GpuError;
use headwater_gpu::flow::{Asked, GpuFlow};

/// Places that are asked for in a step at most: each costs a few cells on their way back.
const MOST: usize = 512;

/// Cells between a place and the answer that is taken for it.
const NEAR: f64 = 4.0;

/// Places that were asked for since the last step, those that are on their way, and the last answers.
#[derive(Debug, Default)]
pub(super) struct Asks {
    wanted: Vec<Point>,
    coming: Option<(Vec<Point>, Asked)>,
    known: Vec<(Point, Place)>,
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
    pub(super) fn keep_asking(&mut self, flow: &mut GpuFlow) -> Result<(), GpuError> {
        if let Some((points, asked)) = &mut self.coming {
            let Some(answers) = asked.try_take() else { return Ok(()) };
            let answers = answers?;
            let found = points.drain(..).zip(answers.points);
            self.known.clear();
            self.known.extend(found.filter_map(|(at, reading)| {
                let reading = reading?;
                let place = Place {
                    depth: reading.surface.map_or(0.0, |_| reading.depth.into()),
                    surface: reading.surface.map(f64::from),
                    bed: None,
                    velocity: reading.velocity.map(f64::from),
                    slope: reading.slope.map(f64::from),
                    pressure: None,
                };
                Some((at, place))
            }));
            self.coming = None;
        }
        // What is not known yet would have to be waited for.
        if self.wanted.is_empty() || !flow.is_ready() {
            return Ok(());
        }
        let points = std::mem::take(&mut self.wanted);
        let gpu = flow.gpu().clone();
        let asked = gpu.block_on(flow.ask(&points, &[]))?;
        self.coming = Some((points, asked));
        Ok(())
    }
}
