//! A run: a scene's world from its start to its end, with events, gauges and pictures on the way,
//! stopped and resumed at will.
//!
//! What a run writes goes into one folder: `frame-0001.png` …, `final.png`, `animation.gif`, layers,
//! `NAME.csv` for each gauge, and `summary.json`, the last. A run that is stopped leaves
//! `checkpoint.headwater` instead of a summary; resumed, it ends like one that was never stopped, bit
//! for bit. Progress is reported to a [`Watch`]; nothing is printed here.

mod checkpoint;
mod folder;
mod gallery;
mod gauges;
mod schedule;
mod summary;

pub use checkpoint::{CheckpointInfo, checkpoint_info, is_checkpoint};
pub use summary::{LedgerSummary, Summary, lattice_name};

use crate::schema::{Scene, SceneError};
use crate::world::World;
use checkpoint::Checkpoint;
use gallery::Gallery;
use gauges::{Gauges, Readings};
use headwater::flow::{Flow, FlowError, Settle, Settled};
use schedule::{Done, Due, Schedule};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Name of the file that a stopped run leaves.
pub const CHECKPOINT: &str = "checkpoint.headwater";
/// Name of the file that a finished run leaves.
pub const SUMMARY: &str = "summary.json";

/// Looks on while a scene runs.
pub trait Watch {
    /// Called after every step; breaking stops the run, and leaves a checkpoint.
    fn step(&mut self, flow: &Flow) -> ControlFlow<()>;
    /// Called when something that takes a while begins, such as `writing animation.gif`.
    fn begins(&mut self, work: &str);
}

/// Why a run could not be done.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// There is nothing that this scene could resume.
    #[error("{}: {problem}", .path.display())]
    Resume {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file cannot be written.
    #[error("{}: {problem}", .path.display())]
    Output {
        /// The file, or its folder.
        path: PathBuf,
        /// What went wrong.
        problem: String,
    },
    /// The model refused to go on.
    #[error("at {time} s: {source}")]
    Model {
        /// Simulated time (s).
        time: f64,
        /// The model's reason.
        source: FlowError,
    },
    /// A depth is no longer a number.
    #[error("at {0} s the water is no longer a number: this is a fault of the model")]
    Broken(f64),
}

/// How a run ended.
#[derive(Debug)]
pub enum End {
    /// At its end, with the summary that was written.
    Done(Box<Summary>),
    /// Stopped at a time (s), with the checkpoint that was written.
    Stopped {
        /// Simulated time (s).
        time: f64,
        /// The checkpoint.
        checkpoint: PathBuf,
    },
}

/// A scene being run.
pub struct Run<'a> {
    scene: &'a Scene,
    name: String,
    folder: PathBuf,
    world: World,
    schedule: Schedule,
    done: Done,
    gauges: Gauges,
    readings: Readings,
    gallery: Gallery,
    begun: Instant,
    /// Time taken by the run before it was resumed.
    wall_before: f64,
    /// What came of settling, once that is over.
    settled: Option<Settled>,
    /// Time taken by stepping alone, and the steps that took it.
    stepping: (Duration, u64),
}

impl<'a> Run<'a> {
    /// Begins a run of `scene`, called `name`, that writes into `folder`. What earlier runs
    /// left there is removed.
    ///
    /// # Errors
    /// [`RunError`] if the scene's files cannot be used or the folder cannot be made.
    pub fn start(scene: &'a Scene, name: &str, folder: &Path) -> Result<Self, RunError> {
        let run = Self::prepare(scene, name, folder)?;
        let failed = |path: &Path, e: io::Error| output_error(path, e.to_string());
        std::fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
        for path in folder::leftovers(scene, folder).map_err(|e| failed(folder, e))? {
            std::fs::remove_file(&path).map_err(|e| failed(&path, e))?;
        }
        Ok(run)
    }

