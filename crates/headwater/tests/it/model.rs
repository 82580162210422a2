//! Tests of the common interface [`Model`]. Each test runs with all models.

use crate::support::changes::check_rows_of_layers;
use crate::support::hydrology::noise;
use headwater::blocks::{self, Blocks};
use headwater::changes::{Changes, Stamp};
use headwater::columns::{self, Columns};
use headwater::flow::{self, Flow};
use headwater::hydrology::{self, Hydrology};
use headwater::model::{BodyState, EditKind};
use headwater::parameter::{Kind, Mutability, Range, Setting, Value};
use headwater::waves::{self, Waves};
use headwater::{Brush, Field, Id, InputError, Model, Region, Square};

pub(crate) struct ModelCase {
    pub(crate) make: fn() -> Box<dyn Model>,
    /// Key of a parameter that can be changed while the world runs. The field `fixed` is the key of
    /// a parameter that cannot.
    live: &'static str,
    fixed: Option<&'static str>,
    /// Name and amount of an edit that changes the state of the world.
    edit: (&'static str, f64),
    pub(crate) time: f64,
    substances: &'static [&'static str],
}

pub(crate) const CASES: &[ModelCase] = &[FLOW, BLOCKS, COLUMNS, HYDROLOGY, WAVES];

const FLOW: ModelCase = ModelCase {
    make: || {
        let bed = Field::from_fn(40, 30, |x, _| 0.02 * x as f32);
        let depth = Field::from_fn(40, 30, |x, _| if x < 20 { 1.5 } else { 0.8 });
        let pond = Square::new(40, 30, 1.0, 1.0).unwrap();
        Box::new(Flow::new(pond, flow::Params::default(), bed, depth).unwrap())
    },
    live: "physics.friction",
    fixed: None,
    edit: ("raise", 0.5),
    time: 0.5,
    substances: &["water"],
};

const BLOCKS: ModelCase = ModelCase {
    make: || {
        let map = "#~~~..#\n#~~~..#\n#~~~#.#\n#.....#\n#######";
        Box::new(Blocks::from_text(map, blocks::Params::default()).unwrap())
    },
    live: "physics.flow",
    fixed: Some("physics.tick"),
    edit: ("pour", 256.0),
    time: 0.52,
    substances: &["water", "oil", "lava"],
};

const HYDROLOGY: ModelCase = ModelCase {
    make: || {
        let bed = noise(40, 30, 3);
        let land = Square::new(40, 30, 1.0, 1.0).unwrap();
        Box::new(Hydrology::new(land, hydrology::Params::default(), &bed).unwrap())
    },
    live: "hydrology.capacity",
    fixed: Some("hydrology.seed"),
    edit: ("raise", 2.0),
    time: 0.1,
    substances: &["water", "sediment"],
};

const WAVES: ModelCase = ModelCase {
    make: || {
        let pond = Square::new(40, 30, 1.0, 1.0).unwrap();
        let mut waves = Waves::new(pond, waves::Params::default()).unwrap();
        waves.add_drop([12.0, 9.0], 5.0, 0.1).unwrap();
        Box::new(waves)
    },
    live: "physics.damping",
    fixed: Some("physics.step"),
    edit: ("drop", 0.1),
    time: 0.12,
    substances: &["water"],
};

const COLUMNS: ModelCase = ModelCase {
    make: || {
        let heat = Some(columns::Heat { water: Some(30.0), ..columns::Heat::default() });
        let params = columns::Params { heat, ..columns::Params::default() };
        let map = "#~~~..#\n#~~~..#\n#~~~..#\n#.....#\n#######";
        Box::new(Columns::from_text(map, 1.0, params).unwrap())
    },
    live: "physics.heat.pace",
    fixed: Some("physics.heat.air"),
    edit: ("splash", 0.4),
    time: 0.15,
    substances: &["water", "heat"],
};

fn brush(world: &dyn Model) -> Brush {
    let [nx, ny] = world.grid_size();
    let middle = [nx, ny].map(|n| 0.5 * n as f64);
    // The cells of these worlds have the size 1.
    Brush::with_flat_falloff(Region::disc(middle, 0.25 * nx.max(ny) as f64))
}

fn setting_with_key(world: &dyn Model, key: &str) -> Setting {
    world.settings().into_iter().find(|setting| setting.key == key).unwrap()
}

fn changed_value(setting: &Setting) -> Value {
    match (&setting.value, setting.kind) {
        (Value::Bool(on), _) => Value::Bool(!on),
        (_, Kind::Choice(words)) => {
            let is = |word: &&&str| setting.value != Value::Choice((**word).into());
            Value::Choice((*words.iter().find(is).unwrap()).into())
        }
        (Value::Pair(_), _) => Value::Pair([setting.slider_range[0]; 2]),
        (value, _) => {
            let ends = setting.slider_range.map(Value::Number);
            ends.into_iter().find(|end| end != value).unwrap()
        }
    }
}

