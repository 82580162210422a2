//! Tests that [`Facade`] gives the same results as the models and rejects invalid calls with an
//! error message.

use headwater::changes::Tile;
use headwater::model::BodyState;
use headwater_scene::facade::{ErrorKind, Facade, FacadeError, Place, Source};
use headwater_scene::live::hash_after_steps;
use headwater_scene::scene::Files;

const PUDDLE: &str = "model = 'flow'\n[grid]\nnx = 100\nny = 70\ncell = 2\n[time]\nuntil = 10\n\
    [terrain]\nplane = { height = 500, slope = [0.01, 0] }\n[water]\ndepth = 0.5\n\
    [[gauge]]\nname = 'middle'\nat = [100, 70]\nevery = 1\n";

fn puddle_facade() -> Facade {
    facade_from_text(PUDDLE).unwrap()
}

fn facade_from_text(text: &str) -> Result<Facade, FacadeError> {
    let files = Files::memory_only();
    let source = Source::Text { name: "puddle", text, directory: None, files: &files };
    Facade::create(&source, &[])
}

fn key_found_and_allowed(error: &FacadeError) -> [&str; 3] {
    [&error.key, &error.found, &error.allowed].map(|part| part.as_deref().unwrap_or(""))
}

#[test]
fn results_match_those_of_a_run() {
    // One of the scenes relaxes to a steady state before its clock starts.
    for name in ["pond", "u-tube", "kettle", "lava", "lowland-river"] {
        let mut world = Facade::create(&Source::Library(name), &[]).unwrap();
        let arrived = world.step(40, &mut |_| true).unwrap();
        let reached = hash_after_steps(name, Facade::scene_text(name).unwrap(), None, 40).unwrap();
        assert_eq!(format!("{:016x}", world.state_hash()), reached.hash, "{name}");
        assert_eq!((world.steps(), arrived.time), (reached.steps, reached.time), "{name}");
    }
}

#[test]
fn short_advances_take_the_same_steps_as_a_long_one() {
    for name in ["pond", "dam-breach"] {
        let world = || Facade::create(&Source::Library(name), &[]).unwrap();
        let (mut short, mut long) = (world(), world());
        for _ in 0..120 {
            short.advance(1.0 / 60.0, &mut |_| true).unwrap();
        }
        long.advance(2.0, &mut |_| true).unwrap();
        assert_eq!(short.steps(), long.steps(), "{name}");
        assert_eq!(short.state_hash(), long.state_hash(), "{name}");
    }
}

#[test]
fn advance_reports_progress_and_can_be_cancelled() {
    let mut world = puddle_facade();
    let mut parts = Vec::new();
    let arrived = world.advance(20.0, &mut |at| {
        parts.push(at.part);
        at.part < 0.5
    });
    let arrived = arrived.unwrap();
    assert!(!arrived.done && arrived.time >= 10.0 && arrived.time < 15.0, "{arrived:?}");
    assert!(parts.len() > 2 && parts.is_sorted() && parts[0] == 0.0);
    assert!(world.advance(1.0, &mut |_| true).unwrap().time < arrived.time + 2.0);
    let error = world.advance(f64::NAN, &mut |_| true).unwrap_err();
    assert_eq!((error.kind, error.key.as_deref()), (ErrorKind::Input, Some("time")));
}

#[test]
fn layer_views_report_changed_regions() {
    let mut world = puddle_facade();
    let grid = world.grid();
    assert_eq!((grid.nx, grid.ny, grid.cell, grid.lattice), (100, 70, [2.0, 2.0], "square"));
    let mut kept = vec![0.0; 100 * 70];
    world.read_layer("bed", None, &mut kept).unwrap();
    assert!(kept[0] > 499.0, "heights are the scene's");
    let (all, stamp) = world.changed("bed", [0, 0]).unwrap();
    assert_eq!(all.len(), 4);
    world.edit("flatten", &Place::disc([20.0, 20.0], 6.0), 510.0).unwrap();
    let (tiles, stamp) = world.changed("bed", stamp).unwrap();
    assert_eq!(tiles.len(), 1);
    world.read_layer("bed", Some(&tiles), &mut kept).unwrap();
    assert_eq!(kept, world.layer("bed").unwrap().as_slice());
    assert_eq!(kept[10 * 100 + 10], 510.0);
    assert!(world.changed("bed", stamp).unwrap().0.is_empty());
    let depth = world.at([100.0, 70.0]).unwrap();
    assert!(depth.iter().any(|one| one.name == "depth" && one.unit == "m" && one.value > 0.0));
    assert!(world.at([-5.0, 0.0]).unwrap().is_empty());
}