    /// Goes on with a run of `scene` that was stopped and left its checkpoint in `folder`.
    ///
    /// # Errors
    /// [`RunError::Resume`] if there is no checkpoint, it is damaged, or of another scene.
    pub fn resume(scene: &'a Scene, name: &str, folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(CHECKPOINT);
        let refuse = |problem: String| RunError::Resume { path: path.clone(), problem };
        let checkpoint = Checkpoint::read(&path).map_err(refuse)?;
        if checkpoint.fingerprint != scene.fingerprint() {
            let problem = "is of another scene, or of this one with other settings";
            return Err(refuse(problem.into()));
        }
        let mut run = Self::prepare(scene, name, folder)?;
        let flow = Flow::restore(checkpoint.snapshot).map_err(|e| refuse(e.to_string()))?;
        let fits = flow.lattice() == run.world.flow.lattice()
            && run.schedule.fits(&checkpoint.done)
            && run.gauges.fits(&checkpoint.readings);
        if !fits {
            return Err(refuse("is not of this scene".into()));
        }
        run.world.flow = flow;
        run.done = checkpoint.done;
        run.readings = checkpoint.readings;
        run.gallery.frames = checkpoint.frames;
        run.wall_before = checkpoint.wall_seconds;
        run.settled = checkpoint.settled;
        Ok(run)
    }

