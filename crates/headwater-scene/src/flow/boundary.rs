//! Boundary conditions of scenes (`[[boundary]]`): their keys, the checks of their values, and
//! their conversion to boundary conditions of the model.

use crate::scene::check::{Checker, MAX_HEIGHT, MAX_TIME, format_number, range_message};
use crate::scene::event::{add_allowed_keys, split_table};
use crate::scene::has_schema::schema_of;
use crate::scene::place::Coordinate;
use crate::scene::read::nested::deserialize_nested;
use crate::scene::{NoKeys, NonAreaAction};
use headwater::lattice::Edge;
use headwater::parameter::Range;
use headwater::{Lattice, Series};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;
use toml::Table;

/// `[[boundary]]`: boundary condition along an edge of the world, or along a part of an edge. Edges
/// without a boundary condition are walls. The keys are `edge`, `from`, `to`, `name` and `kind`,
/// and the keys that belong to the given `kind`.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Part of the edge to which the boundary condition applies.
    pub stretch: EdgeSection,
    /// Type of the boundary condition, with its keys.
    pub kind: BoundaryKind,
}

/// Edge of the world, or a part of an edge.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EdgeSection {
    /// Name of the boundary in the water balance, at most 64 characters. Default: none.
    pub name: Option<String>,
    /// Edge: `"west"`, `"east"`, `"north"` or `"south"`.
    pub edge: Edge,
    /// Start of the part of the edge to which the boundary condition applies, in metres or percent
    /// from the west or north end of the edge. Default 0.
    pub from: Option<Coordinate>,
    /// End of the part of the edge to which the boundary condition applies, in metres or percent
    /// from the west or north end of the edge. Default: the end of the edge.
    pub to: Option<Coordinate>,
}

/// `kind`: type of the boundary condition. Each type has its own keys.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BoundaryKind {
    /// Closed wall.
    Wall(NonAreaAction<NoKeys>),
    /// Inflow with a given `discharge`. With the shallow-water equations, the keys `level` and
    /// `along` are also supported.
    Inflow(NonAreaAction<Inflow>),
    /// Outflow with a given `discharge`, up to the water available.
    Outflow(NonAreaAction<Discharge>),
    /// Free outflow, as over a weir.
    Open(NonAreaAction<NoKeys>),
    /// Prescribed water level `level` outside the edge, such as that of a tide, a sea or a lake.
    Stage(NonAreaAction<StageBoundary>),
    /// Wave maker: incoming waves with an `amplitude` and a `period`, or with the recorded surface
    /// elevation `rise`, above a still-water level `level`. Absorbs outgoing waves.
    Wave(NonAreaAction<Wave>),
    /// Wave maker for one solitary wave with the given `height` above a still-water level `level`.
    /// The crest arrives at `time`. Absorbs outgoing waves.
    Solitary(NonAreaAction<Solitary>),
    /// Periodic boundary, which connects the edge to the opposite edge. It applies only to whole
    /// edges, and is given for one or both of the opposite edges.
    Periodic(NonAreaAction<NoKeys>),
}

/// Keys of a boundary with `kind = "outflow"`: water leaves the world with a given discharge.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Discharge {
    /// Discharge per metre of edge (m²/s), 0 to 10⁶: a number, or a table of `[seconds,
    /// discharge]`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::scene::schema::series_schema"))]
    pub discharge: Series,
}

/// Keys of a boundary with `kind = "inflow"`: water enters the world with a given discharge.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Inflow {
    /// Discharge per metre of edge (m²/s), 0 to 10⁶: a number, or a table of `[seconds,
    /// discharge]`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::scene::schema::series_schema"))]
    pub discharge: Series,
    /// Surface level (m) of a supercritical inflow: a number, or a table of `[seconds, level]`.
    /// Only for shallow water. Default: the inflow is subcritical and takes its depth from the
    /// water inside the edge.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::scene::schema::series_schema"))]
    #[serde(default)]
    pub level: Option<Series>,
    /// Velocity component along the edge (m/s), positive eastward or southward, −1000 to 1000: a
    /// number, or a table of `[seconds, velocity]`. Only for shallow water. Default 0.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::scene::schema::series_schema"))]
    #[serde(default)]
    pub along: Option<Series>,
}

/// Keys of a boundary with `kind = "stage"`: the water level outside the edge is given.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StageBoundary {
    /// Water level outside the edge (m): a number, or a table of `[seconds, level]`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::scene::schema::series_schema"))]
    pub level: Series,
}

