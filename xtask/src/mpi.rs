//! The program `headwater-mpi`, built, and held against `headwater`: the same state, books and files for every number of ranks,
//! also after edits at random, after a run that was stopped goes on with other ranks, and after one of the ranks was killed.

use crate::place;
use crate::process::{cargo, find, run};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Scenes of the library, and what is set in them: all levels of physics on both lattices, structures, soil, rain, what is kept of
/// a flood, a walk to a steady state, edits; waves with bodies, rain, gusts and land; a range that stream power carves.
const SCENES: [(&str, &str); 14] = [
    ("lava", "time.until=5"),
    ("lake-at-rest", "time.until=8"),
    ("dam-breach", "time.until=5 particles.count=0"),
    ("tide", "time.until=10 particles.count=0"),
    ("hex-valley", "time.until=5 particles.count=0"),
    ("hex-valley", "time.until=3 particles.count=0 physics.level=shallow-water"),
    ("polder", "time.until=60 particles.count=0"),
    ("rain-on-hills", "time.until=60"),
    ("breakwater", "time.until=1"),
    ("run-up", "time.until=0.5"),
    ("pond", "time.until=1"),
    ("pool-of-acid", "time.until=1"),
    ("mountain-range", "time.until=3"),
    ("rain-on-pond", "time.until=1"),
];

/// Scenes of the library whose world can be spread over ranks, and what is set in them; beside [`valley`] and [`RIVER`].
const SPREAD: [(&str, &str); 4] = [
    ("lake-at-rest", "time.until=8"),
    ("lava", "time.until=5"),
    ("tide", "time.until=10 particles.count=0"),
    ("rain-on-hills", "time.until=60"),
];

/// Where the world is: with the first rank, or spread over all.
const HOME: &str = "home";
const ON_RANKS: &str = "spread";

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

/// Builds both programs with a profile.
///
/// # Errors
/// If they cannot be built: without an MPI library, `headwater-mpi` cannot.
pub(crate) fn build(profile: &str) -> Result<()> {
    let mut build = cargo();
    build.current_dir(place::root()).args(["build", "--profile", profile]);
    build.args(["-p", "headwater-cli", "-p", "headwater-mpi"]);
    if env::var_os("MPICC").is_none() && find(&["mpicc.openmpi"]).is_some() {
        build.env("MPICC", "mpicc.openmpi");
    }
    run(&mut build)
}

/// Tries what a profile has built.
///
/// # Errors
/// What differs, or does not end as it should.
pub(crate) fn test(profile: &str, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let trial = Trial::new(profile, folder.path())?;
    let begun = Instant::now();
    for (turn, (scene, set)) in SCENES.into_iter().enumerate() {
        trial.same_on_ranks(turn, scene, set)?;
    }
    for (i, level) in ["pipes", "inertial", "shallow-water"].into_iter().enumerate() {
        trial.same_after_edits(level, seed + i as u64)?;
    }
    let mut moved = 0;
    for (turn, (scene, set)) in SPREAD.into_iter().enumerate() {
        moved += trial.same_where_spread(turn, scene, set)?;
    }
    for (turn, level) in ["pipes", "inertial", "shallow-water"].into_iter().enumerate() {
        for (other, lattice) in ["square", "hex"].into_iter().enumerate() {
            let scene = trial.folder.join(format!("valley-{level}-{lattice}.toml"));
            fs::write(&scene, valley(level, lattice))?;
            moved += trial.same_where_spread(turn + other, &scene.to_string_lossy(), "")?;
        }
    }
    let scene = trial.folder.join("river.toml");
    fs::write(&scene, RIVER)?;
    let of_river = trial.same_where_spread(0, &scene.to_string_lossy(), "")?;
    ensure!(moved > 0 && of_river > 0, "no rows have gone from rank to rank");
    trial.chooses_a_place()?;
    trial.goes_on_with_other_ranks()?;
    for world in [HOME, ON_RANKS] {
        trial.outlives_a_rank(world)?;
    }
    trial.refuses()?;
    println!("all the same, in {} s", begun.elapsed().as_secs());
    Ok(())
}

struct Trial<'a> {
    /// Where programs are.
    programs: PathBuf,
    mpirun: PathBuf,
    folder: &'a Path,
}

impl<'a> Trial<'a> {
    fn new(profile: &str, folder: &'a Path) -> Result<Self> {
        let mpirun = find(&["mpirun.openmpi", "mpirun"]).context("there is no `mpirun`")?;
        Ok(Self { programs: place::built(profile), mpirun, folder })
    }