#[test]
fn time_advances_reproducibly() {
    for case in CASES {
        let (mut world, mut again) = ((case.make)(), (case.make)());
        let name = world.name();
        assert_eq!(world.state_hash(), again.state_hash(), "{name}");
        let done = world.advance(case.time).unwrap();
        assert!(done.steps > 1 && (0.0..=1.0).contains(&done.alpha), "{name}: {done:?}");
        assert_eq!((done.steps, done.dropped), (world.steps(), 0.0), "{name}");
        assert!(world.time() > 0.0, "{name}");
        assert_ne!(world.state_hash(), again.state_hash(), "{name}");
        again.advance(case.time).unwrap();
        assert_eq!(world.state_hash(), again.state_hash(), "{name}");
        for bad in [-1.0, f64::NAN] {
            assert!(world.advance(bad).is_err(), "{name}: {bad}");
        }
        assert_eq!(world.state_hash(), again.state_hash(), "{name}: what was refused is not done");
    }
}

#[test]
fn copied_layer_is_updated_by_changes() {
    for case in CASES {
        let mut world = (case.make)();
        let (name, [nx, ny]) = (world.name(), world.grid_size());
        let mut changes = Changes::default();
        let mut kept: Vec<_> =
            world.layers().iter().map(|_| Field::new(nx, ny, f32::NAN)).collect();
        for round in 0..6 {
            world.update_changes(&mut changes);
            for (layer, kept) in world.layers().iter().zip(&mut kept) {
                world.view_into(layer.name, &changes.tiles, kept).unwrap();
                let (layer, whole) = (layer.name, world.layer(layer.name).unwrap());
                assert_eq!(*kept, *whole, "{name}: {layer} in round {round}");
            }
            if round == 3 {
                world.edit(case.edit.0, &brush(&*world), case.edit.1).unwrap();
            } else {
                world.advance(case.time).unwrap();
            }
        }
        check_rows_of_layers(&*world);
        let said = world.view_into("gold", &[], &mut kept[0]).unwrap_err();
        assert!(said.allowed.contains(world.layers()[0].name), "{name}: {said}");
        let mut small = Field::new(nx, ny + 1, 0.0);
        let first = world.layers()[0].name;
        assert!(world.view_into(first, &[], &mut small).is_err(), "{name}");
    }
}

#[test]
fn parameters_are_set_by_key() {
    for case in CASES {
        let mut world = (case.make)();
        let name = world.name();
        for setting in world.settings() {
            let Setting { key, doc, .. } = &setting;
            assert!(!doc.is_empty() && !setting.label.is_empty(), "{name}: {key}");
            let numbers = setting.value.numbers();
            assert!(numbers.iter().all(|&v| setting.allowed.contains(v)), "{name}: {key}");
            if !matches!(setting.kind, Kind::Bool | Kind::Choice(_)) {
                let slider_range = setting.slider_range;
                assert!(slider_range.iter().all(|&v| setting.allowed.contains(v)), "{name}: {key}");
            }
        }
        let before = setting_with_key(&*world, case.live);
        assert_eq!(before.mutability, Mutability::Live, "{name}");
        let new = changed_value(&before);
        world.set(case.live, &new).unwrap();
        assert_eq!(setting_with_key(&*world, case.live).value, new, "{name}");
        let hash = world.state_hash();
        let bad = Value::Number(before.allowed.high.next_up());
        let error = world.set(case.live, &bad).unwrap_err();
        assert_eq!(error.what, case.live, "{name}");
        if let Some(key) = case.fixed {
            let new = changed_value(&setting_with_key(&*world, key));
            assert_eq!(world.set(key, &new).unwrap_err().what, key, "{name}");
        }
        assert!(world.set("nothing.such", &new).is_err(), "{name}");
        assert!(world.set(case.live, &Value::Choice("nonsense".into())).is_err(), "{name}");
        assert_eq!(world.state_hash(), hash, "{name}: what was refused is not done");
    }
}

