//! [`MpiTrial`]: the individual tests of `headwater-mpi`, which share a folder for their outputs.

use super::outputs::{
    CHECKPOINT, check_exit_status, check_runs_are_equal, child_processes, copy, read_state_hash,
    send_signal, wait_until_checkpoint_is_written,
};
use super::scenes::{LONG_RUN, random_edits_scene};
use crate::place;
use crate::process::find_program;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Number of MPI ranks. `None` stands for the program `headwater` in a single process.
type RankCount = Option<usize>;

/// Scene settings that reduce the number of output images, whose writing would otherwise dominate
/// the run time.
const FEWER_IMAGES: [&str; 2] = ["output.frames=3", "output.gif=false"];

/// Returns the two numbers of ranks (1 to 6) on which a scene is tested. They depend on
/// `scene_index`, the index of the scene in the list, so that both small and large numbers of ranks
/// are tested.
fn rank_counts(scene_index: usize) -> [usize; 2] {
    [[2, 6][scene_index % 2], [3, 1, 4][scene_index % 3]]
}

/// Command-line options that make row blocks move between ranks as often as possible.
const REBALANCE_OFTEN: [&str; 6] =
    ["--hand-over", "0", "--hand-over-every", "1", "--block-rows", "8"];

/// Memory limit for the runs, slightly above the minimum for the smaller scenes.
const MEMORY: &str = "200MiB";

/// Maximum time from the death of a rank to the end of its MPI job.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Programs under test, and the folder for the outputs of their runs.
pub(super) struct MpiTrial<'a> {
    /// Folder that contains the two programs.
    programs: PathBuf,
    mpirun: PathBuf,
    pub(super) folder: &'a Path,
}

impl<'a> MpiTrial<'a> {
    pub(super) fn new(profile: &str, folder: &'a Path) -> Result<Self> {
        let mpirun = find_program(&["mpirun.openmpi", "mpirun"]).context("there is no `mpirun`")?;
        Ok(Self { programs: place::profile_folder(profile), mpirun, folder })
    }

    /// Returns a command that runs a scene with the settings `set` and writes to the folder `out`,
    /// in one process or on several ranks.
    pub(super) fn command(&self, ranks: RankCount, scene: &str, set: &str, out: &Path) -> Command {
        let mut command = match ranks {
            None => Command::new(self.programs.join("headwater")),
            Some(ranks) => {
                let mut command = Command::new(&self.mpirun);
                command.args(["--allow-run-as-root", "--oversubscribe", "--tag-output"]);
                // With more ranks than cores, waiting ranks must yield their core.
                command.args(["--mca", "mpi_yield_when_idle", "1", "-n", &ranks.to_string()]);
                command.arg(self.programs.join("headwater-mpi"));
                command
            }
        };
        command.args(["run", scene, "--out"]).arg(out);
        command.args(
            FEWER_IMAGES
                .iter()
                .copied()
                .chain(set.split_whitespace())
                .flat_map(|set| ["--set", set]),
        );
        command.current_dir(self.folder).stdin(Stdio::null());
        command
    }

    /// Runs a scene and returns the path of the run's output folder.
    pub(super) fn run(
        &self,
        ranks: RankCount,
        scene: &str,
        set: &str,
        more: &[&str],
    ) -> Result<PathBuf> {
        self.run_with_stderr(ranks, scene, set, more).map(|(out, _)| out)
    }

    /// Runs a scene. Returns the path of the run's output folder, and what the program wrote to
    /// standard error.
    pub(super) fn run_with_stderr(
        &self,
        ranks: RankCount,
        scene: &str,
        set: &str,
        more: &[&str],
    ) -> Result<(PathBuf, String)> {
        let name = ranks.map_or("one".into(), |ranks| format!("ranks-{ranks}"));
        let out = self.folder.join(name);
        if !more.contains(&"--resume") {
            let _ = fs::remove_dir_all(&out);
        }
        let output = self.command(ranks, scene, set, &out).args(more).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        check_exit_status(output)?;
        Ok((out, said))
    }

