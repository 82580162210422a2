//! Time as every world of blocks has it: walks of many steps.

/// Gives a world walks of many steps, out of its `step`, `is_asleep`, `steps`, `clock` and `params`.
macro_rules! walks {
    ($world:ty) => {
        impl $world {
            /// Does many steps.
            pub fn step_many(&mut self, steps: u64) {
                (0..steps).for_each(|_| self.step());
            }

            /// Advances by `seconds`, in whole steps: the time that is not enough for one is kept for the next
            /// call.
            ///
            /// # Errors
            /// [`InputError`](crate::InputError) if `seconds` is below 0, no number or as long as 10⁹ steps.
            pub fn advance(&mut self, seconds: f64) -> Result<crate::Advanced, crate::InputError> {
                let done = self.clock.advance(seconds, self.params.tick, u32::MAX)?;
                self.step_many(done.steps);
                Ok(done)
            }

            /// Does steps until [everything is asleep](Self::is_asleep), at most `steps`; true if it is.
            pub fn run_to_rest(&mut self, steps: u64) -> bool {
                for _ in 0..steps {
                    if self.is_asleep() {
                        return true;
                    }
                    self.step();
                }
                self.is_asleep()
            }

            /// Steps done since the start.
            pub fn steps(&self) -> u64 {
                self.steps
            }

            /// Simulated time since the start (s).
            pub fn time(&self) -> f64 {
                self.steps as f64 * self.params.tick
            }
        }
    };
}

pub(super) use walks;
