//! Methods and properties of the Python class [`World`].

use crate::array::{borrow_writable, copy_to_array, move_to_array, to_points};
use crate::borrow::Borrowed;
use crate::error::to_py_err;
use crate::gil::{is_shutting_down, run_detached};
use crate::integers::Unsigned;
use crate::place::Place;
use crate::record::new_record;
use crate::value::{entry_to_toml, parse_overrides, to_scene_text};
use crate::views::{OpenViews, World, check_process};
use headwater::changes::Tile;
use headwater::model::BodyState;
use headwater_scene::facade::{AdvanceOutcome, Facade, FacadeError, Progress, Source};
use headwater_scene::live::ParameterKind;
use headwater_scene::scene::{Files, Limits, Reader};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Interval between checks for Ctrl-C while a long call runs.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

type PyAnyResult<'py> = PyResult<Bound<'py, PyAny>>;

/// Returns the value of `result`, or raises the Python exception that corresponds to its error.
fn unwrap_or_raise<T>(py: Python<'_>, result: Result<T, FacadeError>) -> PyResult<T> {
    result.map_err(|error| to_py_err(py, error))
}

impl World {
    /// Advances the world by calling `run` without holding the GIL. During the run, regularly
    /// checks for signals and calls the Python function `progress`.
    fn run_with_progress<'py>(
        &self,
        py: Python<'py>,
        progress: Option<&Bound<'py, PyAny>>,
        run: impl FnOnce(
            &mut Facade,
            &mut dyn FnMut(Progress) -> bool,
        ) -> Result<AdvanceOutcome, FacadeError>
        + Send,
    ) -> PyAnyResult<'py> {
        let mut facade = self.lock_mut(py)?;
        let progress = progress.map(|progress| progress.clone().unbind());
        let (facade, mut stopped) = (&mut *facade, None);
        let arrived = run_detached(py, || {
            let mut last_check = Instant::now();
            let mut keep_going = |at: Progress| {
                if is_shutting_down() {
                    return false;
                }
                if progress.is_none() && last_check.elapsed() < SIGNAL_CHECK_INTERVAL {
                    return true;
                }
                last_check = Instant::now();
                let answer = Python::attach(|py| {
                    py.check_signals()?;
                    let Some(progress) = &progress else { return Ok(true) };
                    let result = new_record(py, "Progress", (at.time, at.steps, at.part))?;
                    let answer = progress.bind(py).call1((result,))?;
                    Ok(answer.is_none() || answer.is_truthy()?)
                });
                answer.unwrap_or_else(|error: PyErr| {
                    stopped = Some(error);
                    false
                })
            };
            run(facade, &mut keep_going)
        })?;
        if let Some(error) = stopped {
            return Err(error);
        }
        let arrived = unwrap_or_raise(py, arrived)?;
        new_record(py, "AdvanceOutcome", (arrived.steps, arrived.time, arrived.done))
    }
}

/// Argument `scene` of the method `create`. It is a string (a file name or the name of a built-in
/// scene) or a path object.
#[derive(FromPyObject)]
enum SceneArgument {
    Word(String),
    Path(PathBuf),
}

/// Returns whether a string is a file name. Otherwise it is the name of a built-in scene.
fn is_path(word: &str) -> bool {
    word.contains(['/', '\\']) || word.ends_with(".toml")
}