    /// Runs a scene in one process and on several ranks, and compares the outputs. If `scene_index`
    /// is a multiple of 3, also compares a run with a low memory limit. Returns whether rows have
    /// moved between ranks.
    pub(super) fn check_ranks(&self, scene_index: usize, scene: &str, set: &str) -> Result<bool> {
        let begun = Instant::now();
        let layers = ["--layers", "depth,surface,velocity_y"];
        let one = self.run(None, scene, set, &layers)?;
        let mut moved = false;
        for ranks in rank_counts(scene_index) {
            let threads = ["--threads", if ranks == 3 { "2" } else { "1" }];
            let often = if ranks % 2 == 0 { &REBALANCE_OFTEN[..] } else { &[] };
            let more = [&layers[..], &threads, often].concat();
            let (other, said) = self.run_with_stderr(Some(ranks), scene, set, &more)?;
            check_runs_are_equal(&one, &other)
                .with_context(|| format!("{scene} {set} on {ranks} ranks"))?;
            moved |= said.contains("rows have moved");
        }
        if scene_index.is_multiple_of(3) {
            let out = self.folder.join("memory");
            let _ = fs::remove_dir_all(&out);
            let mut command = self.command(None, scene, set, &out);
            check_exit_status(command.args(layers).args(["--memory", MEMORY]).output()?)?;
            check_runs_are_equal(&one, &out)
                .with_context(|| format!("{scene} {set} with {MEMORY}"))?;
        }
        let seconds = begun.elapsed().as_secs_f64();
        let moves = if moved { ", rows moved" } else { "" };
        println!("{}  {scene} {set}{moves}, {seconds:.1} s", read_state_hash(&one)?);
        Ok(moved)
    }

    /// Runs a world with frequent random edits in one process and on several ranks, and compares
    /// the layers over time and the final states.
    pub(super) fn check_edits(&self, level: &str, seed: u64) -> Result<()> {
        let scene = self.folder.join(format!("edits-{level}.toml"));
        fs::write(&scene, random_edits_scene(level, seed))?;
        let scene = scene.to_string_lossy().into_owned();
        let one = self.run(None, &scene, "", &[])?;
        for ranks in [2, 5] {
            let other = self.run(Some(ranks), &scene, "", &[])?;
            let what = || format!("edits of seed {seed}, {level}, on {ranks} ranks");
            check_runs_are_equal(&one, &other).with_context(what)?;
        }
        println!("{}  random edits, {level}, seed {seed}", read_state_hash(&one)?);
        Ok(())
    }

    /// Starts a long run on several ranks that repeatedly writes a checkpoint to the folder `out`.
    /// Returns once the first checkpoint is complete.
    pub(super) fn start_long_run(&self, ranks: usize, out: &Path) -> Result<Child> {
        let mut command = self.command(Some(ranks), "rain-on-hills", LONG_RUN, out);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let checkpoint = out.join(CHECKPOINT);
        let begun = Instant::now();
        while !checkpoint.exists() {
            ensure!(begun.elapsed() < Duration::from_secs(60), "no checkpoint was written");
            sleep(Duration::from_millis(20));
        }
        Ok(child)
    }

    /// Resumes the run in the folder `interrupted_run` on several ranks or in one process, and
    /// compares its result with that of the uninterrupted run in the folder `straight`.
    pub(super) fn check_resume(
        &self,
        interrupted_run: &Path,
        straight: &Path,
        ranks: RankCount,
    ) -> Result<()> {
        let out = self.folder.join("resumed");
        let _ = fs::remove_dir_all(&out);
        copy(interrupted_run, &out)?;
        check_exit_status(
            self.command(ranks, "rain-on-hills", LONG_RUN, &out).arg("--resume").output()?,
        )?;
        check_runs_are_equal(straight, &out).with_context(|| format!("resumed on {ranks:?} ranks"))
    }

