//! [`Trial`]: what is tried of programs, one trial after the other in one folder.

use super::left::{CHECKPOINT, await_writing, children, copy, done, same, signal, state};
use super::scenes::{LONG, edits};
use crate::place;
use crate::process::find;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How many ranks there are; without, the program runs on one process.
type Ranks = Option<usize>;

/// A few pictures: more take more time than all the rest.
const PICTURES: [&str; 2] = ["output.frames=3", "output.gif=false"];

/// On how many ranks the `turn`-th of a list of scenes is run: by turns, on few or on more than there are cores, and on one of the
/// rest.
fn ranks(turn: usize) -> [usize; 2] {
    [[2, 6][turn % 2], [3, 1, 4][turn % 3]]
}

/// Has bands go from rank to rank whenever any work is saved by it, and has enough of them for that.
const OFTEN: [&str; 6] = ["--hand-over", "0", "--hand-over-every", "1", "--block-rows", "8"];

/// What the smaller scenes need at least, and little more.
const MEMORY: &str = "200MiB";

/// How soon a job ends of which a rank has died.
const SOON: Duration = Duration::from_secs(10);

/// Programs that are tried.
pub(super) struct Trial<'a> {
    /// Where programs are.
    programs: PathBuf,
    mpirun: PathBuf,
    pub(super) folder: &'a Path,
}

impl<'a> Trial<'a> {
    pub(super) fn new(profile: &str, folder: &'a Path) -> Result<Self> {
        let mpirun = find(&["mpirun.openmpi", "mpirun"]).context("there is no `mpirun`")?;
        Ok(Self { programs: place::built(profile), mpirun, folder })
    }

    /// The program on one process, or on so many ranks, about to run a scene into a folder.
    pub(super) fn command(&self, ranks: Ranks, scene: &str, set: &str, out: &Path) -> Command {
        let mut command = match ranks {
            None => Command::new(self.programs.join("headwater")),
            Some(ranks) => {
                let mut command = Command::new(&self.mpirun);
                command.args(["--allow-run-as-root", "--oversubscribe", "--tag-output"]);
                // More ranks than cores are to wait without taking the time of the others.
                command.args(["--mca", "mpi_yield_when_idle", "1", "-n", &ranks.to_string()]);
                command.arg(self.programs.join("headwater-mpi"));
                command
            }
        };
        command.args(["run", scene, "--out"]).arg(out);
        command.args(
            PICTURES.iter().copied().chain(set.split_whitespace()).flat_map(|set| ["--set", set]),
        );
        command.current_dir(self.folder).stdin(Stdio::null());
        command
    }

    /// Runs a scene to its end; returns where it has written.
    pub(super) fn run(
        &self,
        ranks: Ranks,
        scene: &str,
        set: &str,
        more: &[&str],
    ) -> Result<PathBuf> {
        self.run_and_hear(ranks, scene, set, more).map(|(out, _)| out)
    }

    /// As [`run`](Self::run), with what it says on the side.
    pub(super) fn run_and_hear(
        &self,
        ranks: Ranks,
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
        done(output)?;
        Ok((out, said))
    }

    /// Runs a scene by the program, on ranks, and in turn in little memory, and compares what they leave. Returns whether
    /// rows have moved from rank to rank.
    pub(super) fn same_on_ranks(&self, turn: usize, scene: &str, set: &str) -> Result<bool> {
        let begun = Instant::now();
        let layers = ["--layers", "depth,surface,velocity_y"];
        let one = self.run(None, scene, set, &layers)?;
        let mut moved = false;
        for ranks in ranks(turn) {
            let threads = ["--threads", if ranks == 3 { "2" } else { "1" }];
            let often = if ranks % 2 == 0 { &OFTEN[..] } else { &[] };
            let more = [&layers[..], &threads, often].concat();
            let (other, said) = self.run_and_hear(Some(ranks), scene, set, &more)?;
            same(&one, &other).with_context(|| format!("{scene} {set} on {ranks} ranks"))?;
            moved |= said.contains("rows have moved");
        }
        if turn.is_multiple_of(3) {
            let out = self.folder.join("memory");
            let _ = fs::remove_dir_all(&out);
            let mut command = self.command(None, scene, set, &out);
            done(command.args(layers).args(["--memory", MEMORY]).output()?)?;
            same(&one, &out).with_context(|| format!("{scene} {set} in {MEMORY}"))?;
        }
        let seconds = begun.elapsed().as_secs_f64();
        let moves = if moved { ", rows moved" } else { "" };
        println!("{}  {scene} {set}{moves}, {seconds:.1} s", state(&one)?);
        Ok(moved)
    }

    /// Layers on the way, and what a world comes to in which something is dug, heaped, poured or closed all the time.
    pub(super) fn same_after_edits(&self, level: &str, seed: u64) -> Result<()> {
        let scene = self.folder.join(format!("edits-{level}.toml"));
        fs::write(&scene, edits(level, seed))?;
        let scene = scene.to_string_lossy().into_owned();
        let one = self.run(None, &scene, "", &[])?;
        for ranks in [2, 5] {
            let other = self.run(Some(ranks), &scene, "", &[])?;
            let what = || format!("edits of seed {seed}, {level}, on {ranks} ranks");
            same(&one, &other).with_context(what)?;
        }
        println!("{}  edits at random, {level}, seed {seed}", state(&one)?);
        Ok(())
    }