    /// The program on one process, or on so many ranks, about to run a scene into a folder.
    fn command(&self, ranks: Ranks<'_>, scene: &str, set: &str, out: &Path) -> Command {
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
    fn run(&self, ranks: Ranks<'_>, scene: &str, set: &str, more: &[&str]) -> Result<PathBuf> {
        self.run_and_hear(ranks, scene, set, more).map(|(out, _)| out)
    }

    /// As [`run`](Self::run), with what it says on the side.
    fn run_and_hear(
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

    fn same_on_ranks(&self, turn: usize, scene: &str, set: &str) -> Result<()> {
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
    fn same_where_spread(&self, turn: usize, scene: &str, set: &str) -> Result<u64> {
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
    fn chooses_a_place(&self) -> Result<()> {
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
                None => !said.contains("note:   "),
                Some(reason) => said.contains("note:   ") && said.contains(reason),
            };
            ensure!(is_said, "{scene}: {said}");
        }
        Ok(())
    }

    /// Layers on the way, and what a world comes to in which something is dug, heaped, poured or closed all the time.
    fn same_after_edits(&self, level: &str, seed: u64) -> Result<()> {
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
    fn begin_long(&self, ranks: (usize, &str), out: &Path) -> Result<Child> {
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
    fn resume(&self, left: &Path, straight: &Path, ranks: Ranks<'_>) -> Result<()> {
        let out = self.folder.join("resumed");
        let _ = fs::remove_dir_all(&out);
        copy(left, &out)?;
        done(self.command(ranks, "rain-on-hills", LONG, &out).arg("--resume").output()?)?;
        same(straight, &out).with_context(|| format!("resumed on {ranks:?} ranks"))
    }

    fn goes_on_with_other_ranks(&self) -> Result<()> {
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
    fn tells_of_checkpoint(&self, path: &Path) -> Result<()> {
        let mut info = Command::new(self.programs.join("headwater"));
        let told = info.arg("info").arg(path).arg("--json").output()?;
        let said = String::from_utf8_lossy(&told.stdout).into_owned();
        done(told)?;
        ensure!(said.contains("\"kind\": \"checkpoint\""), "{}: {said}", path.display());
        Ok(())
    }

    fn outlives_a_rank(&self, world: &str) -> Result<()> {
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
    fn refuses(&self) -> Result<()> {
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
}

/// What is there of a checkpoint, in the folder of a run, when it is whole: a file, or of a world that is spread the manifest of a folder.
fn checkpoint(world: &str) -> &'static str {
    if world == ON_RANKS { "checkpoint-parts.headwater/manifest" } else { "checkpoint.headwater" }
}

/// Waits until a checkpoint in parts is being written, to be in the middle of that, but not for long.
fn await_writing(folder: &Path) {
    let parts = folder.join("checkpoint-parts.headwater");
    let begun = Instant::now();
    let names = || -> BTreeSet<_> {
        fs::read_dir(&parts).into_iter().flatten().flatten().map(|file| file.file_name()).collect()
    };
    let before = names();
    while parts.is_dir() && before == names() && begun.elapsed() < Duration::from_secs(2) {}
}

/// What is set for a run that takes a while.
const LONG: &str = "time.until=1500 output.checkpoint_every=0.05";

/// A scene in which everything happens that a world which is spread can have.
fn valley(level: &str, lattice: &str) -> String {
    // Of hexagons lakes are found in a world as a whole.
    let lake = match lattice {
        "hex" => "",
        _ => "[[water.lake]]\nat = [60, 190]\nlevel = 1003\n",
    };
    format!(
        "model = \"flow\"\n[grid]\nnx = 60\nny = 130\ncell = 2\nlattice = \"{lattice}\"\n[physics]\nlevel = \"{level}\"\n[time]\nuntil = 15\n\
         [terrain]\nplane = {{ height = 1000, slope = [0, -0.02] }}\nnoise = {{ height = 6, scale = 40 }}\n\
         [[terrain.shape]]\nop = \"raise\"\namount = 4\nline = {{ points = [[0, 150], [120, 150]], width = 8 }}\n\
         [water]\nlevel = 1001\n{lake}[rain]\nrate = 60\n[evaporation]\nrate = 5\n[infiltration]\nrate = 10\nseepage = 2\n\
         [[obstacle]]\nrect = {{ min = [40, 120], max = [60, 128] }}\n\
         [[boundary]]\nedge = \"west\"\nkind = \"stage\"\nlevel = 1002\n[[boundary]]\nedge = \"south\"\nkind = \"open\"\n\
         [[boundary]]\nedge = \"north\"\nkind = \"inflow\"\ndischarge = 0.5\nfrom = 30\nto = 60\n\
         [[source]]\nat = [\"50%\", \"49%\"]\nradius = 30\nrate = 8\n[[drain]]\nat = [\"30%\", \"66%\"]\nradius = 12\nrate = 2\n\
         [[gauge]]\nname = \"point\"\nat = [61, 130]\nevery = 5\n[[gauge]]\nname = \"line\"\nline = [[0, 80], [110, 210]]\nevery = 5\n\
         [[gauge]]\nname = \"held\"\ndisc = {{ center = [60, 130], radius = 50 }}\nevery = 5\n\
         [flood]\ndepth = 0.05\n[output]\nlayers_every = 5\n"
    )
}

/// A river that comes down dry land, whose rows wake one after the other.
const RIVER: &str = "model = \"flow\"\ngrid = { nx = 60, ny = 200, cell = 2 }\nphysics.level = \"inertial\"\ntime.until = 40\n\
     [terrain]\nplane = { height = 100, slope = [0, -0.05] }\nnoise = { height = 0.5 }\n\
     [[source]]\nat = [\"50%\", \"5%\"]\nradius = 10\nrate = 40\n[flood]\ndepth = 0.05\n\
     [[gauge]]\nname = \"line\"\nline = [[0, 210], [120, 190]]\nevery = 5\n\
     [[gauge]]\nname = \"held\"\nrect = { min = [0, 100], max = [120, 300] }\nevery = 5\n[output]\nlayers_every = 10\n";

/// A scene in which something is done to the ground or the water every second.
fn edits(level: &str, seed: u64) -> String {
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut part = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut text = format!(
        "model = \"flow\"\nseed = {seed}\n[grid]\nnx = 90\nny = 130\ncell = 2\n[physics]\nlevel = \"{level}\"\n[time]\nuntil = 24\n\
         [terrain]\nnoise = {{ height = 6, scale = 60 }}\n[water]\nlevel = 2\n[rain]\nrate = 40\n[infiltration]\nrate = 10\n\
         [[boundary]]\nedge = \"west\"\nkind = \"stage\"\nlevel = 2.5\n[[boundary]]\nedge = \"south\"\nkind = \"open\"\n\
         [[source]]\nat = [\"50%\", \"49%\"]\nradius = 9\nrate = 8\n[flood]\n\
         [output]\nlayers = [\"depth\", \"surface\", \"velocity_x\", \"velocity_y\", \"soil\", \"max_depth\", \"arrival\"]\nlayers_every = 4\n"
    );
    for second in 1..24 {
        let [kind, x, y, radius, amount] = [(); 5].map(|()| part());
        let (center, radius) = ([180.0 * x, 260.0 * y], 3.0 + 20.0 * radius);
        let what = match (5.0 * kind) as u32 {
            0 => format!("do = \"raise\"\namount = {}", 3.0 * amount),
            1 => format!("do = \"lower\"\namount = {}", 3.0 * amount),
            2 => format!("do = \"pour\"\namount = {}", 2.0 * amount),
            3 => "do = \"close\"".into(),
            _ => "do = \"open\"".into(),
        };
        // Writing to a text does not fail.
        let _ = write!(
            text,
            "[[event]]\ntime = {second}\n{what}\ndisc = {{ center = {center:?}, radius = {radius} }}\n"
        );
    }
    text
}

/// That a program has done what it should.
fn done(output: Output) -> Result<()> {
    if output.status.success() {
        return Ok(());
    }
    bail!("{}", String::from_utf8_lossy(&output.stderr))
}

/// How many rows have gone from rank to rank in a run that has said so.
fn rows_moved(said: &str) -> Result<u64> {
    let start = said.find("[{").context("the ranks do not say how long they have waited")?;
    let mut all = serde_json::Deserializer::from_str(&said[start..]).into_iter::<Value>();
    let ranks = all.next().context("nothing is said of ranks")??;
    let ranks = ranks.as_array().context("that is no list of ranks")?;
    Ok(ranks.iter().filter_map(|rank| rank["moved"].as_u64()).sum())
}

fn summary(folder: &Path) -> Result<Value> {
    let path = folder.join("summary.json");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(serde_json::from_str(&text)?)
}

/// The hash of the state that a run has come to.
fn state(folder: &Path) -> Result<String> {
    Ok(summary(folder)?["state_hash"].as_str().unwrap_or_default().to_owned())
}

/// That two runs have come to the same: state, books, steps, and every file.
fn same(one: &Path, other: &Path) -> Result<()> {
    let [mut a, mut b] = [summary(one)?, summary(other)?];
    for key in
        ["state_hash", "ledger", "steps", "simulated_seconds", "layers", "gauges", "pictures"]
    {
        let [a, b] = [a[key].take(), b[key].take()];
        ensure!(a == b, "{key} is {b}, and not {a}");
    }
    for file in fs::read_dir(one)? {
        let name = file?.file_name();
        if name != "summary.json" {
            let [a, b] = [one, other].map(|folder| fs::read(folder.join(&name)));
            ensure!(a? == b?, "{} differs", name.display());
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        let to = to.join(file.file_name());
        match file.file_type()?.is_dir() {
            true => copy(&file.path(), &to)?,
            false => drop(fs::copy(file.path(), to)?),
        }
    }
    Ok(())
}

/// Sends a signal to a process that this one has started.
fn signal(process: u32, name: &str) -> Result<()> {
    run(Command::new("kill").arg(format!("-{name}")).arg(process.to_string()))
}

/// The processes that a process has started, by their numbers.
fn children(process: u32) -> Result<Vec<u32>> {
    let path = format!("/proc/{process}/task/{process}/children");
    let numbers = fs::read_to_string(&path).context(path)?;
    let mut numbers: Vec<u32> =
        numbers.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    numbers.sort_unstable();
    Ok(numbers)
}
