//! [`Motion`]: what moves the worlds of cases, the model itself or another.

use anyhow::Result;
use headwater::Field;
use headwater::blocks::Blocks;
use headwater::columns::Columns;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
use headwater::waves::Waves;

/// Moves a world; where nothing else is said, as the model does it. The cases know no other way, so that a test can hand
/// them one that moves nothing, and see them fail.
pub(super) trait Motion: Sync {
    /// How many steps it does of a run that only has to be long: all, if it can do so in minutes.
    fn long(&self, steps: u64) -> u64 {
        steps
    }

    /// Whether its steps are those of the plain loops in every bit. Devices may divide less exactly, and lose the
    /// signs of zeros.
    fn is_exact(&self) -> bool {
        true
    }

    /// Fails if only the model itself does something.
    fn by_model_alone(&self, what: &'static str) -> Result<()> {
        let _ = what;
        Ok(())
    }

    /// True if a case failed only because this does not do it.
    fn leaves_out(&self, error: &anyhow::Error) -> bool {
        let _ = error;
        false
    }

    /// Moves it by a number of steps of `dt` seconds.
    fn steps(&self, flow: &mut Flow, steps: u64, dt: f64) -> Result<()> {
        (0..steps).try_for_each(|_| Ok(flow.step(dt)?))
    }

    /// Moves it to a time (s) after its start, in steps as long as they may be.
    fn until(&self, flow: &mut Flow, time: f64) -> Result<()> {
        while flow.step_toward(time)? {}
        Ok(())
    }

    /// Moves waves by a number of steps.
    fn ripple(&self, waves: &mut Waves, steps: u64) -> Result<()> {
        (0..steps).for_each(|_| waves.step());
        Ok(())
    }

    /// Moves waves by the time of a frame (s).
    fn frame(&self, waves: &mut Waves, seconds: f64) -> Result<()> {
        self.by_model_alone("frames of waves are")?;
        Ok(waves.advance(seconds).map(drop)?)
    }

    /// Moves a block world by a number of ticks.
    fn ticks(&self, blocks: &mut Blocks, ticks: u64) -> Result<()> {
        self.by_model_alone("worlds of blocks are")?;
        (0..ticks).for_each(|_| blocks.step());
        Ok(())
    }

    /// Moves pools by a number of steps.
    fn swing(&self, columns: &mut Columns, steps: u64) -> Result<()> {
        self.by_model_alone("pools in side view are")?;
        (0..steps).for_each(|_| columns.step());
        Ok(())
    }

    /// Moves pools by the time of a frame (s).
    fn swing_for(&self, columns: &mut Columns, seconds: f64) -> Result<()> {
        self.by_model_alone("pools in side view are")?;
        Ok(columns.advance(seconds).map(drop)?)
    }

    /// Lets drops fall on a land.
    fn fall(&self, land: &mut Hydrology, drops: u64) -> Result<()> {
        self.by_model_alone("drops that carve land are")?;
        land.rain(drops);
        Ok(())
    }

    /// Pours a volume (m³) at a place (m) of a land.
    fn pour(&self, land: &mut Hydrology, place: [f64; 2], volume: f64) -> Result<()> {
        self.by_model_alone("lakes of carved land are")?;
        Ok(land.pour(place, volume)?)
    }
}

/// The model itself.
pub(super) struct Model;

impl Motion for Model {}

/// How far what a device has moved may be from what the plain loops have, over the greatest value.
pub(super) const NEAR: f32 = 1e-4;

/// True if a motion has come to what the plain loops have come to, as nearly as it can: two hashes, and two fields.
pub(super) fn agree(
    motion: &dyn Motion,
    hashes: [u64; 2],
    [found, plain]: [&Field<f32>; 2],
) -> bool {
    if motion.is_exact() {
        return hashes[0] == hashes[1];
    }
    let pairs = || found.as_slice().iter().zip(plain.as_slice());
    let greatest = pairs().fold(0.0, |most: f32, (_, plain)| most.max(plain.abs()));
    pairs().all(|(found, plain)| (found - plain).abs() <= NEAR * greatest)
}
