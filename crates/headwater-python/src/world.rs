//! The world.

use crate::array::{copied, filled, writable};
use crate::aside::{aside, is_closing};
use crate::borrow::Borrowed;
use crate::error::raise;
use crate::held::{Loans, World, check_process};
use crate::place::Place;
use crate::record::record;
use crate::value::{entry, overrides, text_of};
use crate::whole::Whole;
use headwater::changes::Tile;
use headwater::model::BodyState;
use headwater_scene::facade::{AdvanceOutcome, Facade, FacadeError, Progress, Source};
use headwater_scene::live::ParameterKind;
use headwater_scene::scene::Files;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often Python is asked whether Ctrl-C was pressed.
const SIGNALS: Duration = Duration::from_millis(20);

type Told<'py> = PyResult<Bound<'py, PyAny>>;

/// What a call of the facade gives, or raises.
fn done<T>(py: Python<'_>, done: Result<T, FacadeError>) -> PyResult<T> {
    done.map_err(|error| raise(py, error))
}

impl World {
    /// Has the world go on without holding up other threads of Python, and asks every now and then whether it is to stop.
    fn go<'py>(
        &self,
        py: Python<'py>,
        progress: Option<&Bound<'py, PyAny>>,
        run: impl FnOnce(
            &mut Facade,
            &mut dyn FnMut(Progress) -> bool,
        ) -> Result<AdvanceOutcome, FacadeError>
        + Send,
    ) -> Told<'py> {
        let mut facade = self.touch(py)?;
        let progress = progress.map(|progress| progress.clone().unbind());
        let (facade, mut stopped) = (&mut *facade, None);
        let arrived = aside(py, || {
            let mut asked = Instant::now();
            let mut goes_on = |at: Progress| {
                if is_closing() {
                    return false;
                }
                if progress.is_none() && asked.elapsed() < SIGNALS {
                    return true;
                }
                asked = Instant::now();
                let answer = Python::attach(|py| {
                    py.check_signals()?;
                    let Some(progress) = &progress else { return Ok(true) };
                    let told = record(py, "Progress", (at.time, at.steps, at.part))?;
                    let answer = progress.bind(py).call1((told,))?;
                    Ok(answer.is_none() || answer.is_truthy()?)
                });
                answer.unwrap_or_else(|error: PyErr| {
                    stopped = Some(error);
                    false
                })
            };
            run(facade, &mut goes_on)
        })?;
        if let Some(error) = stopped {
            return Err(error);
        }
        let arrived = done(py, arrived)?;
        record(py, "AdvanceOutcome", (arrived.steps, arrived.time, arrived.done))
    }
}

/// What `create` takes.
#[derive(FromPyObject)]
enum Named {
    Word(String),
    Path(PathBuf),
}