#[pymethods]
impl World {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    #[pyo3(signature = (scene=None, *, text=None, name="scene", directory=None, files=None, set=None, confined=false, memory_limit=None))]
    fn new(
        py: Python<'_>,
        scene: Option<SceneArgument>,
        text: Option<&str>,
        name: &str,
        directory: Option<PathBuf>,
        files: Option<HashMap<String, Vec<u8>>>,
        set: Option<&Bound<'_, PyDict>>,
        confined: bool,
        memory_limit: Option<u64>,
    ) -> PyResult<Self> {
        check_process(py)?;
        let overrides = parse_overrides(set.map(|set| set.as_any()))?;
        let files = files.unwrap_or_default().into_iter();
        let files =
            files.fold(Files::from_disk(), |files, (name, bytes)| files.with_file(name, bytes));
        let directory = directory.as_deref();
        let mut limits = Limits::default();
        limits.memory_bytes = memory_limit.unwrap_or(limits.memory_bytes);
        let reader = Reader::default().with_limits(limits);
        let reader = if confined { reader.confined() } else { reader };
        let create =
            |source: &Source| run_detached(py, || source.create_world(&reader, &overrides));
        let made = match (&scene, text) {
            (Some(SceneArgument::Word(word)), None) if !is_path(word) => {
                create(&Source::Library(word))
            }
            (Some(SceneArgument::Word(word)), None) => create(&Source::File(Path::new(word))),
            (Some(SceneArgument::Path(path)), None) => create(&Source::File(path)),
            (None, Some(text)) => create(&Source::Text { name, text, directory, files: &files }),
            (scene, _) => {
                let found = if scene.is_some() { "both" } else { "none" };
                Ok(Err(FacadeError::invalid_argument(
                    "a scene and a text",
                    found,
                    "one of the two",
                )))
            }
        };
        let facade = Mutex::new(unwrap_or_raise(py, made?)?);
        Ok(Self { facade, views: OpenViews::default() })
    }

    /// Creates a world from a scene. Equivalent to calling the class.
    #[classmethod]
    #[pyo3(signature = (*args, **kwargs))]
    fn create<'py>(
        class: &Bound<'py, pyo3::types::PyType>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyAnyResult<'py> {
        class.call(args, kwargs)
    }