/// Keys of a boundary with `kind = "wave"`: periodic or recorded waves enter the world.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// Still-water level (m).
    pub level: f64,
    /// Amplitude of the incoming waves (m), 0 to 1000. Required together with `period`, unless
    /// `rise` is given.
    pub amplitude: Option<f64>,
    /// Period of the incoming waves (s), greater than 0 and at most 10⁶.
    pub period: Option<f64>,
    /// Surface elevation of the incoming waves relative to the still-water level, over time (m),
    /// −1000 to 1000, for example recorded by a buoy: a number, or a table of `[seconds, rise]`.
    /// Replaces `amplitude` and `period`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::scene::schema::series_schema"))]
    #[serde(default)]
    pub rise: Option<Series>,
}

/// Keys of a boundary with `kind = "solitary"`: one solitary wave enters the world.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Solitary {
    /// Still-water level (m).
    pub level: f64,
    /// Height of the crest above the still-water level (m), 0 to 1000.
    pub height: f64,
    /// Time at which the crest crosses the edge (s).
    pub time: f64,
    /// Still-water depth (m) from which the length of the solitary wave is computed, greater than 0
    /// and at most 10⁵. Default: the mean still-water depth along the boundary.
    pub depth: Option<f64>,
}

schema_of!([] Boundary, |generator| {
    let stretch = EdgeSection::json_schema(generator);
    crate::scene::schema::add_table_keys(BoundaryKind::json_schema(generator), &stretch, generator)
});

impl<'de> Deserialize<'de> for Boundary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const STRETCH: [&str; 4] = ["edge", "from", "to", "name"];
        let (stretch, rest) = split_table(Table::deserialize(deserializer)?, &STRETCH);
        let kind = deserialize_nested(rest)
            .map_err(|error| add_allowed_keys(error, &["kind", "edge", "from", "to", "name"]))?;
        Ok(Self { stretch: deserialize_nested(stretch)?, kind })
    }
}

impl EdgeSection {
    /// Returns the length of the entire edge of the world (m).
    pub fn edge_length(&self, lattice: &Lattice) -> f64 {
        match self.edge {
            Edge::West | Edge::East => lattice.height(),
            Edge::North | Edge::South => lattice.width(),
        }
    }

    /// Returns the start and the end of the part of the edge, as distances (m) from the west or
    /// north end of the edge.
    pub fn start_and_end(&self, lattice: &Lattice) -> [f64; 2] {
        let length = self.edge_length(lattice);
        let along = |end: Option<Coordinate>, default| end.map_or(default, |c| c.resolve(length));
        let [from, to] = [along(self.from, 0.0), along(self.to, length)];
        // Because of rounding, the sum of the cells may be less than the length given in the scene.
        [from, if to <= length * (1.0 + 1e-12) { to.min(length) } else { to }]
    }
}

impl Boundary {
    /// Returns whether the boundary connects its edge to the opposite edge.
    pub(super) fn is_periodic(&self) -> bool {
        matches!(self.kind, BoundaryKind::Periodic(_))
    }

