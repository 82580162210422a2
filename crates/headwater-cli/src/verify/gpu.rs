//! The same cases, with worlds that a GPU moves. What is not done there says so.

use super::{Motion, Work};
use anyhow::Result;
use headwater::waves::Waves;
use headwater_gpu::flow::{GpuFlow, Options};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::{Gpu, GpuError};
use std::sync::{Mutex, PoisonError};

/// Moves worlds on a GPU. Each is handed over, moved, and brought back.
pub(super) struct OnGpu {
    gpu: Gpu,
    /// Waves that were moved last, as they were brought back, to go on with if they are asked for step by step.
    ponds: Mutex<Vec<GpuWaves>>,
}

/// How many worlds of waves are kept on the device: one for each case that runs at the same time, and more.
const PONDS: usize = 8;

impl OnGpu {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { gpu: Gpu::new()?, ponds: Mutex::default() })
    }
}

/// Of a long run, a program in place of a GPU does this part: a step costs it a hundred times as much.
const SOFTWARE: u64 = 50;

impl Motion for OnGpu {
    fn long(&self, steps: u64) -> u64 {
        if self.gpu.adapter().software { steps / SOFTWARE } else { steps }
    }

    fn is_exact(&self) -> bool {
        self.gpu.adapter().software
    }

    fn leaves_out(&self, error: &anyhow::Error) -> bool {
        matches!(error.downcast_ref(), Some(GpuError::Unsupported(_)))
    }

    fn run(&self, work: Work) -> Result<()> {
        let not_done = |what| Err(GpuError::Unsupported(what).into());
        match work {
            Work::Steps(flow, steps, dt) => {
                let mut there = GpuFlow::new(&self.gpu, flow.clone(), Options::default())?;
                there.steps(steps as usize, dt)?;
                flow.clone_from(there.sync()?);
                Ok(())
            }
            Work::Until(flow, time) => {
                let mut there = GpuFlow::new(&self.gpu, flow.clone(), Options::default())?;
                while self.gpu.block_on(there.step_toward(time))? {}
                flow.clone_from(there.sync()?);
                Ok(())
            }
            Work::Ripple(waves, steps) => self.ripple(waves, steps),
            Work::Frame(..) => not_done("frames of waves are"),
            Work::Ticks(..) => not_done("worlds of blocks are"),
            Work::Swing(..) | Work::SwingFor(..) => not_done("pools in side view are"),
            Work::Fall(..) => not_done("drops that carve land are"),
            Work::Pour(..) => not_done("lakes of carved land are"),
        }
    }
}

impl OnGpu {
    fn ripple(&self, waves: &mut Waves, steps: u64) -> Result<()> {
        let now = waves.state_hash();
        let same = |there: &GpuWaves| {
            let known = there.waves();
            waves.steps() > 0
                && (known.steps(), known.params()) == (waves.steps(), waves.params())
                && known.state_hash() == now
        };
        let mut ponds = self.ponds.lock().unwrap_or_else(PoisonError::into_inner);
        let known = ponds.iter().position(same).map(|i| ponds.remove(i));
        drop(ponds);
        let handed_over = || GpuWaves::new(&self.gpu, waves.clone());
        let mut there = known.map_or_else(handed_over, Ok)?;
        there.step_many(steps)?;
        waves.clone_from(there.sync()?);
        let mut ponds = self.ponds.lock().unwrap_or_else(PoisonError::into_inner);
        ponds.truncate(PONDS - 1);
        ponds.insert(0, there);
        Ok(())
    }
}