    /// Name of the model: "flow", "waves", "blocks", "columns" or "hydrology".
    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.lock(py)?.model())
    }

    /// Name of the scene.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.lock(py)?.name().to_owned())
    }

    /// Grid of the world: the numbers of columns and rows, and the size and shape of the cells.
    #[getter]
    fn grid<'py>(&self, py: Python<'py>) -> PyAnyResult<'py> {
        let grid = self.lock(py)?.grid();
        new_record(py, "Grid", (grid.nx, grid.ny, (grid.cell[0], grid.cell[1]), grid.lattice))
    }

    /// Simulated time since the start, in the unit `time_unit`.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.time())
    }

    /// Unit of the simulated time: "s", or "drops per cell" in hydrology.
    #[getter]
    fn time_unit(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.lock(py)?.time_unit())
    }

    /// Number of time steps since the start.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.steps())
    }

    /// Length of the next time step, in the unit `time_unit`.
    #[getter]
    fn step_length(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.step_length())
    }

    /// Returns True while the world relaxes to a steady state, before the simulated time starts to
    /// run.
    #[getter]
    fn is_settling(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.lock(py)?.is_settling())
    }

    /// Notices about the world, such as values that were assumed and limits that were reached.
    #[getter]
    fn notices(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.lock(py)?.notices())
    }

    /// Returns the position of the centre of a cell: east and south coordinates from the top-left
    /// corner (m; in block worlds, cells).
    fn center(
        &self,
        py: Python<'_>,
        column: Unsigned<usize>,
        row: Unsigned<usize>,
    ) -> PyResult<(f64, f64)> {
        let [x, y] = self.lock(py)?.center(column.0, row.0);
        Ok((x, y))
    }

    /// Advances the world by a duration, in the unit `time_unit`.
    ///
    /// The world performs whole steps, so the reached time may differ from the requested time by
    /// less than one step; the next call compensates for the difference. `progress` is called every
    /// few steps; if it returns a false value other than None, the call ends early. Other Python
    /// threads can run during the call. Ctrl-C ends the call after a step and raises
    /// KeyboardInterrupt. Exceptions of `progress` are propagated.
    #[pyo3(signature = (time, progress=None))]
    fn advance<'py>(
        &self,
        py: Python<'py>,
        time: f64,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyAnyResult<'py> {
        self.run_with_progress(py, progress, move |facade, ask| facade.advance(time, ask))
    }

    /// Performs `count` time steps, including all events that are due during these steps. Progress
    /// calls, Ctrl-C and exceptions are handled as in `advance`.
    #[pyo3(signature = (count=Unsigned(1), progress=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        count: Unsigned<u64>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyAnyResult<'py> {
        self.run_with_progress(py, progress, move |facade, ask| facade.step(count.0, ask))
    }

    /// Edits that the model supports. Each has a name, and the meaning, the unit and the allowed
    /// range of its amount.
    fn edits<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let edits = self.lock(py)?.edits();
        let result = edits.iter().map(|one| {
            let (low, high) = (one.allowed.min(), one.allowed.high);
            new_record(py, "Edit", (one.name, one.meaning, one.unit, (low, high)))
        });
        result.collect()
    }

    /// Applies one of the supported `edits` at a place. Unlike `act`, it does not add the edit to
    /// the scene that `text` returns.
    fn edit(&self, py: Python<'_>, edit: &str, place: &Place, amount: f64) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.edit(edit, &place.place, amount))
    }

    /// Applies an event. `event` has the keys of an item in a scene's [[event]] list, without
    /// `time`, and is a dict or a TOML string. Example: {"do": "pour", "disc": {"center": [50, 50],
    /// "radius": 10}, "amount": 1}.
    fn act(&self, py: Python<'_>, event: &Bound<'_, PyAny>) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.act(&entry_to_toml(event)?))
    }

    /// Adds an item to one of the scene's lists: "gauge", "source", "drain" or "body", depending on
    /// the model.
    #[pyo3(name = "add")]
    fn add_entry(&self, py: Python<'_>, list: &str, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.add(list, &self::entry_to_toml(entry)?))
    }

    /// Replaces an item in one of the scene's lists by a new item with the same name. The only
    /// supported list is "gauge".
    fn change(&self, py: Python<'_>, list: &str, entry: &Bound<'_, PyAny>) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.change(list, &self::entry_to_toml(entry)?))
    }

    /// Removes the item with the given name from one of the scene's lists. The only supported list
    /// is "gauge".
    fn remove(&self, py: Python<'_>, list: &str, name: &str) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.remove(list, name))
    }

    /// Parameters that can be changed while the world runs, as a dict from scene keys to
    /// parameters.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for one in self.lock(py)?.parameters() {
            let value = match one.kind {
                ParameterKind::Number => one.value.into_pyobject(py)?.into_any(),
                ParameterKind::Integer => (one.value as i64).into_pyobject(py)?.into_any(),
                ParameterKind::Boolean => {
                    (one.value != 0.0).into_pyobject(py)?.to_owned().into_any()
                }
            };
            let allowed = (one.allowed_range[0], one.allowed_range[1]);
            let result =
                new_record(py, "Parameter", (value, one.unit, allowed, one.label, one.doc))?;
            all.set_item(one.key, result)?;
        }
        Ok(all)
    }

    /// Changes the value of one of the `parameters`. `key` is the key of the parameter in the
    /// scene.
    fn set(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.set(key, &to_scene_text(value)?))
    }

    /// Adds a spring and returns its id. `rate` is the discharge: in m³/s; in block worlds, in
    /// cells/s; in hydrology, in m³ per unit of time (one raindrop per cell on average).
    fn add_spring(&self, py: Python<'_>, place: &Place, rate: f64) -> PyResult<u32> {
        unwrap_or_raise(py, self.lock_mut(py)?.add_spring(&place.place, rate))
    }

    /// Replaces the place and the discharge of a spring.
    fn set_spring(
        &self,
        py: Python<'_>,
        id: Unsigned<u32>,
        place: &Place,
        rate: f64,
    ) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.set_spring(id.0, &place.place, rate))
    }

    /// Removes the spring with the given id.
    fn remove_spring(&self, py: Python<'_>, id: Unsigned<u32>) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.remove_spring(id.0))
    }

    /// Ids of all springs, including those of the scene.
    fn springs(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        Ok(self.lock(py)?.springs())
    }

    /// Adds a drain and returns its id. `rate` is the maximum discharge, in the unit of
    /// `add_spring`.
    fn add_drain(&self, py: Python<'_>, place: &Place, rate: f64) -> PyResult<u32> {
        unwrap_or_raise(py, self.lock_mut(py)?.add_drain(&place.place, rate))
    }

    /// Replaces the place and the maximum discharge of a drain.
    fn set_drain(
        &self,
        py: Python<'_>,
        id: Unsigned<u32>,
        place: &Place,
        rate: f64,
    ) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.set_drain(id.0, &place.place, rate))
    }

    /// Removes the drain with the given id.
    fn remove_drain(&self, py: Python<'_>, id: Unsigned<u32>) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.remove_drain(id.0))
    }

    /// Ids of all drains: those of the scene and those that were added.
    fn drains(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        Ok(self.lock(py)?.drains())
    }

    /// Adds a floating body and returns its id. `position` is the centre (m). `size` is its length
    /// and width (m); in side-view models, its width and height. `heading` is the direction of the
    /// long axis (radians, clockwise from east). `velocity` is in m/s. `draft` is the depth of the
    /// lowest point below the water surface (m).
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
        unwrap_or_raise(py, self.lock_mut(py)?.add_body(body))
    }

    /// Replaces the state of a floating body, for example to move it or to change its velocity.
    #[pyo3(signature = (id, position, size, *, heading=0.0, velocity=[0.0, 0.0], draft=0.1))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn set_body(
        &self,
        py: Python<'_>,
        id: Unsigned<u32>,
        position: [f64; 2],
        size: [f64; 2],
        heading: f64,
        velocity: [f64; 2],
        draft: f64,
    ) -> PyResult<()> {
        let body = BodyState { position, size, heading, velocity, draft };
        unwrap_or_raise(py, self.lock_mut(py)?.set_body(id.0, body))
    }

    /// Removes the floating body with the given id.
    fn remove_body(&self, py: Python<'_>, id: Unsigned<u32>) -> PyResult<()> {
        unwrap_or_raise(py, self.lock_mut(py)?.remove_body(id.0))
    }

    /// Current states of all floating bodies, including those of the scene, as a dict from ids to
    /// states.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (id, body) in self.lock(py)?.bodies() {
            let [position, size, velocity] =
                [body.position, body.size, body.velocity].map(|[x, y]| (x, y));
            let parts = (position, size, body.heading, velocity, body.draft);
            all.set_item(id, new_record(py, "Body", parts)?)?;
        }
        Ok(all)
    }

    /// Layers that the model can output, as a dict from the name of a layer to its unit, meaning,
    /// array shape and data type.
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        let facade = self.lock(py)?;
        let grid = facade.grid();
        for one in facade.layers() {
            let parts = (one.unit, one.meaning, (grid.ny, grid.nx), "float32");
            all.set_item(one.name, new_record(py, "Layer", parts)?)?;
        }
        Ok(all)
    }

    /// Returns a copy of the values of a layer, indexed as `array[row, column]`. Heights are
    /// relative to the vertical datum of the scene.
    fn layer<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let facade = self.lock(py)?;
        let facade = &*facade;
        match unwrap_or_raise(py, run_detached(py, || facade.layer(name))?)? {
            Cow::Borrowed(field) => copy_to_array(py, field),
            Cow::Owned(field) => move_to_array(py, field),
        }
    }

    /// Copies the values of a layer to an existing array. If `tiles` is given, only the values in
    /// these tiles are copied. The array must be float32, C-contiguous and writable, and must have
    /// the shape of the layer.
    #[pyo3(signature = (name, into, tiles=None))]
    fn read_layer(
        &self,
        py: Python<'_>,
        name: &str,
        into: &Bound<'_, PyAny>,
        tiles: Option<Vec<[Unsigned<usize>; 4]>>,
    ) -> PyResult<()> {
        let facade = self.lock(py)?;
        let grid = facade.grid();
        let mut into = borrow_writable(into, [grid.ny, grid.nx])?;
        let tile =
            |[x, y, nx, ny]: [Unsigned<usize>; 4]| Tile { x: x.0, y: y.0, nx: nx.0, ny: ny.0 };
        let tiles: Option<Vec<_>> = tiles.map(|tiles| tiles.into_iter().map(tile).collect());
        let values = into.as_slice_mut().unwrap_or_default();
        unwrap_or_raise(py, facade.read_layer(name, tiles.as_deref(), values))
    }

    /// Returns a layer without a copy, for reading during a block: `with world.borrow("depth") as
    /// depth:`.
    ///
    /// During the block, calls that would change the world raise BusyError. At the end of the block
    /// the array is emptied. A slice of the array, such as `depth[10:20]`, still sees the values
    /// and keeps the world locked until the slice is freed. The same holds for other users of the
    /// array, such as a `memoryview` or a tensor.
    fn borrow(slf: Bound<'_, Self>, py: Python<'_>, name: &str) -> PyResult<Borrowed> {
        unwrap_or_raise(py, slf.get().lock(py)?.layer(name).map(|_| ()))?;
        Ok(Borrowed::new(slf.unbind(), name))
    }

    /// Returns the tiles in which a layer may have changed since an earlier call, and a stamp of
    /// the current state for use in the next call. `since` is the stamp that the earlier call
    /// returned. Without it, returns all tiles.
    #[pyo3(signature = (name, since=[Unsigned(0), Unsigned(0)]))]
    fn changed<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        since: [Unsigned<u64>; 2],
    ) -> PyAnyResult<'py> {
        let (tiles, stamp) =
            unwrap_or_raise(py, self.lock(py)?.changed(name, since.map(|part| part.0)))?;
        let tiles: PyResult<Vec<_>> =
            tiles.iter().map(|t| new_record(py, "Tile", (t.x, t.y, t.nx, t.ny))).collect();
        new_record(py, "Changed", (tiles?, (stamp[0], stamp[1])))
    }

    /// Returns the values of layers and other quantities at a point, as a dict from names to
    /// values. `x` and `y` are the distances east and south of the top-left corner (m; in block
    /// worlds, cells). The dict is empty if the point is off the grid.
    fn at<'py>(&self, py: Python<'py>, x: f64, y: f64) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for one in unwrap_or_raise(py, self.lock(py)?.at([x, y]))? {
            all.set_item(one.name, new_record(py, "Sample", (one.value, one.unit, one.category))?)?;
        }
        Ok(all)
    }

    /// Returns the values of a layer at many points, as a float32 array with one value per point.
    /// `points` has one row `[x, y]` per point: the distances east and south of the top-left corner
    /// (m; in block worlds, cells). A value is NaN if the point is off the grid, or if the layer
    /// has no value there, such as `surface` on dry ground.
    fn sample_many<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        points: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let points = to_points(points)?;
        let facade = self.lock(py)?;
        let facade = &*facade;
        let mut values = vec![0.0; points.len()];
        let done = run_detached(py, || facade.sample_many(name, &points, &mut values))?;
        unwrap_or_raise(py, done)?;
        Ok(PyArray1::from_vec(py, values))
    }

    /// Readings of all gauges, as a dict from the names of the gauges to their readings.
    fn gauges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for one in self.lock(py)?.gauges() {
            let values = PyDict::new(py);
            for (head, measured) in one.column_names.iter().zip(&one.values) {
                values.set_item(head, PyArray1::from_slice(py, measured))?;
            }
            let times = PyArray1::from_slice(py, &one.times);
            all.set_item(&one.name, new_record(py, "Gauge", (times, values))?)?;
        }
        Ok(all)
    }

    /// Mass balance of the water: the current volume, and inflow and outflow by cause.
    fn ledger<'py>(&self, py: Python<'py>) -> PyAnyResult<'py> {
        let found = self.lock(py)?.ledger();
        let (came, went) = (found.inflow.into_iter(), found.outflow.into_iter());
        let [came, went] = [came.collect::<HashMap<_, _>>(), went.collect()];
        let residual = (found.residual, found.residual_relative);
        let (now, rounding) = (found.now, found.rounding);
        let parts = (found.unit, found.start, came, went, now, residual.0, residual.1, rounding);
        new_record(py, "Ledger", parts)
    }

    /// Returns the complete state of the world as bytes. `restore` continues from this state, bit
    /// for bit, in a world of the same scene with the same parameters.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut facade = self.lock(py)?;
        let facade = &mut *facade;
        let bytes = unwrap_or_raise(py, run_detached(py, || facade.snapshot())?)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Replaces the state of the world with the state in a snapshot.
    fn restore(&self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        let mut facade = self.lock_mut(py)?;
        let facade = &mut *facade;
        unwrap_or_raise(py, run_detached(py, || facade.restore(snapshot))?)
    }

    /// Returns the current scene as TOML, including changed parameters and applied events.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.lock(py)?.text())
    }

    /// Returns a hash of the state as 16 hexadecimal digits. The hash is the same on all platforms
    /// and for any number of threads, and equals the output of `headwater hash`.
    fn state_hash(&self, py: Python<'_>) -> PyResult<String> {
        let facade = self.lock(py)?;
        let facade = &*facade;
        Ok(format!("{:016x}", run_detached(py, || facade.state_hash())?))
    }
}