    /// Returns whether the condition depends on the bed elevation along the edge.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn depends_on_bed(&self) -> bool {
        matches!(self.kind, BoundaryKind::Solitary(NonAreaAction(Solitary { depth: None, .. })))
    }

    /// Returns those keys of the boundary that only the shallow-water model uses.
    pub(super) fn shallow_water_keys(&self) -> Vec<&'static str> {
        let BoundaryKind::Inflow(NonAreaAction(inflow)) = &self.kind else { return Vec::new() };
        let keys = [("level", inflow.level.is_some()), ("along", inflow.along.is_some())];
        keys.into_iter().filter(|(_, is_given)| *is_given).map(|(key, _)| key).collect()
    }

    /// Converts this boundary condition to the type of the flow model, in which heights are
    /// relative to `datum` (m). `bed` maps the index of a cell face on the edge to the bed
    /// elevation above `datum` (m) in the adjacent cell.
    pub(super) fn to_model(
        &self,
        lattice: &Lattice,
        datum: f64,
        bed: impl Fn(usize) -> f32,
    ) -> headwater::flow::Boundary {
        let span = (!self.is_periodic()).then(|| self.stretch.start_and_end(lattice));
        let kind = self.to_model_kind(datum, |level| self.mean_still_depth(lattice, level, bed));
        headwater::flow::Boundary { edge: self.stretch.edge, span, kind }
    }

    /// Converts the kind of the boundary condition. `still_depth_at` maps a surface level (m) to
    /// the mean still-water depth along the boundary (m).
    fn to_model_kind(
        &self,
        datum: f64,
        still_depth_at: impl FnOnce(f64) -> f64,
    ) -> headwater::flow::BoundaryKind {
        use headwater::flow::BoundaryKind as Model;
        match &self.kind {
            BoundaryKind::Wall(_) => Model::Wall,
            BoundaryKind::Inflow(NonAreaAction(Inflow { discharge, level: None, along: None })) => {
                Model::Inflow { discharge: discharge.clone() }
            }
            BoundaryKind::Inflow(NonAreaAction(Inflow { discharge, level, along })) => {
                Model::Stream {
                    discharge: discharge.clone(),
                    along: along.clone().unwrap_or_else(|| 0.0.into()),
                    level: level.as_ref().map(|level| level.map_values(|level| level - datum)),
                }
            }
            BoundaryKind::Outflow(outflow) => {
                Model::Outflow { discharge: outflow.0.discharge.clone() }
            }
            BoundaryKind::Open(_) => Model::Open,
            BoundaryKind::Stage(NonAreaAction(stage)) => {
                Model::Stage { level: stage.level.map_values(|level| level - datum) }
            }
            BoundaryKind::Wave(NonAreaAction(Wave { level, amplitude, period, rise })) => {
                let level = level - datum;
                match (rise, amplitude, period) {
                    (Some(rise), ..) => Model::Recorded { level, rise: rise.clone() },
                    // Checked scenes have both amplitude and period.
                    (None, amplitude, period) => Model::Wave {
                        level,
                        amplitude: amplitude.unwrap_or(0.0),
                        period: period.unwrap_or(1.0),
                    },
                }
            }
            &BoundaryKind::Solitary(NonAreaAction(Solitary { level, height, time, depth })) => {
                let level = level - datum;
                let depth = depth.unwrap_or_else(|| still_depth_at(level));
                Model::Solitary { level, height, depth, time }
            }
            BoundaryKind::Periodic(_) => Model::Periodic,
        }
    }

    /// Returns the mean still-water depth (m) along the boundary if the water surface is at `level`
    /// (m). Faces with dry ground are excluded. If all faces are dry, returns 1 m.
    fn mean_still_depth(&self, lattice: &Lattice, level: f64, bed: impl Fn(usize) -> f32) -> f64 {
        let edge = self.stretch.edge;
        let [from, to] = self.stretch.start_and_end(lattice);
        let faces = (0..lattice.edge_len(edge))
            .filter(|&i| (from..to).contains(&lattice.edge_position(edge, i)))
            .map(|i| level - f64::from(bed(i)))
            .filter(|depth| *depth > 0.0);
        let (sum, count) = faces.fold((0.0, 0_u32), |(sum, count), depth| (sum + depth, count + 1));
        // No waves enter over dry ground, so any positive depth will do.
        if count > 0 { sum / f64::from(count) } else { 1.0 }
    }
}

/// Checks the values of all boundary conditions.
pub(super) fn check_boundaries(check: &mut Checker, boundaries: &[Boundary]) {
    check.check_entry_count("boundary", boundaries.len());
    let mut names = BTreeSet::new();
    for (i, boundary) in boundaries.iter().enumerate() {
        if let Some(name) = &boundary.stretch.name {
            check.check_entry_name(&format!("boundary[{i}].name"), name, &mut names, "boundary");
        }
        check_boundary(check, &format!("boundary[{i}]"), boundary);
    }
    check_periodic(check, boundaries);
}

/// Checks the edges opposite to periodic edges: they must be periodic too, or have no boundary
/// condition.
fn check_periodic(check: &mut Checker, boundaries: &[Boundary]) {
    let all = || boundaries.iter().enumerate();
    for (i, one) in all().filter(|(_, one)| one.is_periodic()) {
        let opposite = one.stretch.edge.opposite();
        let other = all().find(|(_, other)| other.stretch.edge == opposite && !other.is_periodic());
        if let Some((j, _)) = other {
            let edge = format!("{opposite:?}").to_lowercase();
            let message = format!(
                "\"periodic\" connects it to the {edge} edge, which has another kind in boundary[{j}]"
            );
            check.add_problem(format!("boundary[{i}].kind"), message);
        }
    }
}