#[test]
fn only_the_requested_tiles_of_a_layer_are_read() {
    let mut world = puddle_facade();
    world.advance(5.0, &mut |_| true).unwrap();
    // Tiles that overlap, lie beyond the grid, or are empty.
    let corners = [(3, 2, 40, 9), (30, 5, 20, 80), (90, 60, 64, 64), (7, 7, 0, 3)];
    let tiles = corners.map(|(x, y, nx, ny)| Tile { x, y, nx, ny });
    let covers = |tile: &Tile, x, y| {
        (tile.x..tile.x + tile.nx).contains(&x) && (tile.y..tile.y + tile.ny).contains(&y)
    };
    for layer in world.layers() {
        let mut read = vec![-7.0; 100 * 70];
        world.read_layer(layer.name, Some(&tiles), &mut read).unwrap();
        let whole = world.layer(layer.name).unwrap();
        for (x, y) in Tile::all([100, 70]).cells() {
            let is_read = tiles.iter().any(|tile| covers(tile, x, y));
            let expected = if is_read { whole[(x, y)] } else { -7.0_f32 };
            let found = read[y * 100 + x];
            assert_eq!(found.to_bits(), expected.to_bits(), "{} at {x}, {y}", layer.name);
        }
    }
    assert!(world.read_layer("deep", Some(&[]), &mut vec![0.0; 100 * 70]).is_err());
}

#[test]
fn sampled_heights_have_the_datum_of_the_scene() {
    let world = puddle_facade();
    let points = [[100.0, 70.0], [3.0, 5.0], [-5.0, 0.0]];
    let sample = |layer: &str| {
        let mut values = [0.0; 3];
        world.sample_many(layer, &points, &mut values).map(|()| values)
    };
    let ([bed, depth], surface) =
        (["bed", "depth"].map(|name| sample(name).unwrap()), sample("surface").unwrap());
    assert!(bed[0] > 400.0 && depth[0] > 0.0 && (bed[0] + depth[0] - surface[0]).abs() < 1e-3);
    // Between the centres of four cells.
    let layer = world.layer("bed").unwrap();
    let around = [layer[(0, 1)], layer[(1, 1)], layer[(0, 2)], layer[(1, 2)]];
    assert!(around.iter().any(|z| *z <= bed[1]) && around.iter().any(|z| *z >= bed[1]));
    assert!([bed, depth, surface].iter().all(|values| values[2].is_nan()));
    assert!(sample("deep").is_err() && sample("max_depth").is_err());
    assert!(world.sample_many("bed", &points, &mut [0.0; 2]).is_err());
    assert!(world.sample_many("bed", &[[f64::NAN, 0.0]], &mut [0.0]).is_err());
}

#[test]
fn objects_can_be_added_changed_and_removed_by_id() {
    let mut world = puddle_facade();
    let place = Place::disc([50.0, 50.0], 5.0);
    let [spring, drain] =
        [world.add_spring(&place, 2.0).unwrap(), world.add_drain(&place, 1.0).unwrap()];
    world.set_spring(spring, &place, 3.0).unwrap();
    world.set_drain(drain, &place, 0.5).unwrap();
    assert_eq!((world.springs(), world.drains()), (vec![spring], vec![drain]));
    world.remove_spring(spring).unwrap();
    world.remove_drain(drain).unwrap();
    assert!(world.springs().is_empty() && world.drains().is_empty());
    let raft = BodyState {
        position: [100.0, 70.0],
        size: [6.0, 4.0],
        heading: 0.0,
        velocity: [0.0; 2],
        draft: 0.2,
    };
    let id = world.add_body(raft).unwrap();
    world.set_body(id, BodyState { position: [90.0, 70.0], ..raft }).unwrap();
    assert_eq!(world.bodies()[0].1.position, [90.0, 70.0]);
    world.remove_body(id).unwrap();
    let error = world.remove_body(id).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Input);
}

#[test]
fn gauges_values_and_the_ledger_are_readable() {
    let mut world = puddle_facade();
    world.advance(5.0, &mut |_| true).unwrap();
    let gauge = &world.gauges()[0];
    assert_eq!((gauge.name.as_str(), gauge.times.len()), ("middle", 6));
    world.add("gauge", "name = 'corner'\nat = [10, 10]\nevery = 1").unwrap();
    world.change("gauge", "name = 'corner'\nat = [12, 10]\nevery = 1").unwrap();
    assert_eq!(world.gauges().len(), 2);
    world.remove("gauge", "corner").unwrap();
    world.act("do = 'pour'\ndisc = { center = [50, 50], radius = 10 }\namount = 1").unwrap();
    let ledger = world.ledger();
    assert!(ledger.inflow.values().any(|&volume| volume > 100.0) && ledger.unit == "m³");
    assert!(world.text().contains("pour"));
    let key = "physics.gravity";
    world.set(key, "1.62").unwrap();
    let now = world.parameters().into_iter().find(|one| one.key == key).unwrap();
    assert_eq!(now.value, 1.62);
    let error = world.set(key, "-1").unwrap_err();
    assert!(key_found_and_allowed(&error)[0].contains(key), "{error:?}");
}

