//! [`Motion`]: what moves the worlds of cases, the model itself or another.

use anyhow::Result;
use headwater::Field;
use headwater::blocks::Blocks;
use headwater::columns::Columns;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
use headwater::waves::Waves;

/// A world and how far it is to be moved.
pub(super) enum Work<'a> {
    /// Number of steps, and their length (s).
    Steps(&'a mut Flow, u64, f64),
    /// To a time (s) after its start, in steps as long as they may be.
    Until(&'a mut Flow, f64),
    /// A number of steps.
    Ripple(&'a mut Waves, u64),
    /// The time of a frame (s).
    Frame(&'a mut Waves, f64),
    /// A number of ticks.
    Ticks(&'a mut Blocks, u64),
    /// A number of steps.
    Swing(&'a mut Columns, u64),
    /// The time of a frame (s).
    SwingFor(&'a mut Columns, f64),
    /// A number of drops that fall on it.
    Fall(&'a mut Hydrology, u64),
    /// A volume (m³) that is poured at a place (m).
    Pour(&'a mut Hydrology, [f64; 2], f64),
}

/// Moves the worlds of cases. Tests pass one that moves nothing, with which every case must fail.
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

    /// True if a case failed only because this does not do it.
    fn leaves_out(&self, _error: &anyhow::Error) -> bool {
        false
    }

    /// Moves a world.
    fn run(&self, work: Work) -> Result<()>;
}

impl dyn Motion + '_ {
    pub(super) fn steps(&self, flow: &mut Flow, steps: u64, dt: f64) -> Result<()> {
        self.run(Work::Steps(flow, steps, dt))
    }

    pub(super) fn until(&self, flow: &mut Flow, time: f64) -> Result<()> {
        self.run(Work::Until(flow, time))
    }

    pub(super) fn ripple(&self, waves: &mut Waves, steps: u64) -> Result<()> {
        self.run(Work::Ripple(waves, steps))
    }

    pub(super) fn ticks(&self, blocks: &mut Blocks, ticks: u64) -> Result<()> {
        self.run(Work::Ticks(blocks, ticks))
    }

    pub(super) fn swing(&self, columns: &mut Columns, steps: u64) -> Result<()> {
        self.run(Work::Swing(columns, steps))
    }

    pub(super) fn fall(&self, land: &mut Hydrology, drops: u64) -> Result<()> {
        self.run(Work::Fall(land, drops))
    }

    pub(super) fn pour(&self, land: &mut Hydrology, place: [f64; 2], volume: f64) -> Result<()> {
        self.run(Work::Pour(land, place, volume))
    }
}

/// The model itself.
pub(super) struct Model;

impl Motion for Model {
    fn run(&self, work: Work) -> Result<()> {
        match work {
            Work::Steps(flow, steps, dt) => (0..steps).try_for_each(|_| flow.step(dt))?,
            Work::Until(flow, time) => while flow.step_toward(time)? {},
            Work::Ripple(waves, steps) => (0..steps).for_each(|_| waves.step()),
            Work::Frame(waves, seconds) => drop(waves.advance(seconds)?),
            Work::Ticks(blocks, ticks) => (0..ticks).for_each(|_| blocks.step()),
            Work::Swing(columns, steps) => (0..steps).for_each(|_| columns.step()),
            Work::SwingFor(columns, seconds) => drop(columns.advance(seconds)?),
            Work::Fall(land, drops) => land.rain(drops),
            Work::Pour(land, place, volume) => land.pour(place, volume)?,
        }
        Ok(())
    }
}

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
