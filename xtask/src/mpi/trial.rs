//! [`Trial`]: what is tried of programs, one trial after the other in one folder.

use super::left::{
    await_writing, checkpoint, children, copy, done, rows_moved, same, signal, state,
};
use super::scenes::{HOME, LONG, ON_RANKS, edits};
use crate::place;
use crate::process::find;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How many ranks there are, and where the world is.
type Ranks<'a> = Option<(usize, &'a str)>;

/// A few pictures, for each of which a world at home comes there: more take more time than all the rest.
const PICTURES: [&str; 2] = ["output.frames=3", "output.gif=false"];

/// On how many ranks the `turn`-th of a list of scenes is run: by turns, on few or on more than there are cores, and on one of the
/// rest.
fn ranks(turn: usize) -> [usize; 2] {
    [[2, 6][turn % 2], [3, 1, 4][turn % 3]]
}

/// Has bands go from rank to rank whenever any work is saved by it, and has enough of them for that.
const OFTEN: [&str; 6] = ["--hand-over", "0", "--hand-over-every", "1", "--band-rows", "8"];

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
    pub(super) fn command(&self, ranks: Ranks<'_>, scene: &str, set: &str, out: &Path) -> Command {
        let mut command = match ranks {
            None => Command::new(self.programs.join("headwater")),
            Some((ranks, _)) => {
                let mut command = Command::new(&self.mpirun);
                command.args(["--allow-run-as-root", "--oversubscribe", "--tag-output"]);
                // More ranks than cores are to wait without taking the time of the others.
                command.args(["--mca", "mpi_yield_when_idle", "1", "-n", &ranks.to_string()]);
                command.arg(self.programs.join("headwater-mpi"));
                command
            }
        };
        command.args(["run", scene, "--out"]).arg(out);
        command.args(ranks.into_iter().flat_map(|(_, world)| ["--world", world]));
        command.args(
            PICTURES.iter().copied().chain(set.split_whitespace()).flat_map(|set| ["--set", set]),
        );
        command.current_dir(self.folder).stdin(Stdio::null());
        command
    }

    /// Runs a scene to its end; returns where it has written.
    pub(super) fn run(
        &self,
        ranks: Ranks<'_>,
        scene: &str,
        set: &str,
        more: &[&str],
    ) -> Result<PathBuf> {
        self.run_and_hear(ranks, scene, set, more).map(|(out, _)| out)
    }

    /// As [`run`](Self::run), with what it says on the side.
    pub(super) fn run_and_hear(
        &self,
        ranks: Ranks<'_>,
        scene: &str,
        set: &str,
        more: &[&str],
    ) -> Result<(PathBuf, String)> {
        let name = ranks.map_or("one".into(), |(ranks, world)| format!("ranks-{ranks}-{world}"));
        let out = self.folder.join(name);
        if !more.contains(&"--resume") {
            let _ = fs::remove_dir_all(&out);
        }
        let output = self.command(ranks, scene, set, &out).args(more).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        done(output)?;
        Ok((out, said))
    }

    pub(super) fn same_on_ranks(&self, turn: usize, scene: &str, set: &str) -> Result<()> {
        let begun = Instant::now();
        let layer = [
            "--layers",
            if scene.contains("po") && scene != "polder" { "height" } else { "depth" },
        ];
        let one = self.run(None, scene, set, &layer)?;
        for ranks in ranks(turn) {
            // Threads within ranks change nothing either.
            let threads = ["--threads", if ranks == 2 { "2" } else { "1" }];
            let other = self.run(Some((ranks, HOME)), scene, set, &[layer, threads].concat())?;
            same(&one, &other).with_context(|| format!("{scene} {set} on {ranks} ranks"))?;
        }
        let seconds = begun.elapsed().as_secs_f64();
        println!("{}  {scene} {set}, {seconds:.1} s", state(&one)?);
        Ok(())
    }

    /// Returns how many rows have gone from rank to rank.
    pub(super) fn same_where_spread(&self, turn: usize, scene: &str, set: &str) -> Result<u64> {
        let begun = Instant::now();
        let layers = ["--layers", "depth,surface,velocity_y"];
        let one = self.run(None, scene, set, &layers)?;
        let mut moved = 0;
        for ranks in ranks(turn) {
            let threads = ["--threads", if ranks == 3 { "2" } else { "1" }];
            let often = if ranks % 2 == 0 { &OFTEN[..] } else { &[] };
            let more = [&layers[..], &threads, often, &["--waits"]].concat();
            let on = Some((ranks, ON_RANKS));
            let (other, said) = self.run_and_hear(on, scene, set, &more)?;
            same(&one, &other).with_context(|| format!("{scene} {set} spread on {ranks} ranks"))?;
            moved += rows_moved(&said)?;
        }
        let seconds = begun.elapsed().as_secs_f64();
        println!("{}  {scene} {set}, spread, {moved} rows moved, {seconds:.1} s", state(&one)?);
        Ok(moved)
    }

    /// Where nobody says where the world is, it is spread if it can be; else the first rank has it, and says why.
    pub(super) fn chooses_a_place(&self) -> Result<()> {
        for (scene, set, reason) in [
            ("lake-at-rest", "time.until=1", None),
            ("hex-valley", "time.until=1 particles.count=0", Some("water.lake")),
        ] {
            let one = self.run(None, scene, set, &[])?;
            let out = self.folder.join("chosen");
            let _ = fs::remove_dir_all(&out);
            let ran = self.command(Some((2, "auto")), scene, set, &out).output()?;
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            done(ran)?;
            same(&one, &out)?;
            let is_said = match reason {
                None => !said.contains("note: the first rank"),
                Some(reason) => said.contains("note: the first rank") && said.contains(reason),
            };
            ensure!(is_said, "{scene}: {said}");
        }
        Ok(())
    }

    /// Layers on the way, and what a world comes to in which something is dug, heaped, poured or closed all the time.
    pub(super) fn same_after_edits(&self, level: &str, seed: u64) -> Result<()> {
        let scene = self.folder.join(format!("edits-{level}.toml"));
        fs::write(&scene, edits(level, seed))?;
        let scene = scene.to_string_lossy().into_owned();
        let one = self.run(None, &scene, "", &[])?;
        for ranks in [2, 5] {
            let other = self.run(Some((ranks, HOME)), &scene, "", &[])?;
            let what = || format!("edits of seed {seed}, {level}, on {ranks} ranks");
            same(&one, &other).with_context(what)?;
        }
        println!("{}  edits at random, {level}, seed {seed}", state(&one)?);
        Ok(())
    }

    /// A run that writes checkpoints all the time, and takes a while.
    pub(super) fn begin_long(&self, ranks: (usize, &str), out: &Path) -> Result<Child> {
        let mut command = self.command(Some(ranks), "rain-on-hills", LONG, out);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let checkpoint = out.join(checkpoint(ranks.1));
        let begun = Instant::now();
        while !checkpoint.exists() {
            ensure!(begun.elapsed() < Duration::from_secs(60), "no checkpoint was written");
            sleep(Duration::from_millis(20));
        }
        Ok(child)
    }

    /// Resumes what was left in a folder, on so many ranks or by the program, and compares it with a run that was not stopped.
    pub(super) fn resume(&self, left: &Path, straight: &Path, ranks: Ranks<'_>) -> Result<()> {
        let out = self.folder.join("resumed");
        let _ = fs::remove_dir_all(&out);
        copy(left, &out)?;
        done(self.command(ranks, "rain-on-hills", LONG, &out).arg("--resume").output()?)?;
        same(straight, &out).with_context(|| format!("resumed on {ranks:?} ranks"))
    }

    pub(super) fn goes_on_with_other_ranks(&self) -> Result<()> {
        let straight = self.run(None, "rain-on-hills", LONG, &[])?;
        for (world, other) in [(HOME, ON_RANKS), (ON_RANKS, HOME)] {
            let left = self.folder.join("stopped");
            let _ = fs::remove_dir_all(&left);
            let job = self.begin_long((4, world), &left)?;
            signal(job.id(), "USR1")?;
            let ended = job.wait_with_output()?;
            let said = String::from_utf8_lossy(&ended.stderr);
            ensure!(said.contains("stopped at"), "the job of four ranks did not stop: {said}");
            self.tells_of_checkpoint(&left.join(checkpoint(world)))?;
            for ranks in [Some((1, world)), Some((3, world)), Some((3, other)), None] {
                self.resume(&left, &straight, ranks)?;
            }
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

    pub(super) fn outlives_a_rank(&self, world: &str) -> Result<()> {
        let straight = self.run(None, "rain-on-hills", LONG, &[])?;
        for victim in [0, 2] {
            let left = self.folder.join("killed");
            let _ = fs::remove_dir_all(&left);
            let job = self.begin_long((3, world), &left)?;
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
            self.resume(&left, &straight, Some((2, world)))?;
        }
        println!("{}  a rank was killed ({world}), and on from the last", state(&straight)?);
        Ok(())
    }

    /// What is not stepped in parts is refused by name, and leaves nothing behind.
    pub(super) fn refuses(&self) -> Result<()> {
        for (scene, world, name) in [
            ("drifting-logs", HOME, "floating bodies"),
            ("dam-breach", HOME, "tracer particles"),
            ("harbour", HOME, "dispersion"),
            ("young-range", HOME, "hydrology.method"),
            ("mountain-range", HOME, "event[0].method"),
            ("u-tube", HOME, "`blocks`"),
            ("polder", ON_RANKS, "culvert"),
            ("pond", ON_RANKS, "the model flow alone"),
        ] {
            let out = self.folder.join("refused");
            let refused = self.command(Some((2, world)), scene, "", &out).output()?;
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
        let mut command = self.command(Some((3, HOME)), "lava", "", &out);
        let refused = command.arg("--no-such-option").output()?;
        let said = String::from_utf8_lossy(&refused.stderr);
        let told = said.matches("unexpected argument").count();
        ensure!(refused.status.code() == Some(2), "bad usage ends with {}", refused.status);
        ensure!(told == 1, "bad usage is told {told} times: {said}");
        Ok(())
    }
}
