//! Runs whose land a team carves by stream power leave what other runs leave.

use super::banded::left;
use crate::support::run::finish;
use crate::support::team::Threads;
use headwater_scene::run::{Backend, Run};
use headwater_scene::{Scene, scene};

/// Land with all that is carved in parts, to which something is done on the way.
fn land(more: &str) -> Scene {
    let text = format!(
        "model = \"hydrology\"\nseed = 5\n[grid]\nnx = 48\nny = 60\ncell = 20\n[time]\nuntil = 2\n\
         [terrain]\nnoise = {{ height = 40, scale = 500 }}\n\
         [hydrology]\nmethod = \"stream-power\"\nsoil = 1\nsea = 5\nvariation = 0.4\nedges = {{ west = \"sea\", north = \"wall\" }}\n\
         [[uplift.zone]]\neverywhere = true\npart = 0.2\n[[uplift.zone]]\ndisc = {{ center = [480, 600], radius = 300 }}\n\
         [[inflow]]\nat = [\"99%\", \"50%\"]\ncatchment = 50000\n\
         [[event]]\ntime = 0.5\ndo = \"pour\"\nat = [480, 600]\nvolume = 90000\n\
         [[event]]\ntime = 0.6\nin_passing = true\ndo = \"raise\"\namount = 8\nrect = {{ min = [100, 300], max = [900, 340] }}\n\
         [[event]]\ntime = 1\ndo = \"storm\"\nrain = 0.6\nintensity = 3\n\
         [[event]]\ntime = 1.5\ndo = \"sea\"\nlevel = 9\n\
         [[gauge]]\nname = \"lakes\"\nmeasure = \"lakes\"\nevery = 0.25\n[[gauge]]\nname = \"here\"\nat = [500, 610]\nevery = 0.5\n\
         [output]\nlayers = [\"bed\", \"soil\", \"depth\", \"discharge\", \"size\"]\nlayers_every = 1\nframes = 3\n{more}"
    );
    scene::parse("land.toml", &text, &[]).unwrap()
}

#[test]
fn a_run_whose_land_is_carved_in_parts_leaves_the_same() {
    let scene = land("");
    let whole = tempfile::tempdir().unwrap();
    let expected = finish(Run::start(&scene, "test", whole.path()).unwrap());
    for ranks in [1, 2, 5] {
        let parts = tempfile::tempdir().unwrap();
        let team = Backend::Team(Threads::reading(ranks, &scene));
        let found = finish(Run::start_on(&scene, "test", parts.path(), team).unwrap());
        assert_eq!(found.state_hash, expected.state_hash, "{ranks} parts");
        assert_eq!((found.steps, found.ledger.now), (expected.steps, expected.ledger.now));
        assert!(left(parts.path()) == left(whole.path()), "files of {ranks} parts");
    }
}

#[test]
fn what_of_a_land_is_not_carved_in_parts_is_refused_by_name() {
    let method = "[[event]]\ntime = 1.8\ndo = \"method\"\nmethod = \"drops\"\n";
    let wind = "[[rain.wind]]\ntowards = [1, 0.2]\n";
    let way = "[[way]]\nname = \"soft\"\nset = { rock = 0.9 }\n[[way]]\nname = \"hard\"\n";
    for (more, name) in [(method, "event[4].method"), (wind, "rain.wind"), (way, "way")] {
        let scene = land(more);
        let folder = tempfile::tempdir().unwrap();
        let team = Backend::Team(Threads::reading(2, &scene));
        let refused = Run::start_on(&scene, "test", &folder.path().join("out"), team);
        let said = refused.err().expect("it is refused").to_string();
        assert!(said.contains(name), "{name}: {said}");
        assert!(!folder.path().join("out").exists());
    }
}
