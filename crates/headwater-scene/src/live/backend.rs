//! Methods that move an interactive world between backends (the CPU or a device such as a GPU),
//! even while it runs.
//!
//! For a world on a GPU, the host keeps the state that was last copied from the GPU. Brush edits of
//! the model `flow` and surface disturbances of the model `waves` are applied on the GPU. They are
//! also applied to the state on the host, in case the GPU is lost. Before any other change, such as
//! another edit, a parameter change, an undo or a snapshot, the current state is copied to the
//! host.
//!
//! [`Live::world`], [`Live::probe`], [`Live::ledger`] and [`Live::state_hash`] read the state on
//! the host. Call [`Live::read_back`] to bring it up to date. The clock is always current.

use super::error::LiveError;
use super::live::Live;
use super::read_back::ReadBack;
use crate::run::move_to_backend;
use crate::run::{Backend, ModelError};

impl Live {
    /// Returns the backend that currently steps the world.
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Moves the world to a backend, where it continues from its current state.
    ///
    /// On a device that rounds divisions correctly, the steps of the model `waves`, and of the
    /// model `flow` with the physics `pipes`, are bit-identical to those on the CPU. With other
    /// physics of `flow`, time steps on a device are about 5 % shorter, and their length depends on
    /// the batch size.
    ///
    /// # Errors
    /// Returns [`LiveError::Model`] with the reason if the backend cannot step this world, or if
    /// the world cannot be moved now. The world then stays on its backend.
    pub fn set_backend(&mut self, backend: &Backend) -> Result<(), LiveError> {
        if self.settling && backend.is_device() {
            let problem =
                "the world is still being relaxed to a steady state, which runs only on the CPU";
            return Err(LiveError::Model(problem.into()));
        }
        self.require_read_back()?;
        move_to_backend(&mut *self.simulation, &self.scene, backend)
            .map_err(LiveError::from_model_error)?;
        self.backend = backend.clone();
        self.clear_device_probe();
        self.record_read_back();
        Ok(())
    }

    /// Copies the state of a world on a device to the host. Returns true if the state on the host
    /// is now current. If the device is lost, the world continues on the CPU from the state that
    /// was last copied. In this case, this also returns true, and
    /// [`take_fallback_reason`](Self::take_fallback_reason) returns the reason.
    ///
    /// Browsers cannot block. There, this returns false while the copy is in progress, and must be
    /// called again in a later frame. Until it returns true, the world does not step, and
    /// operations that need the state on the host return an error. Such operations are undo,
    /// snapshots and parameter changes.
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
            Err(error) => self.fall_back_to_cpu(&error),
        }
        true
    }

    /// Returns whether the world can be stepped and edited now. Returns false only in browsers, for
    /// a few frames while a world on a GPU is being copied to the host. During this time,
    /// [`advance`](Self::advance) does nothing.
    pub fn is_ready(&self) -> bool {
        self.simulation.is_ready()
    }

    /// Copies the state of a world on a device to the host.
    ///
    /// # Errors
    /// Returns an error if the copy is still in progress, so that the state on the host is not
    /// current yet.
    pub(super) fn require_read_back(&mut self) -> Result<(), LiveError> {
        if self.read_back() { Ok(()) } else { Err(LiveError::read_back_pending()) }
    }

    /// Returns the reason why the world moved from a device to the CPU, if this has happened since
    /// the last call. After such a move, the world has all edits, but the steps since its state was
    /// last copied to the host are lost.
    pub fn take_fallback_reason(&mut self) -> Option<String> {
        self.fallback_reason.take()
    }

    /// Draws a world on a GPU into a texture of the same GPU. The texture must have the format
    /// [`CANVAS_FORMAT`](headwater_gpu::CANVAS_FORMAT). Does not block, and does not copy the world
    /// to the host. For the model `waves`, `ground` may contain ground elevations relative to the
    /// surface at rest (m), which replace the bed in the picture. Returns false if the world is on
    /// the CPU.
    #[cfg(feature = "gpu")]
    pub fn draw_into(
        &mut self,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> bool {
        let drawn = self.simulation.draw_into(view, ground);
        self.unwrap_or_fall_back(drawn)
    }

    /// Writes the tracer particles of a world on a GPU into a buffer of the same GPU. See
    /// [`GpuFlow::write_tracers`](headwater_gpu::flow::GpuFlow::write_tracers) for the format.
    /// Returns false if the world is on the CPU or has no tracers.
    #[cfg(feature = "gpu")]
    pub fn write_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> bool {
        let drawn = self.simulation.write_tracers(target);
        self.unwrap_or_fall_back(drawn)
    }

    /// Unwraps the result of an operation on the device. If `result` is `Ok`, returns the value
    /// that it contains. If it is a device error, moves the world to the CPU and returns false.
    pub(super) fn unwrap_or_fall_back(&mut self, result: Result<bool, ModelError>) -> bool {
        result.unwrap_or_else(|error| {
            self.fall_back_to_cpu(&error);
            false
        })
    }

    /// Records the scheduled tasks that are done and the number of edits. If the device is lost,
    /// the world returns to the recorded point. The state on the host must be current.
    pub(super) fn record_read_back(&mut self) {
        let (stop, schedule_progress) = (self.stop, self.schedule_progress.clone());
        let edit_count = self.journal.changes.len();
        self.last_read_back = Some(ReadBack { stop, schedule_progress, edit_count });
    }

    /// Discards the copy on the device. The world continues on the CPU from the state that was last
    /// copied to the host.
    pub(super) fn fall_back_to_cpu(&mut self, error: &ModelError) {
        self.simulation.discard_device_copy();
        self.awaits_read_back = false;
        self.clear_device_probe();
        self.backend = Backend::Cpu;
        if let Some(ReadBack { stop, schedule_progress, edit_count }) = self.last_read_back.take() {
            (self.stop, self.schedule_progress) = (stop, schedule_progress);
            // The state on the host already contains the edits since the last copy, so the journal
            // dates them at the time of that copy.
            self.journal.backdate(edit_count, self.clock(), self.simulation.steps());
            self.gauges.rewind(self.clock());
        }
        self.fallback_reason = Some(error.to_string());
    }
}
