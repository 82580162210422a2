//! [`TeamCopy`]: a world in the hands of a team, as whoever has it at home sees it.

use super::Team;
use super::order::{Answer, Order};
use crate::run::elsewhere::Elsewhere;
use crate::run::model_world::ModelWorld;
use crate::run::outcome::ModelError;
use std::sync::Arc;

/// Steps that a team is told to do at once where nobody wants fewer.
const BATCH: u64 = 64;

/// A world in the hands of a team.
pub(in crate::run) struct TeamCopy {
    team: Arc<dyn Team>,
    /// The time (s) and the steps that its parts have come to; `None` if they are to be handed out anew.
    reached: Option<(f64, u64)>,
    /// Whether they have gone on since the world was last brought back.
    ahead: bool,
}

impl TeamCopy {
    /// A copy that will be handed out with the first step; what cannot be stepped in parts is refused at once.
    pub(in crate::run) fn new<W: ModelWorld>(
        team: &Arc<dyn Team>,
        world: &W,
    ) -> Result<Self, ModelError> {
        world.share(team.parts())?;
        Ok(Self { team: Arc::clone(team), reached: None, ahead: false })
    }

    fn tell(&self, order: &Order) -> Result<Vec<Answer>, ModelError> {
        let answers = self.team.tell(order)?;
        match answers.iter().find_map(|answer| match answer {
            Answer::Refused(reason) => Some(reason),
            _ => None,
        }) {
            Some(reason) => Err(reason.as_str().into()),
            None => Ok(answers),
        }
    }
}

impl<W: ModelWorld> Elsewhere<W> for TeamCopy {
    fn step_toward(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, ModelError> {
        let reached = match self.reached {
            Some(reached) => reached,
            None => {
                let model = world.model();
                let reached = (model.time(), model.steps());
                self.team.start(world.share(self.team.parts())?)?;
                *self.reached.insert(reached)
            }
        };
        let Some(order) = world.order(stop, most, reached)? else {
            self.read_back(world)?;
            return Ok(false);
        };
        let answers = self.tell(&order)?;
        self.reached = Some(world.note(answers)?);
        self.ahead = true;
        Ok(true)
    }

    fn invalidate(&mut self) {
        (self.reached, self.ahead) = (None, false);
    }

    fn is_there(&self) -> bool {
        self.reached.is_some()
    }

    fn progress(&self) -> Option<(f64, u64)> {
        self.reached.filter(|_| self.ahead)
    }

    fn together(&self) -> u64 {
        BATCH
    }

    fn read_back(&mut self, world: &mut W) -> Result<bool, ModelError> {
        if self.ahead {
            world.take_back(self.tell(&Order::Rows)?)?;
            self.ahead = false;
        }
        Ok(true)
    }
}
