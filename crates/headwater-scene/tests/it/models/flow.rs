//! Tests of scenes of the model `flow`.

use crate::support::parameters;
use headwater::flow::{
    Culvert, Evaporation, Flood, Gate, Params, Rain, RelaxationParams, Soil, Source, Tracers, Weir,
};
use headwater::parameter::Parameters;
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
fn library_scene_and_inspector_have_the_same_parameter_ranges() {
    // `max_dt` is a key of `[time]` in scenes.
    parameters::assert_ranges_match_except(&Params::default(), "physics", SCENE, &["max_dt"]);
    parameters::assert_ranges_match(&RelaxationParams::default(), "settle", SCENE);
    parameters::assert_ranges_match(&Flood::default(), "flood", SCENE);
    parameters::assert_ranges_match(&Rain::default(), "rain", SCENE);
    parameters::assert_ranges_match(&Evaporation::default(), "evaporation", SCENE);
    parameters::assert_ranges_match(&Soil::default(), "infiltration", SCENE);
    parameters::assert_ranges_match(&Tracers::default(), "particles", SCENE);
    parameters::assert_ranges_match(&Source::defaults(), "source[0]", SCENE);
    parameters::assert_ranges_match(&Culvert::defaults(), "culvert[0]", SCENE);
    parameters::assert_ranges_match(&Gate::defaults(), "gate[0]", SCENE);
    parameters::assert_ranges_match(&Weir::defaults(), "weir[0]", SCENE);
}

#[test]
fn inflow_keys_of_the_shallow_water_level_give_a_notice_on_other_levels() {
    let notices = |level: &str| {
        let text = format!(
            "model = 'flow'\nphysics.level = '{level}'\ngrid = {{ nx = 9, ny = 4, cell = 1 }}\ntime.until = 1\n\
             terrain.plane = {{}}\n[[boundary]]\nedge = 'west'\nkind = 'inflow'\ndischarge = 1\nlevel = 0.2\nalong = 0.5\n"
        );
        let scene = scene::parse("x.toml", &text, &[]).unwrap();
        headwater_scene::run::build_simulation(&scene).unwrap().notices()
    };
    for level in ["pipes", "inertial"] {
        let reported = notices(level);
        for key in ["level", "along"] {
            let expected = format!("boundary[0].{key} has no effect: \"inflow\" uses it only with");
            assert!(
                reported.iter().any(|reported| reported.starts_with(&expected)),
                "{reported:?}"
            );
        }
    }
    assert_eq!(notices("shallow-water"), Vec::<String>::new());
}