    /// A run that writes checkpoints all the time, and takes a while.
    pub(super) fn begin_long(&self, ranks: usize, out: &Path) -> Result<Child> {
        let mut command = self.command(Some(ranks), "rain-on-hills", LONG, out);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let checkpoint = out.join(CHECKPOINT);
        let begun = Instant::now();
        while !checkpoint.exists() {
            ensure!(begun.elapsed() < Duration::from_secs(60), "no checkpoint was written");
            sleep(Duration::from_millis(20));
        }
        Ok(child)
    }

    /// Resumes what was left in a folder, on so many ranks or by the program, and compares it with a run that was not stopped.
    pub(super) fn resume(&self, left: &Path, straight: &Path, ranks: Ranks) -> Result<()> {
        let out = self.folder.join("resumed");
        let _ = fs::remove_dir_all(&out);
        copy(left, &out)?;
        done(self.command(ranks, "rain-on-hills", LONG, &out).arg("--resume").output()?)?;
        same(straight, &out).with_context(|| format!("resumed on {ranks:?} ranks"))
    }

    pub(super) fn goes_on_with_other_ranks(&self) -> Result<()> {
        let straight = self.run(None, "rain-on-hills", LONG, &[])?;
        let left = self.folder.join("stopped");
        let _ = fs::remove_dir_all(&left);
        let job = self.begin_long(4, &left)?;
        signal(job.id(), "USR1")?;
        let ended = job.wait_with_output()?;
        let said = String::from_utf8_lossy(&ended.stderr);
        ensure!(said.contains("stopped at"), "the job of four ranks did not stop: {said}");
        self.tells_of_checkpoint(&left.join(CHECKPOINT))?;
        for ranks in [Some(1), Some(3), None] {
            self.resume(&left, &straight, ranks)?;
        }
        println!(
            "{}  stopped on 4 ranks, and on from there on 1, 3 and by the program",
            state(&straight)?
        );
        Ok(())
    }

    /// That the program reads all of a checkpoint, whoever has written it.
    pub(super) fn tells_of_checkpoint(&self, path: &Path) -> Result<()> {
        let mut info = Command::new(self.programs.join("headwater"));
        let told = info.arg("info").arg(path).arg("--json").output()?;
        let said = String::from_utf8_lossy(&told.stdout).into_owned();
        done(told)?;
        ensure!(said.contains("\"kind\": \"checkpoint\""), "{}: {said}", path.display());
        Ok(())
    }

    pub(super) fn outlives_a_rank(&self) -> Result<()> {
        let straight = self.run(None, "rain-on-hills", LONG, &[])?;
        for victim in [0, 2] {
            let left = self.folder.join("killed");
            let _ = fs::remove_dir_all(&left);
            let job = self.begin_long(3, &left)?;
            let ranks = children(job.id())?;
            await_writing(&left);
            let rank = ranks.get(victim).context("the job has no such rank")?;
            signal(*rank, "KILL")?;
            let killed = Instant::now();
            let ended = job.wait_with_output()?;
            let said = String::from_utf8_lossy(&ended.stderr);
            ensure!(
                !ended.status.success(),
                "a job without one of its ranks ends as if it were whole"
            );
            ensure!(killed.elapsed() < SOON, "the job went on for {:?}", killed.elapsed());
            ensure!(said.contains("signal 9"), "nothing is said of the rank: {said}");
            self.resume(&left, &straight, Some(2))?;
        }
        println!("{}  a rank was killed, and on from the last", state(&straight)?);
        Ok(())
    }

    /// What is not stepped in parts is refused by name, and leaves nothing behind.
    pub(super) fn refuses(&self) -> Result<()> {
        for (scene, name) in [
            ("drifting-logs", "body"),
            ("dam-breach", "particles"),
            ("lowland-river", "settle"),
            ("hex-valley", "water.lake"),
            ("u-tube", "only the model `flow` can"),
            ("pond", "only the model `flow` can"),
        ] {
            let out = self.folder.join("refused");
            let refused = self.command(Some(2), scene, "", &out).output()?;
            let said = String::from_utf8_lossy(&refused.stderr);
            ensure!(
                !refused.status.success() && said.contains(name),
                "{scene} is not refused: {said}"
            );
            ensure!(!out.exists(), "{scene} is refused, and has written something");
        }
        Ok(())
    }

    /// All ranks are started by the same words, and one says what is wrong with them.
    pub(super) fn tells_usage_once(&self) -> Result<()> {
        let out = self.folder.join("refused");
        let mut command = self.command(Some(3), "lava", "", &out);
        let refused = command.arg("--no-such-option").output()?;
        let said = String::from_utf8_lossy(&refused.stderr);
        let told = said.matches("unexpected argument").count();
        ensure!(refused.status.code() == Some(2), "bad usage ends with {}", refused.status);
        ensure!(told == 1, "bad usage is told {told} times: {said}");
        Ok(())
    }
}