/// Whether a word names a file and no scene of the library.
fn is_path(word: &str) -> bool {
    word.contains(['/', '\\']) || word.ends_with(".toml")
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (scene=None, *, text=None, name="scene", directory=None, files=None, set=None))]
    fn new(
        py: Python<'_>,
        scene: Option<Named>,
        text: Option<&str>,
        name: &str,
        directory: Option<PathBuf>,
        files: Option<HashMap<String, Vec<u8>>>,
        set: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        check_process(py)?;
        let overrides = overrides(set.map(|set| set.as_any()))?;
        let files = files.unwrap_or_default().into_iter();
        let files = files.fold(Files::disk(), |files, (name, bytes)| files.with(name, bytes));
        let directory = directory.as_deref();
        let create = |source: &Source| aside(py, || Facade::create(source, &overrides));
        let made = match (&scene, text) {
            (Some(Named::Word(word)), None) if !is_path(word) => create(&Source::Library(word)),
            (Some(Named::Word(word)), None) => create(&Source::File(Path::new(word))),
            (Some(Named::Path(path)), None) => create(&Source::File(path)),
            (None, Some(text)) => create(&Source::Text { name, text, directory, files: &files }),
            (scene, _) => {
                let found = if scene.is_some() { "both" } else { "none" };
                Ok(Err(FacadeError::input("a scene and a text", found, "one of the two")))
            }
        };
        let facade = Mutex::new(done(py, made?)?);
        Ok(Self { facade, loans: Loans::default() })
    }

    /// The same as calling the class.
    #[classmethod]
    #[pyo3(signature = (*args, **kwargs))]
    fn create<'py>(
        class: &Bound<'py, pyo3::types::PyType>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Told<'py> {
        class.call(args, kwargs)
    }

    /// The model's name: "flow", "waves", "blocks", "columns" or "hydrology".
    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.look(py)?.model())
    }

    /// What the scene is called.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.look(py)?.name().to_owned())
    }

    /// The cells.
    #[getter]
    fn grid<'py>(&self, py: Python<'py>) -> Told<'py> {
        let grid = self.look(py)?.grid();
        record(py, "Grid", (grid.nx, grid.ny, (grid.cell[0], grid.cell[1]), grid.lattice))
    }

    /// Simulated time since the start.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.look(py)?.time())
    }

    /// What time is counted in: "s", or of hydrology "drops per cell".
    #[getter]
    fn time_unit(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.look(py)?.time_unit())
    }

    /// Steps done since the start.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.look(py)?.steps())
    }

    /// How long a step is now, in the unit of time.
    #[getter]
    fn step_length(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.look(py)?.step_length())
    }

    /// Whether it still comes to a steady state, before its clock starts.
    #[getter]
    fn is_settling(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.look(py)?.is_settling())
    }

    /// What was decided for lack of better knowledge, or fell short, in words.
    #[getter]
    fn notices(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.look(py)?.notices())
    }

    /// The middle of a cell (m from the top-left corner; of blocks, cells).
    fn center(
        &self,
        py: Python<'_>,
        column: Whole<usize>,
        row: Whole<usize>,
    ) -> PyResult<(f64, f64)> {
        let [x, y] = self.look(py)?.center(column.0, row.0);
        Ok((x, y))
    }

    /// Advances by a time, in `time_unit`.
    ///
    /// A world rests after whole steps: at the time asked for so far, or less than a step from it, which the next advance takes into
    /// account. `progress` is told every few steps how far it is; if it gives something false other than None, the advance ends there.
    /// Other threads of Python go on meanwhile, and Ctrl-C ends the advance after a step: KeyboardInterrupt comes out of it, and so does
    /// what `progress` raises.
    #[pyo3(signature = (time, progress=None))]
    fn advance<'py>(
        &self,
        py: Python<'py>,
        time: f64,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> Told<'py> {
        self.go(py, progress, move |facade, ask| facade.advance(time, ask))
    }

    /// Does so many steps, with all events that are due; else as `advance`.
    #[pyo3(signature = (count=Whole(1), progress=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        count: Whole<u64>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> Told<'py> {
        self.go(py, progress, move |facade, ask| facade.step(count.0, ask))
    }

    /// What `edit` can do, with the units and ranges of amounts.
    fn edits<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let edits = self.look(py)?.edits();
        let told = edits.iter().map(|one| {
            let (low, high) = (one.allowed.min(), one.allowed.high);
            record(py, "Edit", (one.name, one.meaning, one.unit, (low, high)))
        });
        told.collect()
    }

    /// Does one of `edits` at a place. It is not in the `text`, as an `act` is.
    fn edit(&self, py: Python<'_>, edit: &str, place: &Place, amount: f64) -> PyResult<()> {
        done(py, self.touch(py)?.edit(edit, &place.place, amount))
    }

    /// Does what an entry of a scene's [[event]] says, as a dict or as TOML, without `time`: {"do": "pour", "disc": {"center": [50, 50],
    /// "radius": 10}, "amount": 1}.
    fn act(&self, py: Python<'_>, event: &Bound<'_, PyAny>) -> PyResult<()> {
        done(py, self.touch(py)?.act(&entry(event)?))
    }

    /// Adds an entry to one of the scene's lists: "gauge", "source", "drain", "body", whatever the model can take while it runs.
    #[pyo3(name = "add")]
    fn add_entry(&self, py: Python<'_>, list: &str, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        done(py, self.touch(py)?.add(list, &self::entry(entry)?))
    }

    /// Changes an entry of one of the scene's lists, so far of "gauge": the one that has its name.
    fn change(&self, py: Python<'_>, list: &str, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        done(py, self.touch(py)?.change(list, &self::entry(entry)?))
    }

    /// Removes an entry of one of the scene's lists, so far of "gauge", by its name.
    fn remove(&self, py: Python<'_>, list: &str, name: &str) -> PyResult<()> {
        done(py, self.touch(py)?.remove(list, name))
    }

    /// The values that can be changed while the world runs, by their keys in the scene.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for one in self.look(py)?.parameters() {
            let value = match one.kind {
                ParameterKind::Number => one.value.into_pyobject(py)?.into_any(),
                ParameterKind::Whole => (one.value as i64).into_pyobject(py)?.into_any(),
                ParameterKind::Switch => {
                    (one.value != 0.0).into_pyobject(py)?.to_owned().into_any()
                }
            };
            let allowed = (one.hard[0], one.hard[1]);
            let told = record(py, "Parameter", (value, one.unit, allowed, one.label, one.doc))?;
            all.set_item(one.key, told)?;
        }
        Ok(all)
    }

    /// Changes one of them.
    fn set(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        done(py, self.touch(py)?.set(key, &text_of(value)?))
    }

    /// Adds a spring that gives so much (m³/s; of blocks, cells/s; of hydrology, drops per cell of rain), and gives its id.
    fn add_spring(&self, py: Python<'_>, place: &Place, rate: f64) -> PyResult<u32> {
        done(py, self.touch(py)?.add_spring(&place.place, rate))
    }

    /// Puts another spring in the place of one.
    fn set_spring(&self, py: Python<'_>, id: Whole<u32>, place: &Place, rate: f64) -> PyResult<()> {
        done(py, self.touch(py)?.set_spring(id.0, &place.place, rate))
    }

    /// Takes a spring out.
    fn remove_spring(&self, py: Python<'_>, id: Whole<u32>) -> PyResult<()> {
        done(py, self.touch(py)?.remove_spring(id.0))
    }

    /// The ids of its springs, those of the scene too.
    fn springs(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        Ok(self.look(py)?.springs())
    }

    /// Adds a drain that takes up to so much, and gives its id.
    fn add_drain(&self, py: Python<'_>, place: &Place, rate: f64) -> PyResult<u32> {
        done(py, self.touch(py)?.add_drain(&place.place, rate))
    }

    /// Puts another drain in the place of one.
    fn set_drain(&self, py: Python<'_>, id: Whole<u32>, place: &Place, rate: f64) -> PyResult<()> {
        done(py, self.touch(py)?.set_drain(id.0, &place.place, rate))
    }

    /// Takes a drain out.
    fn remove_drain(&self, py: Python<'_>, id: Whole<u32>) -> PyResult<()> {
        done(py, self.touch(py)?.remove_drain(id.0))
    }

    /// The ids of its drains, those of the scene too.
    fn drains(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        Ok(self.look(py)?.drains())
    }

    /// Adds a body, and gives its id: its middle (m), length and width (in side view, width and height; m), where it points (radians,
    /// clockwise from the east), how fast it goes (m/s), how deep it lies in the water (m).
    #[pyo3(signature = (position, size, *, heading=0.0, velocity=[0.0, 0.0], draft=0.1))]
    fn add_body(
        &self,
        py: Python<'_>,
        position: [f64; 2],
        size: [f64; 2],
        heading: f64,
        velocity: [f64; 2],
        draft: f64,
    ) -> PyResult<u32> {
        let body = BodyState { position, size, heading, velocity, draft };
        done(py, self.touch(py)?.add_body(body))
    }

    /// Puts another body in the place of one, or the same elsewhere or with another velocity.
    #[pyo3(signature = (id, position, size, *, heading=0.0, velocity=[0.0, 0.0], draft=0.1))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn set_body(
        &self,
        py: Python<'_>,
        id: Whole<u32>,
        position: [f64; 2],
        size: [f64; 2],
        heading: f64,
        velocity: [f64; 2],
        draft: f64,
    ) -> PyResult<()> {
        let body = BodyState { position, size, heading, velocity, draft };
        done(py, self.touch(py)?.set_body(id.0, body))
    }

    /// Takes a body out.
    fn remove_body(&self, py: Python<'_>, id: Whole<u32>) -> PyResult<()> {
        done(py, self.touch(py)?.remove_body(id.0))
    }

    /// Its bodies as they are now, by ids, those of the scene too.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (id, body) in self.look(py)?.bodies() {
            let [position, size, velocity] =
                [body.position, body.size, body.velocity].map(|[x, y]| (x, y));
            let parts = (position, size, body.heading, velocity, body.draft);
            all.set_item(id, record(py, "Body", parts)?)?;
        }
        Ok(all)
    }

    /// The layers that it can show, by name: unit, meaning, shape and type.
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        let facade = self.look(py)?;
        let grid = facade.grid();
        for one in facade.layers() {
            let parts = (one.unit, one.meaning, (grid.ny, grid.nx), "float32");
            all.set_item(one.name, record(py, "Layer", parts)?)?;
        }
        Ok(all)
    }

    /// A copy of a layer: `array[row, column]`, heights as the scene counts them.
    fn layer<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let facade = self.look(py)?;
        let facade = &*facade;
        match done(py, aside(py, || facade.layer(name))?)? {
            Cow::Borrowed(field) => copied(py, field),
            Cow::Owned(field) => filled(py, field),
        }
    }

    /// Copies a layer, or of it what lies in some tiles, into an array that is kept: float32, of the layer's shape, C-contiguous,
    /// writable.
    #[pyo3(signature = (name, into, tiles=None))]
    fn read_layer(
        &self,
        py: Python<'_>,
        name: &str,
        into: &Bound<'_, PyAny>,
        tiles: Option<Vec<[Whole<usize>; 4]>>,
    ) -> PyResult<()> {
        let facade = self.look(py)?;
        let grid = facade.grid();
        let mut into = writable(into, [grid.ny, grid.nx])?;
        let tile = |[x, y, nx, ny]: [Whole<usize>; 4]| Tile { x: x.0, y: y.0, nx: nx.0, ny: ny.0 };
        let tiles: Option<Vec<_>> = tiles.map(|tiles| tiles.into_iter().map(tile).collect());
        let room = into.as_slice_mut().unwrap_or_default();
        done(py, facade.read_layer(name, tiles.as_deref(), room))
    }

    /// A layer without a copy, to be read as long as a block lasts: `with world.borrow("depth") as depth:`.
    ///
    /// In the block whatever would change the world raises BusyError. When it ends the array is emptied; an array that was cut out of it,
    /// such as `depth[10:20]`, goes on seeing the numbers, and the world waits for it to go, and for what sees the
    /// array by other means, such as a `memoryview` or a tensor.
    fn borrow(slf: Bound<'_, Self>, py: Python<'_>, name: &str) -> PyResult<Borrowed> {
        done(py, slf.get().look(py)?.layer(name).map(|_| ()))?;
        Ok(Borrowed::new(slf.unbind(), name))
    }

    /// The tiles in which a layer may have changed since a stamp that an earlier call gave, and the stamp to ask with next time; by
    /// default, all.
    #[pyo3(signature = (name, since=[Whole(0), Whole(0)]))]
    fn changed<'py>(&self, py: Python<'py>, name: &str, since: [Whole<u64>; 2]) -> Told<'py> {
        let (tiles, stamp) = done(py, self.look(py)?.changed(name, since.map(|part| part.0)))?;
        let tiles: PyResult<Vec<_>> =
            tiles.iter().map(|t| record(py, "Tile", (t.x, t.y, t.nx, t.ny))).collect();
        record(py, "Changed", (tiles?, (stamp[0], stamp[1])))
    }

    /// What is at a point (m from the top-left corner; of blocks, cells), by name; nothing off the grid.
    fn at<'py>(&self, py: Python<'py>, x: f64, y: f64) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for one in done(py, self.look(py)?.at([x, y]))? {
            all.set_item(one.name, record(py, "Sample", (one.value, one.unit, one.word))?)?;
        }
        Ok(all)
    }

    /// What the gauges that there are have measured, by name.
    fn gauges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for one in self.look(py)?.gauges() {
            let values = PyDict::new(py);
            for (head, measured) in one.heads.iter().zip(&one.values) {
                values.set_item(head, numpy::PyArray1::from_slice(py, measured))?;
            }
            let times = numpy::PyArray1::from_slice(py, &one.times);
            all.set_item(&one.name, record(py, "Gauge", (times, values))?)?;
        }
        Ok(all)
    }

    /// The books: what came, went and is there.
    fn ledger<'py>(&self, py: Python<'py>) -> Told<'py> {
        let found = self.look(py)?.ledger();
        let (came, went) = (found.inflow.into_iter(), found.outflow.into_iter());
        let [came, went] = [came.collect::<HashMap<_, _>>(), went.collect()];
        let residual = (found.residual, found.residual_relative);
        let parts = (found.unit, found.start, came, went, found.now, residual.0, residual.1);
        record(py, "Ledger", parts)
    }

    /// All that the world needs to go on, bit for bit, which `restore` reads in a world of the same scene with the same values set.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut facade = self.look(py)?;
        let facade = &mut *facade;
        let bytes = done(py, aside(py, || facade.snapshot())?)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Goes on from a snapshot.
    fn restore(&self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        let mut facade = self.touch(py)?;
        let facade = &mut *facade;
        done(py, aside(py, || facade.restore(snapshot))?)
    }

    /// The scene as it is now, as TOML, with values that were set and events that were done.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.look(py)?.text())
    }

    /// A hash of the state, 16 hexadecimal digits: the same for the same doing on every machine and for any number of threads, and the
    /// one that `headwater hash` prints.
    fn state_hash(&self, py: Python<'_>) -> PyResult<String> {
        let facade = self.look(py)?;
        let facade = &*facade;
        Ok(format!("{:016x}", aside(py, || facade.state_hash())?))
    }
}