#[test]
fn edits_by_name_report_changes() {
    for case in CASES {
        let mut world = (case.make)();
        let name = world.name();
        let (edit, amount) = case.edit;
        let stamp = world.changed_since(Stamp::NEVER).stamp;
        let (hash, brush) = (world.state_hash(), brush(&*world));
        world.edit(edit, &brush, amount).unwrap();
        assert_ne!(world.state_hash(), hash, "{name}");
        let hash = world.state_hash();
        let changes = world.changed_since(stamp);
        assert!(!changes.tiles.is_empty(), "{name}");
        assert!(world.changed_since(changes.stamp).tiles.is_empty(), "{name}: reported twice");
        assert!(world.edit("nothing-such", &brush, 1.0).is_err(), "{name}");
        assert!(world.edit(edit, &brush, f64::NAN).is_err(), "{name}");
        let nowhere = Brush::with_flat_falloff(Region::disc([0.0, f64::NAN], 1.0));
        assert!(world.edit(edit, &nowhere, amount).is_err(), "{name}");
        for &EditKind { name: edit, allowed, .. } in world.edits() {
            let Range { low, high, .. } = allowed;
            let out = [low.next_down(), high.next_up()].into_iter().filter(|v| v.is_finite());
            for amount in out {
                assert_eq!(world.edit(edit, &brush, amount).unwrap_err().what, edit, "{name}");
            }
        }
        assert_eq!(world.state_hash(), hash, "{name}: what was refused is not done");
    }
}

#[test]
fn samples_equal_the_values_of_layers() {
    for case in CASES {
        let mut world = (case.make)();
        world.advance(case.time).unwrap();
        let name = world.name();
        let [nx, ny] = world.grid_size();
        for layer in world.layers() {
            let field = world.layer(layer.name).unwrap();
            assert_eq!([field.nx(), field.ny()], [nx, ny], "{name}: {}", layer.name);
        }
        assert!(world.layer("nothing-such").is_none(), "{name}");
        let (x, y) = (nx / 2, ny / 2);
        let samples = world.sample_at([x as f64 + 0.5, y as f64 + 0.5]);
        assert!(!samples.is_empty(), "{name}");
        for sample in samples {
            if let Some(layer) = world.layer(sample.name) {
                let there = f64::from(layer[(x, y)]);
                let off = (sample.value - there).abs();
                assert!(off <= 1e-6 * there.abs().max(1.0), "{name}: {sample:?} {there}");
            }
        }
        assert!(
            world.sample_at([-1.0, 0.5]).is_empty() && world.sample_at([f64::NAN, 0.5]).is_empty(),
            "{name}"
        );
    }
}

#[test]
fn inflow_and_outflow_are_in_the_ledger() {
    for case in CASES {
        let mut world = (case.make)();
        let name = world.name();
        let everywhere = || Region::Everywhere;
        // Models without springs or drains reject them.
        for (what, added) in [
            ("springs", world.add_spring(everywhere(), 100.0)),
            ("drains", world.add_drain(everywhere(), 10.0)),
        ] {
            let is_so =
                added.as_ref().map_or_else(|error| error.what == what, |&id| id == Id::new(0));
            assert!(is_so, "{name}: {added:?}");
        }
        world.edit(case.edit.0, &brush(&*world), case.edit.1).unwrap();
        world.advance(case.time).unwrap();
        let substances: Vec<_> =
            world.substance_balances().iter().map(|one| one.substance).collect();
        assert_eq!(substances, case.substances, "{name}");
        for account in world.substance_balances() {
            let off = account.balance.residual_relative;
            assert!(off.abs() < 1e-6, "{name}: {} is off by {off}", account.substance);
        }
    }
}

#[test]
fn added_bodies_are_returned_unchanged() {
    for case in CASES {
        let mut world = (case.make)();
        let name = world.name();
        let position = world.grid_size().map(|n| 0.5 * n as f64);
        let (size, velocity) = ([1.0, 0.5], [0.0, 0.0]);
        let body = BodyState { position, size, heading: 0.0, velocity, draft: 0.1 };
        match world.add_body(body) {
            Ok(id) => {
                let bodies = world.bodies();
                assert_eq!((bodies.len(), bodies[0].0), (1, id), "{name}");
                assert_eq!(bodies[0].1.position, position, "{name}");
            }
            Err(error) => assert_eq!((&*error.what, world.bodies().len()), ("bodies", 0), "{name}"),
        }
    }
}

struct EntryKind {
    name: &'static str,
    add: fn(&mut dyn Model) -> Result<Id, InputError>,
    set: fn(&mut dyn Model, Id) -> Result<(), InputError>,
    remove: fn(&mut dyn Model, Id) -> Result<(), InputError>,
    all: fn(&dyn Model) -> Vec<Id>,
}

fn central_body(world: &dyn Model) -> BodyState {
    let position = world.grid_size().map(|n| 0.5 * n as f64);
    BodyState { position, size: [1.0, 0.5], heading: 0.0, velocity: [0.0; 2], draft: 0.1 }
}