    pub(super) fn check_resume_on_other_ranks(&self) -> Result<()> {
        let straight = self.run(None, "rain-on-hills", LONG_RUN, &[])?;
        let left = self.folder.join("stopped");
        let _ = fs::remove_dir_all(&left);
        let job = self.start_long_run(4, &left)?;
        send_signal(job.id(), "USR1")?;
        let ended = job.wait_with_output()?;
        let said = String::from_utf8_lossy(&ended.stderr);
        ensure!(said.contains("stopped at"), "the job of four ranks did not stop: {said}");
        self.check_checkpoint(&left.join(CHECKPOINT))?;
        for ranks in [Some(1), Some(3), None] {
            self.check_resume(&left, &straight, ranks)?;
        }
        println!(
            "{}  stopped on 4 ranks, resumed on 1, on 3 and in one process",
            read_state_hash(&straight)?
        );
        Ok(())
    }

    /// Checks that `headwater info` can read the checkpoint at `path`.
    pub(super) fn check_checkpoint(&self, path: &Path) -> Result<()> {
        let mut info = Command::new(self.programs.join("headwater"));
        let reports = info.arg("info").arg(path).arg("--json").output()?;
        let said = String::from_utf8_lossy(&reports.stdout).into_owned();
        check_exit_status(reports)?;
        ensure!(said.contains("\"kind\": \"checkpoint\""), "{}: {said}", path.display());
        Ok(())
    }

    pub(super) fn check_resume_after_killed_rank(&self) -> Result<()> {
        let straight = self.run(None, "rain-on-hills", LONG_RUN, &[])?;
        for victim in [0, 2] {
            let left = self.folder.join("killed");
            let _ = fs::remove_dir_all(&left);
            let job = self.start_long_run(3, &left)?;
            let ranks = child_processes(job.id())?;
            wait_until_checkpoint_is_written(&left);
            let rank = ranks.get(victim).context("the job has no such rank")?;
            send_signal(*rank, "KILL")?;
            let killed = Instant::now();
            let ended = job.wait_with_output()?;
            let said = String::from_utf8_lossy(&ended.stderr);
            ensure!(
                !ended.status.success(),
                "a job succeeded although one of its ranks was killed"
            );
            ensure!(killed.elapsed() < EXIT_TIMEOUT, "the job went on for {:?}", killed.elapsed());
            ensure!(said.contains("signal 9"), "the message does not mention the rank: {said}");
            self.check_resume(&left, &straight, Some(2))?;
        }
        println!("{}  a rank was killed, and the run resumed", read_state_hash(&straight)?);
        Ok(())
    }

    /// Checks that unsupported scenes are rejected without writing output, with a message that
    /// names the unsupported feature.
    pub(super) fn check_unsupported_scenes(&self) -> Result<()> {
        for (scene, name) in [
            ("drifting-logs", "body"),
            ("dam-breach", "particles"),
            ("lowland-river", "settle"),
            ("hex-valley", "water.lake"),
            ("u-tube", "only the model `flow` does"),
            ("pond", "only the model `flow` does"),
        ] {
            let out = self.folder.join("refused");
            let refused = self.command(Some(2), scene, "", &out).output()?;
            let said = String::from_utf8_lossy(&refused.stderr);
            ensure!(
                !refused.status.success() && said.contains(name),
                "{scene} is not refused: {said}"
            );
            ensure!(!out.exists(), "{scene} was refused but has written files");
        }
        Ok(())
    }

    /// Checks that a usage error is reported by a single rank.
    pub(super) fn check_usage_errors(&self) -> Result<()> {
        let out = self.folder.join("refused");
        let mut command = self.command(Some(3), "lava", "", &out);
        let refused = command.arg("--no-such-option").output()?;
        let said = String::from_utf8_lossy(&refused.stderr);
        let reports = said.matches("unexpected argument").count();
        ensure!(refused.status.code() == Some(2), "bad usage ends with {}", refused.status);
        ensure!(reports == 1, "the usage error is reported {reports} times: {said}");
        Ok(())
    }
}
