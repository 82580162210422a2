//! Validation of scenes of the model `blocks`.

use super::{
    Added, BlocksAction, BlocksDrain, BlocksGauge, BlocksScene, BlocksSource, BlocksWorldTable,
};
use crate::scene::{AreaAction, Checker, Extent, Limits, NonAreaAction, Places, SceneModel};
use headwater::Lattice;
use headwater::blocks::{AMOUNT, Blocks, FULL, Liquid, MAX_SIDE, Params, Rule};

const MAX_STEPS: f64 = 1e9;

/// Adds the positions and areas in the tables of a scene, except those in event actions, to
/// `places`. `places` is used later to check that they lie on the grid.
pub(super) fn collect_places(scene: &BlocksScene, places: &mut Places) {
    for (key, extent) in spring_and_drain_areas(scene) {
        places.add_extent(key, extent);
    }
    for (key, gauge) in scene.common_tables().all_gauges() {
        places.add_gauge(&key, gauge.at, gauge.disc, gauge.rect);
    }
}

/// Checks the values in the tables of a scene, except those in event actions.
pub(super) fn check_values(check: &mut Checker, scene: &BlocksScene) {
    check_physics(check, scene);
    check_world(check, "world", &scene.world, &scene.physics, &scene.origin.limits);
    check_sources_and_drains(check, scene);
    for (key, gauge) in scene.common_tables().all_gauges() {
        let BlocksGauge { at, disc, rect, .. } = gauge;
        let given = [("at", at.is_some()), ("disc", disc.is_some()), ("rect", rect.is_some())];
        check.check_exactly_one(&key, &given);
    }
}

/// Records a problem for each spring and drain whose area contains no cell centre.
pub(super) fn check_against_lattice(check: &mut Checker, scene: &BlocksScene, lattice: &Lattice) {
    if !check.problems.is_empty() {
        return;
    }
    for (key, extent) in spring_and_drain_areas(scene) {
        check_covers_cells(check, key, extent, lattice);
    }
}

/// Records a problem if an area contains no cell centre.
fn check_covers_cells(check: &mut Checker, key: String, extent: &Extent, lattice: &Lattice) {
    if extent.region(lattice).cells(*lattice).is_empty() {
        check.add_problem(key, "contains no cell center");
    }
}

/// Returns the key path and the area of the spring or drain that an action adds; `None` for other
/// actions.
fn added_area<'a>(key: &str, action: &'a BlocksAction) -> Option<(String, &'a Extent)> {
    let BlocksAction::Add(NonAreaAction(added)) = action else { return None };
    Some(match added {
        Added::Source(on) => (format!("{key}.source"), &on.extent),
        Added::Drain(on) => (format!("{key}.drain"), &on.extent),
    })
}

/// Adds the positions and areas of the event action at the key path `key` to `places`, which is
/// used later to check that they lie on the grid.
pub(super) fn collect_action_places(key: &str, action: &BlocksAction, places: &mut Places) {
    if let Some((_, extent)) = action.edit_and_extent() {
        places.add_extent(key, extent);
    }
    if let Some((key, extent)) = added_area(key, action) {
        places.add_extent(key, extent);
    }
}

/// Records a problem if an action adds a spring or a drain whose area contains no cell centre.
pub(super) fn check_action_against_lattice(
    check: &mut Checker,
    key: &str,
    action: &BlocksAction,
    lattice: &Lattice,
) {
    if check.problems.is_empty()
        && let Some((key, extent)) = added_area(key, action)
    {
        check_covers_cells(check, key, extent, lattice);
    }
}

/// Returns the key path and the area of each spring and drain.
pub(super) fn spring_and_drain_areas(scene: &BlocksScene) -> Vec<(String, &Extent)> {
    let sources = scene.sources.iter().enumerate();
    let drains = scene.drains.iter().enumerate();
    let sources = sources.map(|(i, source)| (format!("source[{i}]"), &source.extent));
    let drains = drains.map(|(i, drain)| (format!("drain[{i}]"), &drain.extent));
    sources.chain(drains).collect()
}

fn check_physics(check: &mut Checker, scene: &BlocksScene) {
    scene.physics.report_problems(check, "physics");
    if scene.physics.trapped_air && scene.physics.rule == Rule::WholeBlocks {
        let message = "found true, the rule `whole-blocks` does not support trapped air";
        check.add_problem("physics.trapped_air", message);
    }
    let steps = scene.time.until / scene.physics.tick;
    if scene.physics.validate().is_ok() && steps > MAX_STEPS {
        let message = format!("makes {steps:.0} steps of the run, allowed is up to {MAX_STEPS:.0}");
        check.add_problem("physics.tick", message);
    }
}