const ENTRY_KINDS: [EntryKind; 3] = [
    EntryKind {
        name: "springs",
        add: |world| world.add_spring(Region::Everywhere, 100.0),
        set: |world, id| world.set_spring(id, Region::Everywhere, 200.0),
        remove: |world, id| world.remove_spring(id),
        all: |world| world.springs(),
    },
    EntryKind {
        name: "drains",
        add: |world| world.add_drain(Region::Everywhere, 10.0),
        set: |world, id| world.set_drain(id, Region::Everywhere, 20.0),
        remove: |world, id| world.remove_drain(id),
        all: |world| world.drains(),
    },
    EntryKind {
        name: "bodies",
        add: |world| world.add_body(central_body(world)),
        set: |world, id| {
            world.set_body(id, BodyState { velocity: [0.1, 0.0], ..central_body(world) })
        },
        remove: |world, id| world.remove_body(id),
        all: |world| world.bodies().into_iter().map(|(id, _)| id).collect(),
    },
];

#[test]
fn ids_are_stable() {
    for (case, things) in CASES.iter().flat_map(|case| ENTRY_KINDS.iter().map(move |it| (case, it)))
    {
        let (mut world, EntryKind { name, add, set, remove, all }) = ((case.make)(), things);
        let model = world.name();
        let [first, second, third] = match [0; 3].map(|_| add(&mut *world)) {
            [Ok(first), Ok(second), Ok(third)] => [first, second, third],
            // Models without such items reject every call.
            [Err(error), ..] => {
                let known = [set(&mut *world, Id::new(0)), remove(&mut *world, Id::new(0))];
                assert!(known.iter().all(|said| said.as_ref() == Err(&error)), "{model} {name}");
                assert_eq!((&*error.what, all(&*world).len()), (*name, 0), "{model}");
                continue;
            }
            some => panic!("{model} {name}: {some:?}"),
        };
        world.advance(case.time).unwrap();
        remove(&mut *world, second).unwrap();
        assert_eq!(all(&*world), [first, third], "{model} {name}");
        let before = world.state_hash();
        for gone in [second, Id::new(77)] {
            assert!(remove(&mut *world, gone).is_err(), "{model} {name}");
            assert!(set(&mut *world, gone).is_err(), "{model} {name}");
        }
        assert_eq!(world.state_hash(), before, "{model} {name}: what was refused is not done");
        set(&mut *world, third).unwrap();
        assert_ne!(world.state_hash(), before, "{model} {name}: what was changed is seen");
        remove(&mut *world, third).unwrap();
        // Ids are not reused, even after saving and loading.
        let saved = world.save().unwrap();
        world.load(&saved).unwrap();
        let fourth = add(&mut *world).unwrap();
        assert!(![first, second, third].contains(&fourth), "{model} {name}: {fourth}");
        world.advance(case.time).unwrap();
        assert_eq!(all(&*world), [first, fourth], "{model} {name}");
    }
}

#[test]
fn a_loaded_state_continues_like_the_saved_one() {
    for case in CASES {
        let mut world = (case.make)();
        let name = world.name();
        world.advance(case.time).unwrap();
        let stamp = world.changed_since(Stamp::NEVER).stamp;
        let state = world.save().unwrap();
        let hash = world.state_hash();
        world.advance(case.time).unwrap();
        let later = world.state_hash();
        let longer = [&state[..], b"and more"].concat();
        for damaged in [&state[..state.len() / 2], &[255; 40], &longer] {
            assert!(world.load(damaged).is_err(), "{name}");
        }
        for at in (0..state.len()).step_by(state.len() / 50 + 1) {
            let mut damaged = state.clone();
            damaged[at] ^= 4;
            assert!(world.load(&damaged).is_err(), "{name}: byte {at}");
        }
        let other_model = CASES
            .iter()
            .map(|case| (case.make)())
            .find(|other_model| other_model.name() != name)
            .unwrap();
        let error = world.load(&other_model.save().unwrap()).unwrap_err().to_string();
        let said = format!("found a state of the model `{}`", other_model.name());
        assert!(error.contains(&said), "{name}: {error}");
        assert_eq!(world.state_hash(), later, "{name}: what was refused is not done");
        world.load(&state).unwrap();
        assert_eq!(world.state_hash(), hash, "{name}");
        assert!(!world.changed_since(stamp).tiles.is_empty(), "{name}: all of it is new");
        world.advance(case.time).unwrap();
        assert_eq!(world.state_hash(), later, "{name}");
        let mut another = (case.make)();
        another.load(&state).unwrap();
        assert_eq!(another.state_hash(), hash, "{name}");
    }
}