fn check_boundary(check: &mut Checker, key: &str, Boundary { stretch, kind }: &Boundary) {
    use headwater::flow::BoundaryKind as Model;
    match kind {
        BoundaryKind::Wall(_) | BoundaryKind::Open(_) => {}
        BoundaryKind::Inflow(NonAreaAction(Inflow { discharge, level, along })) => {
            let range = <[f64; 2]>::from(discharge.value_range());
            check_range(check, format!("{key}.discharge"), &range, Model::DISCHARGE, "m²/s");
            if let Some(level) = level {
                check.check_series(format!("{key}.level"), level, -MAX_HEIGHT, MAX_HEIGHT, " m");
            }
            if let Some(along) = along {
                let Range { low, high, .. } = Model::TANGENTIAL_VELOCITY;
                check.check_series(format!("{key}.along"), along, low, high, " m/s");
            }
        }
        BoundaryKind::Outflow(NonAreaAction(Discharge { discharge })) => {
            let range = <[f64; 2]>::from(discharge.value_range());
            check_range(check, format!("{key}.discharge"), &range, Model::DISCHARGE, "m²/s");
        }
        BoundaryKind::Stage(NonAreaAction(StageBoundary { level })) => {
            check.check_series(format!("{key}.level"), level, -MAX_HEIGHT, MAX_HEIGHT, " m");
        }
        BoundaryKind::Wave(NonAreaAction(wave)) => check_wave_maker(check, key, wave),
        BoundaryKind::Solitary(NonAreaAction(Solitary { level, height, time, depth })) => {
            check.check_height(format!("{key}.level"), *level);
            check_range(check, format!("{key}.height"), &[*height], Model::AMPLITUDE, "m");
            check.check_range(format!("{key}.time"), *time, -MAX_TIME, MAX_TIME, " s");
            check_range(check, format!("{key}.depth"), depth.as_slice(), Model::STILL_DEPTH, "m");
        }
        BoundaryKind::Periodic(_) => {
            if stretch.from.is_some() || stretch.to.is_some() {
                check.add_problem(
                    key,
                    "\"periodic\" needs a whole edge, found a stretch (from, to)",
                );
            }
        }
    }
    for (end, coordinate) in [("from", stretch.from), ("to", stretch.to)] {
        if let Some(coordinate) = coordinate {
            check.check_coordinate(format!("{key}.{end}"), coordinate);
        }
    }
}

/// Checks a wave maker boundary, which needs either an amplitude and a period or a recorded surface
/// elevation.
fn check_wave_maker(check: &mut Checker, key: &str, wave: &Wave) {
    use headwater::flow::BoundaryKind as Model;
    check.check_height(format!("{key}.level"), wave.level);
    let even = [
        ("amplitude", wave.amplitude, Model::AMPLITUDE, "m"),
        ("period", wave.period, Model::PERIOD, "s"),
    ];
    for (name, given, range, unit) in even {
        let key = format!("{key}.{name}");
        match (given, &wave.rise) {
            (Some(found), None) => check_range(check, key, &[found], range, unit),
            (None, None) => check.add_problem(key, "is missing"),
            (Some(_), Some(_)) => check.add_problem(key, "cannot be combined with rise"),
            (None, Some(_)) => {}
        }
    }
    if let Some(rise) = &wave.rise {
        check.check_series(format!("{key}.rise"), rise, Model::RISE.low, Model::RISE.high, " m");
    }
}

/// Checks that all numbers in `found` are in `range`, the allowed range of a parameter of the flow
/// model. `unit` is the unit of these numbers in the error message.
fn check_range(check: &mut Checker, key: String, found: &[f64], range: Range, unit: &str) {
    let error = found.iter().find_map(|&found| range.check("", found, unit).err());
    if let Some(error) = error {
        check.add_problem(key, range_message(&error));
    }
}

/// Checks that all boundary conditions lie within their edges and do not overlap.
pub(super) fn check_stretches(check: &mut Checker, boundaries: &[Boundary], lattice: &Lattice) {
    let mut taken: Vec<(usize, [f64; 2])> = Vec::new();
    for (i, boundary) in boundaries.iter().enumerate() {
        let key = format!("boundary[{i}]");
        let [from, to] = boundary.stretch.start_and_end(lattice);
        let length = boundary.stretch.edge_length(lattice);
        if !(from >= 0.0 && from < to && to <= length) {
            let (from, to, length) =
                (format_number(from), format_number(to), format_number(length));
            let message = format!("found {from} to {to} m, needs a stretch within 0 to {length} m");
            check.add_problem(key, message);
            continue;
        }
        let clash = taken.iter().find(|(other, stretch)| {
            boundaries[*other].stretch.edge == boundary.stretch.edge
                && from < stretch[1]
                && stretch[0] < to
        });
        if let Some((other, [begin, end])) = clash {
            let (from, to) = (format_number(from), format_number(to));
            let other = format!(
                "boundary[{other}] ({} to {} m)",
                format_number(*begin),
                format_number(*end)
            );
            check.add_problem(key, format!("found {from} to {to} m, which overlaps {other}"));
        } else {
            taken.push((i, [from, to]));
        }
    }
}