/// Memory (bytes per cell) of a world and its picture, measured with a world of 4 million cells.
const BYTES_PER_CELL: u64 = 40;

/// Checks a `[world]` table. `key` is the path of the table in the scene.
pub(crate) fn check_world(
    check: &mut Checker,
    key: &str,
    table: &BlocksWorldTable,
    params: &Params,
    limits: &Limits,
) {
    let BlocksWorldTable { map, file, caves, nx, ny } = table;
    let given = [("map", map.is_some()), ("file", file.is_some()), ("caves", caves.is_some())];
    check.check_exactly_one(key, &given);
    for (name, side) in [("nx", nx), ("ny", ny)] {
        let Some(side) = *side else { continue };
        let key = format!("{key}.{name}");
        if caves.is_none() {
            check.add_problem(
                &key,
                "does not apply without `caves`: a map or a file has its own size",
            );
        }
        check.check_range(&key, side as f64, 1.0, MAX_SIDE as f64, " cells");
    }
    if let Some(caves) = caves {
        if let Err(error) = caves.validate() {
            check.add_input_error(&format!("{key}.caves"), &error);
        }
        if let Some((nx, ny)) = table.size()
            && let Err(message) = limits.check_cells([nx, ny], BYTES_PER_CELL)
        {
            check.add_problem(key, message);
        }
    }
    if let Some(map) = map
        && params.validate().is_ok()
        && let Err(error) = Blocks::from_text(map, params.clone())
    {
        check.add_map_error(&format!("{key}.map"), &error);
    }
}

/// Checks the range of an amount of liquid (256ths of a cell). `key` is the path of the table that
/// contains the amount, `name` the key of the amount in this table, and `found` its value.
fn check_amount(check: &mut Checker, scene: &BlocksScene, key: &str, (name, found): (&str, u16)) {
    if !AMOUNT.contains(found.into()) {
        let message = format!("found {found}, allowed is {}", AMOUNT.description("256ths"));
        check.add_problem(format!("{key}.{name}"), message);
    } else if scene.physics.rule == Rule::WholeBlocks && found != FULL {
        let message = format!("found {found}, the rule `whole-blocks` allows only {FULL}");
        check.add_problem(format!("{key}.{name}"), message);
    }
}

fn check_liquid(check: &mut Checker, scene: &BlocksScene, key: &str, liquid: Liquid) {
    if scene.physics.rule == Rule::WholeBlocks && liquid != Liquid::Water {
        let message =
            format!("found \"{}\", the rule `whole-blocks` allows only water", liquid.name());
        check.add_problem(format!("{key}.liquid"), message);
    }
}

fn check_sources_and_drains(check: &mut Checker, scene: &BlocksScene) {
    check.check_entry_count("source", scene.sources.len());
    for (i, source) in scene.sources.iter().enumerate() {
        self::check_source(check, scene, &format!("source[{i}]"), source);
    }
    check.check_entry_count("drain", scene.drains.len());
    for (i, drain) in scene.drains.iter().enumerate() {
        self::check_drain(check, scene, &format!("drain[{i}]"), drain);
    }
}

fn check_source(
    check: &mut Checker,
    scene: &BlocksScene,
    key: &str,
    source: &AreaAction<BlocksSource>,
) {
    check_amount(check, scene, key, ("rate", source.value.rate));
    check_liquid(check, scene, key, source.value.liquid);
}

fn check_drain(
    check: &mut Checker,
    scene: &BlocksScene,
    key: &str,
    drain: &AreaAction<BlocksDrain>,
) {
    check_amount(check, scene, key, ("rate", drain.value.rate));
}

pub(super) fn check_action(
    check: &mut Checker,
    key: &str,
    action: &BlocksAction,
    scene: &BlocksScene,
) {
    match action {
        BlocksAction::Dig(_) | BlocksAction::Build(_) => {}
        BlocksAction::Pour(on) => {
            check_amount(check, scene, key, ("amount", on.value.amount));
            check_liquid(check, scene, key, on.value.liquid);
        }
        BlocksAction::Remove(on) => check_amount(check, scene, key, ("amount", on.value.amount)),
        BlocksAction::Add(NonAreaAction(Added::Source(source))) => {
            self::check_source(check, scene, &format!("{key}.source"), source);
        }
        BlocksAction::Add(NonAreaAction(Added::Drain(drain))) => {
            self::check_drain(check, scene, &format!("{key}.drain"), drain);
        }
    }
}
