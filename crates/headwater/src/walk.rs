//! Time as models whose steps have one length have it: walks of many steps.

/// Gives a world walks of many steps, by its `step`, `steps`, `clock` and `params`; `$length` and
/// `$most` are parameters.
macro_rules! walks {
    ($world:ty, $length:expr, $most:expr $(, $model:ident: $bound:ident)?) => {
        impl $(<$model: $bound>)? $world {
            /// Does many steps.
            pub fn step_many(&mut self, steps: u64) {
                (0..steps).for_each(|_| self.step());
            }

            /// Advances by the time of a frame (s), in whole steps; the rest counts for the next
            /// frame.
            ///
            /// # Errors
            /// [`InputError`](crate::InputError) if `seconds` is below 0, no number or as long as 10⁹ steps.
            pub fn advance(&mut self, seconds: f64) -> Result<crate::AdvanceSummary, crate::InputError> {
                let done =
                    self.clock.advance(seconds, $length(&self.params), $most(&self.params))?;
                self.step_many(done.steps);
                Ok(done)
            }

            /// Steps done since the start.
            pub fn steps(&self) -> u64 {
                self.steps
            }

            /// Simulated time since the start (s).
            pub fn time(&self) -> f64 {
                self.steps as f64 * $length(&self.params)
            }
        }
    };
}

/// Gives a world a walk to its rest, out of its `step` and `is_asleep`.
macro_rules! rests {
    ($world:ty $(, $model:ident: $bound:ident)?) => {
        impl $(<$model: $bound>)? $world {
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
        }
    };
}

pub(crate) use {rests, walks};