#[test]
fn restored_worlds_continue_bit_identically() {
    let mut world = puddle_facade();
    world.advance(3.0, &mut |_| true).unwrap();
    world.add_spring(&Place::disc([50.0, 50.0], 5.0), 2.0).unwrap();
    let snapshot = world.snapshot().unwrap();
    let mut again = puddle_facade();
    again.restore(&snapshot).unwrap();
    assert_eq!(again.state_hash(), world.state_hash());
    for one in [&mut world, &mut again] {
        one.advance(3.0, &mut |_| true).unwrap();
    }
    assert_eq!(again.state_hash(), world.state_hash());
    let mut damaged = snapshot.clone();
    damaged[100] ^= 1;
    for bytes in [&damaged[..], &snapshot[..50], b"nothing"] {
        let error = again.restore(bytes).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Snapshot);
        assert_eq!(again.state_hash(), world.state_hash());
    }
}

#[test]
fn snapshots_contain_added_and_removed_bodies() {
    for name in ["drifting-logs", "pond", "castle-cistern"] {
        let create = || Facade::create(&Source::Library(name), &[]).unwrap();
        let mut world = create();
        let (first, body) = world.bodies()[0];
        let added = world.add_body(BodyState { draft: 0.1, ..body }).unwrap();
        world.remove_body(first).unwrap();
        world.step(3, &mut |_| true).unwrap();
        let (snapshot, hash) = (world.snapshot().unwrap(), world.state_hash());
        world.step(3, &mut |_| true).unwrap();
        let later = world.state_hash();
        for mut heir in [create(), world] {
            heir.restore(&snapshot).unwrap();
            assert_eq!(heir.state_hash(), hash, "{name}");
            assert!(heir.bodies().iter().any(|(id, _)| *id == added));
            heir.step(3, &mut |_| true).unwrap();
            assert_eq!(heir.state_hash(), later, "{name}");
        }
    }
}

#[test]
fn scenes_without_duration_can_be_opened() {
    for (name, key, value) in [
        ("pond", "time.until", "1e-9"),
        ("storm", "time.until", "1e-9"),
        ("u-tube", "physics.tick", "1e4"),
    ] {
        let overrides = [(key.to_owned(), value.to_owned())];
        let mut world = Facade::create(&Source::Library(name), &overrides).unwrap();
        world.step(2, &mut |_| true).unwrap();
    }
}

#[test]
fn invalid_calls_return_errors() {
    let mut world = puddle_facade();
    let hash = world.state_hash();
    let place = Place::disc([50.0, 50.0], 5.0);
    let error = world.edit("lover", &place, 1.0).unwrap_err();
    let [key, found, allowed] = key_found_and_allowed(&error);
    assert_eq!((key, found), ("an edit", "\"lover\""));
    assert!(allowed.contains("lower"));
    assert!(world.edit("lower", &place, f64::NAN).is_err());
    assert_eq!(key_found_and_allowed(&world.layer("deep").unwrap_err())[1], "\"deep\"");
    let short = world.read_layer("depth", None, &mut [0.0; 3]).unwrap_err();
    assert_eq!(key_found_and_allowed(&short)[1..], ["3", "7000 values, 70 rows of 100"]);
    assert!(world.add_spring(&place, f64::INFINITY).is_err());
    assert!(world.act("do = ").is_err() && world.act("do = 'dance'").is_err());
    assert!(world.at([f64::NAN, 0.0]).is_err());
    for (kind, points, falloff) in [
        ("disc", &[][..], "flat"),
        ("ring", &[][..], "flat"),
        ("polygon", &[[0.0, 0.0]][..], "flat"),
        ("disc", &[[0.0, f64::NAN]][..], "flat"),
        ("disc", &[[0.0, 0.0]][..], "steep"),
    ] {
        assert!(Place::new(kind, points, 1.0, falloff).is_err(), "{kind}");
    }
    assert_eq!(world.state_hash(), hash);
    let error =
        facade_from_text("model = 'flow'\n[grid]\nnx = -3\n[time]\nuntil = 1\n").err().unwrap();
    assert_eq!((error.kind, key_found_and_allowed(&error)[0]), (ErrorKind::Scene, "grid.nx"));
    let error = Facade::create(&Source::Library("nowhere"), &[]).err().unwrap();
    assert_eq!(key_found_and_allowed(&error)[1], "\"nowhere\"");
    assert!(Facade::check(PUDDLE, &[("grid.nx".into(), "many".into())]).is_err());
}