    fn prepare(scene: &'a Scene, name: &str, folder: &Path) -> Result<Self, RunError> {
        let world = World::build(scene)?;
        folder::check_inputs(scene, folder)?;
        let gallery = Gallery::new(scene, scene.picture.clone(), folder, &world)
            .map_err(|error| scene.error(&format!("picture.{}", error.key), error.to_string()))?;
        let schedule = Schedule::new(scene);
        let gauges = Gauges::new(scene, world.flow.lattice());
        Ok(Self {
            scene,
            name: name.into(),
            folder: folder.into(),
            done: schedule.start(),
            schedule,
            readings: gauges.no_readings(),
            gauges,
            gallery,
            world,
            begun: Instant::now(),
            wall_before: 0.0,
            settled: None,
            stepping: (Duration::ZERO, 0),
        })
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Runs to the end of the scene, or until the watch breaks.
    ///
    /// # Errors
    /// [`RunError`] if the model fails or a file cannot be written.
    pub fn go(mut self, watch: &mut dyn Watch) -> Result<End, RunError> {
        if self.settle(watch)?.is_break() {
            return self.stop();
        }
        loop {
            while let Some(due) = self.schedule.take(&mut self.done, self.world.flow.time()) {
                self.perform(due)?;
            }
            if self.world.flow.time() >= self.scene.time.until {
                return Ok(End::Done(Box::new(self.finish(watch)?)));
            }
            if self.advance(self.schedule.next_stop(&self.done), watch)?.is_break() {
                return self.stop();
            }
        }
    }

    /// Lets the world come to a steady state first, if the scene says so.
    fn settle(&mut self, watch: &mut dyn Watch) -> Result<ControlFlow<()>, RunError> {
        let Some(wished) = self.scene.settle.filter(|_| self.settled.is_none()) else {
            return Ok(ControlFlow::Continue(()));
        };
        let (begun, first) = (Instant::now(), self.world.flow.steps());
        let flow = &mut self.world.flow;
        if flow.settling().is_none() {
            let settle = Settle { tolerance: wished.tolerance, longest: wished.longest };
            let time = flow.time();
            flow.begin_settling(settle).map_err(|source| RunError::Model { time, source })?;
        }
        let mut going = ControlFlow::Continue(());
        while going.is_continue() && self.settled.is_none() {
            self.settled = flow.settle_step();
            going = watch.step(flow);
        }
        self.stepping.0 += begun.elapsed();
        self.stepping.1 += flow.steps() - first;
        Ok(going)
    }

    /// Steps to the time `stop` (s), or until the watch breaks.
    fn advance(&mut self, stop: f64, watch: &mut dyn Watch) -> Result<ControlFlow<()>, RunError> {
        let (begun, first) = (Instant::now(), self.world.flow.steps());
        let mut flow = ControlFlow::Continue(());
        while flow.is_continue() {
            let world = &mut self.world.flow;
            let time = world.time();
            if !world.step_toward(stop).map_err(|source| RunError::Model { time, source })? {
                break;
            }
            flow = watch.step(world);
        }
        self.stepping.0 += begun.elapsed();
        self.stepping.1 += self.world.flow.steps() - first;
        if !self.world.flow.volume().is_finite() {
            return Err(RunError::Broken(self.world.flow.time()));
        }
        Ok(flow)
    }

    fn perform(&mut self, due: Due) -> Result<(), RunError> {
        let time = self.world.flow.time();
        match due {
            Due::Event(i) => self
                .world
                .act(&self.scene.events[i])
                .map_err(|source| RunError::Model { time, source }),
            Due::Gauge(i) => {
                self.gauges.read(i, &self.world, &mut self.readings);
                Ok(())
            }
            Due::Frame => self.gallery.frame(&self.world).map_err(|p| self.output_error(p)),
        }
    }

    fn stop(self) -> Result<End, RunError> {
        let time = self.world.flow.time();
        let path = self.folder.join(CHECKPOINT);
        let checkpoint = Checkpoint {
            fingerprint: self.scene.fingerprint(),
            done: self.done,
            frames: self.gallery.frames,
            readings: self.readings,
            wall_seconds: self.wall_before + self.begun.elapsed().as_secs_f64(),
            settled: self.settled,
            snapshot: self.world.flow.snapshot(),
        };
        checkpoint.write(&path).map_err(|e| output_error(&path, e.to_string()))?;
        Ok(End::Stopped { time, checkpoint: path })
    }

    fn finish(mut self, watch: &mut dyn Watch) -> Result<Summary, RunError> {
        let output = &self.scene.output;
        let mut pictures = self.gallery.frame_paths();
        if output.final_picture {
            let drawn = self.gallery.draw(&self.world, gallery::FINAL);
            pictures.push(drawn.map_err(|p| self.output_error(p))?);
        }
        if output.gif && self.gallery.frames > 0 {
            watch.begins("writing animation.gif");
            let made = self.gallery.animate(output.fps);
            pictures.push(made.map_err(|p| self.output_error(p))?);
        }
        let mut layers = Vec::new();
        for &layer in &output.layers {
            let written =
                gallery::write_layer(&self.world, layer, output.layer_format, &self.folder);
            layers.push(written.map_err(|p| self.output_error(p))?);
        }
        if let Some(fast) = output.flow_map {
            let written = gallery::write_flow_map(&self.world, fast, &self.folder);
            layers.push(written.map_err(|p| self.output_error(p))?);
        }
        let mut meshes = Vec::new();
        if let Some(format) = output.mesh {
            let written = gallery::write_mesh(&self.world, format, &self.folder);
            meshes.push(written.map_err(|e| self.output_error(e.to_string()))?);
        }
        let series = self.gauges.write(&self.folder, &self.readings);
        let series = series.map_err(|e| self.output_error(e.to_string()))?;
        let flow = &self.world.flow;
        let lattice = flow.lattice();
        let (stepping, steps) = self.stepping;
        let cell_steps = steps as f64 * lattice.cells() as f64;
        let summary = Summary {
            scene: self.name.clone(),
            model: "flow",
            backend: "cpu",
            threads: rayon::current_num_threads(),
            lattice: summary::lattice_name(lattice),
            nx: lattice.nx(),
            ny: lattice.ny(),
            steps: flow.steps(),
            simulated_seconds: flow.time(),
            wall_seconds: self.wall_before + self.begun.elapsed().as_secs_f64(),
            cell_steps_per_second: cell_steps / stepping.as_secs_f64().max(f64::MIN_POSITIVE),
            state_hash: summary::hash_text(flow.state_hash()),
            ledger: LedgerSummary::of(flow),
            pictures: summary::names(&pictures),
            layers: summary::names(&layers),
            meshes: summary::names(&meshes),
            gauges: summary::names(&series),
            settled: self.settled,
            notices: self.notices(),
        };
        let path = self.folder.join(SUMMARY);
        summary.write(&path).map_err(|e| output_error(&path, e.to_string()))?;
        // The run is over: nothing is left to resume.
        let _ = std::fs::remove_file(self.folder.join(CHECKPOINT));
        Ok(summary)
    }

    /// What whoever runs the scene should know.
    fn notices(&self) -> Vec<String> {
        let mut notices = self.world.terrain.notices.clone();
        if let Some(Settled { residual, seconds, .. }) = self.settled.filter(|s| !s.reached) {
            notices.push(format!(
                "the world did not settle within {seconds:.0} s: its surface still changes by \
                 {residual:.1e} m/s"
            ));
        }
        notices
    }

    fn output_error(&self, problem: String) -> RunError {
        output_error(&self.folder, problem)
    }
}

fn output_error(path: &Path, problem: String) -> RunError {
    RunError::Output { path: path.into(), problem }
}
