//! Macros that implement the stepping methods shared by models with a fixed time step.

/// Implements the methods `step_many`, `advance`, `steps` and `time` for a model that has a method
/// `step` and the fields `steps`, `clock` and `params`. `$length` and `$most` compute the step
/// length (s) and the maximum number of steps per `advance` call from the parameters.
macro_rules! fixed_step_methods {
    ($world:ty, $length:expr, $max_steps:expr $(, $model:ident: $bound:ident)?) => {
        impl $(<$model: $bound>)? $world {
            /// Performs `steps` time steps.
            pub fn step_many(&mut self, steps: u64) {
                (0..steps).for_each(|_| self.step());
            }

            /// Advances the model by the duration of a frame (s), in whole time steps. The
            /// remainder is carried over to the next call.
            ///
            /// # Errors
            /// Returns [`InputError`](crate::InputError) if `seconds` is negative, not finite or
            /// longer than 10⁹ steps.
            pub fn advance(&mut self, seconds: f64) -> Result<crate::AdvanceSummary, crate::InputError> {
                let done =
                    self.clock.advance(seconds, $length(&self.params), $max_steps(&self.params))?;
                self.step_many(done.steps);
                Ok(done)
            }

            /// Returns the number of time steps since the start.
            pub fn steps(&self) -> u64 {
                self.steps
            }

            /// Returns the simulated time since the start (s).
            pub fn time(&self) -> f64 {
                self.steps as f64 * $length(&self.params)
            }
        }
    };
}

/// Implements the method `run_to_rest` for a model that has the methods `step` and `is_asleep`.
macro_rules! run_to_rest_method {
    ($world:ty $(, $model:ident: $bound:ident)?) => {
        impl $(<$model: $bound>)? $world {
            /// Performs steps until the model [is asleep](Self::is_asleep), at most `steps` of
            /// them. Returns whether the model is asleep.
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

pub(crate) use {fixed_step_methods, run_to_rest_method};
