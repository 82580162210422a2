//! Backend of a live world: the CPU or a device, which can be changed at any time.
//!
//! For a world on a GPU, the host keeps a copy of the state as of the last read-back. Brush edits
//! of `flow` and surface disturbances of `waves` are applied on the device, and also to the host
//! copy in case the device is lost. All other changes read the world back first: other edits,
//! parameters, events, gauges, undo and snapshots.
//!
//! [`Live::world`], [`Live::probe`], [`Live::ledger`] and [`Live::state_hash`] read the host copy.
//! Call [`Live::read_back`] to bring it up to date. The clock is always current.

use super::error::LiveError;
use super::live::Live;
use super::read_back::ReadBack;
use crate::run::move_to;
use crate::run::{Backend, ModelError};

impl Live {
    /// Returns the backend that currently steps the world.
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Moves the world to a backend. Its state and physics stay the same.
    ///
    /// For `waves`, and for `flow` with the physics `pipes`, the steps stay the same too. They are
    /// equal bit for bit if the device's division is correctly rounded. With other physics of
    /// `flow`, steps on a device are about 5 % shorter and depend on the batch size.
    ///
    /// # Errors
    /// Returns [`LiveError::Model`] with the reason if the backend cannot step this world, or the
    /// world is not ready to be moved. The world then stays on its backend.
    pub fn set_backend(&mut self, backend: &Backend) -> Result<(), LiveError> {
        if self.settling && backend.is_device() {
            let problem =
                "the world is still being relaxed to a steady state, which runs only on the CPU";
            return Err(LiveError::Model(problem.into()));
        }
        self.require_read_back()?;
        move_to(&mut *self.simulation, &self.scene, backend).map_err(LiveError::model)?;
        self.backend = backend.clone();
        self.clear_device_probe();
        self.record_read_back();
        Ok(())
    }

    /// Copies the state of a world on a device to the host. If this fails because the device is
    /// lost, the world continues on the CPU from its last read-back, and
    /// [`take_fallback_reason`](Self::take_fallback_reason) returns the reason.
    ///
    /// Returns true if the host copy is current. In browsers a read-back cannot block. There, false
    /// means that the read-back is in progress: the world does not step, and the call must be
    /// repeated in a later frame. Until it returns true, operations that need the host copy, such
    /// as undo, snapshots and parameters, return an error.
    pub fn read_back(&mut self) -> bool {
        if !self.backend.is_device() {
            return true;
        }
        match self.simulation.read_back() {
            Ok(false) => return false,
            Ok(true) => {
                self.handle_query_results();
                self.record_read_back();
            }
            Err(error) => self.fall_back(&error),
        }
        true
    }

    /// Returns whether the world can be stepped and edited now. This is false only in browsers, for
    /// a few frames while a world on a GPU is being read back. [`advance`](Self::advance) does
    /// nothing during this time.
    pub fn is_ready(&self) -> bool {
        self.simulation.is_ready()
    }

    /// Reads the world back. Returns an error if the host copy is not current afterwards.
    pub(super) fn require_read_back(&mut self) -> Result<(), LiveError> {
        if self.read_back() { Ok(()) } else { Err(LiveError::not_read_back()) }
    }

    /// Returns the reason why the world fell back to the CPU, if this happened since the last call.
    /// A fallback keeps all edits but loses the steps since the last read-back.
    pub fn take_fallback_reason(&mut self) -> Option<String> {
        self.fallback_reason.take()
    }

    /// Draws a world on a GPU into a texture of the same GPU with the format
    /// [`CANVAS`](headwater_gpu::CANVAS). Does not block and does not read the world back. Waves
    /// are drawn over the heights in `ground` (m) if given. Returns false if the world is on the
    /// CPU.
    #[cfg(feature = "gpu")]
    pub fn draw_into(
        &mut self,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> bool {
        let drawn = self.simulation.draw_into(view, ground);
        self.or_fall_back(drawn)
    }

    /// Writes the tracers of a world on a GPU into a buffer of the same GPU, as
    /// [`GpuFlow::draw_tracers`](headwater_gpu::flow::GpuFlow::draw_tracers) does. Returns false if
    /// the world is on the CPU or has no tracers.
    #[cfg(feature = "gpu")]
    pub fn draw_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> bool {
        let drawn = self.simulation.draw_tracers(target);
        self.or_fall_back(drawn)
    }

    /// Returns the value of `done`. If it is an error, falls back to the CPU and returns false.
    pub(super) fn or_fall_back(&mut self, done: Result<bool, ModelError>) -> bool {
        done.unwrap_or_else(|error| {
            self.fall_back(&error);
            false
        })
    }

    /// Records that the host copy is current, as the state for a later fallback.
    pub(super) fn record_read_back(&mut self) {
        let (stop, done) = (self.stop, self.done.clone());
        let changes = self.journal.changes.len();
        self.last_read_back = Some(ReadBack { stop, done, changes });
    }

    /// Drops the device's copy and continues on the CPU from the last read-back.
    pub(super) fn fall_back(&mut self, error: &ModelError) {
        self.simulation.discard_device_copy();
        self.awaits_read_back = false;
        self.clear_device_probe();
        self.backend = Backend::Cpu;
        if let Some(ReadBack { stop, done, changes }) = self.last_read_back.take() {
            (self.stop, self.done) = (stop, done);
            // The host copy already contains the edits made since the last read-back, so they count
            // as made at its time.
            self.journal.backdate(changes, self.clock(), self.simulation.steps());
        }
        self.fallback_reason = Some(error.to_string());
    }
}
