//! Scenes of the model `flow`.

use headwater::flow::{
    Culvert, Evaporation, Flood, Gate, Params, Rain, Settle, Soil, Source, Tracers, Weir,
};
use headwater::parameter::{Change, Kind, Parameter, Parameters, Value};
use headwater_scene::live::Live;
use headwater_scene::scene;

const SCENE: &str = r#"
model = "flow"
[grid]
nx = 20
ny = 15
cell = 4
[time]
until = 8
[terrain]
plane = { slope = [0, 0], height = 0 }
[water]
depth = 1
[settle]
[flood]
[rain]
rate = 1
[evaporation]
rate = 1
[infiltration]
rate = 1
[particles]
count = 5
[[source]]
at = [20, 20]
rate = 1
[[culvert]]
from = [10, 10]
to = [30, 10]
inverts = [0, 0]
diameter = 1
[[gate]]
from = [10, 20]
to = [30, 20]
width = 1
sill = 0
opening = 1
[[weir]]
from = [10, 30]
to = [30, 30]
width = 1
crest = 0
"#;

#[test]
fn every_parameter_has_one_range() {
    // The longest step is a key of `[time]` there.
    walk::<Params>(SCENE, "physics", &["max_dt"]);
    walk::<Settle>(SCENE, "settle", &[]);
    walk::<Flood>(SCENE, "flood", &[]);
    walk::<Rain>(SCENE, "rain", &[]);
    walk::<Evaporation>(SCENE, "evaporation", &[]);
    walk::<Soil>(SCENE, "infiltration", &[]);
    walk::<Tracers>(SCENE, "particles", &[]);
    walk::<Source>(SCENE, "source[0]", &[]);
    walk::<Culvert>(SCENE, "culvert[0]", &[]);
    walk::<Gate>(SCENE, "gate[0]", &[]);
    walk::<Weir>(SCENE, "weir[0]", &[]);
}

/// Walks all of a table of a scene that has it, at `key`; of those in `own_way`, the scene has another way.
fn walk<P: Parameters>(text: &str, key: &str, own_way: &[&str]) {
    let mut live = Live::new("walk.toml", text).unwrap();
    let defaults = P::defaults();
    let mut walked = 0;
    for one in P::TABLE.iter().filter(|one| !own_way.contains(&one.key)) {
        let range = (one.allowed)(&defaults);
        let step = if one.kind == Kind::Whole { 1.0 } else { 0.0 };
        let below = if step > 0.0 { range.low - step } else { range.low.next_down() };
        let above = if step > 0.0 { range.high + step } else { range.high.next_up() };
        let key = format!("{key}.{}", one.key);
        let ends = [(range.low, if range.open { range.low } else { below }), (range.high, above)];
        for (end, (bound, beyond)) in ends.into_iter().enumerate() {
            let Some(value) = written(one, bound) else { continue };
            if bound.abs() == f64::MAX {
                continue;
            }
            if !(range.open && end == 0) {
                assert!(one.check(&defaults, &value).is_ok(), "{key} = {value}");
                scene::parse("walk.toml", text, &[(key.clone(), toml(&value))])
                    .unwrap_or_else(|error| panic!("{key} = {value}: {error}"));
            }
            let value = written(one, beyond).unwrap();
            let error = one.check(&defaults, &value).unwrap_err();
            let words = format!("{key}: found {}, allowed is {}", error.found, error.allowed);
            let refused = scene::parse("walk.toml", text, &[(key.clone(), toml(&value))]);
            let refused = refused.unwrap_err().to_string();
            // A whole number below 0 is no number of that kind at all.
            if one.kind != Kind::Whole || beyond >= 0.0 {
                assert!(refused.contains(&words), "{refused}\nhas not: {words}");
            }
            if one.change == Change::Live && !key.contains('[') {
                let set = live.set(&key, toml(&value).parse().unwrap()).unwrap_err().to_string();
                assert!(set.contains(&words), "{set}\nhas not: {words}");
            }
            walked += 1;
        }
    }
    assert!(walked > 0, "nothing to walk in {key}");
}

/// A number as the parameter's value; `None` if it holds no numbers.
fn written<P>(one: &Parameter<P>, v: f64) -> Option<Value> {
    match one.kind {
        Kind::Number | Kind::MaybeNumber | Kind::Whole => Some(Value::Number(v)),
        Kind::Series | Kind::MaybeSeries => Some(Value::Series(v.into())),
        Kind::Pair => Some(Value::Pair([v; 2])),
        Kind::Switch | Kind::Choice(_) => None,
    }
}

/// A value as a scene has it.
fn toml(value: &Value) -> String {
    match value {
        Value::Number(v) if v.fract() == 0.0 && v.abs() < 1e9 => format!("{}", *v as i64),
        Value::Number(v) => format!("{v:?}"),
        Value::Pair([x, y]) => format!("[{x:?}, {y:?}]"),
        Value::Series(series) => format!("{:?}", series.range().0),
        other => other.to_string(),
    }
}

#[test]
fn what_an_inflow_says_for_shallow_water_alone_is_told_on_other_levels() {
    let notices = |level: &str| {
        let text = format!(
            "model = 'flow'\nphysics.level = '{level}'\ngrid = {{ nx = 9, ny = 4, cell = 1 }}\ntime.until = 1\n\
             terrain.plane = {{}}\n[[boundary]]\nedge = 'west'\nkind = 'inflow'\ndischarge = 1\nlevel = 0.2\nalong = 0.5\n"
        );
        let scene = scene::parse("x.toml", &text, &[]).unwrap();
        headwater_scene::run::simulation(&scene).unwrap().notices()
    };
    for level in ["pipes", "inertial"] {
        let told = notices(level);
        for key in ["level", "along"] {
            let expected = format!("boundary[0].{key} does nothing: \"inflow\" heeds it with");
            assert!(told.iter().any(|told| told.starts_with(&expected)), "{told:?}");
        }
    }
    assert_eq!(notices("shallow-water"), Vec::<String>::new());
}
