//! Tests of culverts, gates and weirs: discharge formulas, equalization of levels, rest, and
//! conservation of volume.

use crate::support::flow::{CellShape, LEVELS, WORLDS, take_longest_steps};
use crate::support::round_trip_json;
use headwater::flow::{
    Amount, Barrel, Boundary, BoundaryKind, Culvert, Edit, Flow, Gate, Params, Physics, Structure,
    StructureKind, Weir,
};
use headwater::{Brush, Edge, Field, Hex, Id, Lattice, Region, Series, Square};

const NX: usize = 31;
const NY: usize = 8;

fn lattice(cells: CellShape) -> Lattice {
    match cells {
        CellShape::Square => Square::new(NX, NY, 2.0, 1.5).unwrap().into(),
        CellShape::Hex => Hex::new(NX, NY, 2.0).unwrap().into(),
    }
}

/// Returns two basins over a bed at elevation 0, separated by a wall that is three cells thick.
/// `west` and `east` are the water levels of the basins (m).
fn basins((cells, physics): (CellShape, Physics), west: f32, east: f32) -> Flow {
    let bed = Field::from_fn(NX, NY, |x, _| if (14..17).contains(&x) { 9.0 } else { 0.0 });
    let depth = Field::from_fn(NX, NY, |x, _| match x {
        0..14 => west,
        14..17 => 0.0,
        _ => east,
    });
    let params = Params { level: physics, friction: 0.2, ..Params::default() };
    Flow::new(lattice(cells), params, bed, depth).unwrap()
}

fn structure_between_basins(reach: f64, kind: StructureKind) -> Structure {
    let [from, to] = [[22.0, 5.5], [40.0, 5.5]].map(|at| Region::disc(at, reach));
    Structure::new(from, to, kind)
}

fn structure_kinds() -> [StructureKind; 3] {
    [
        StructureKind::Weir(Weir::new(4.0, 0.5)),
        StructureKind::Gate(Gate::new(3.0, 0.0, 0.6)),
        StructureKind::Culvert(Culvert::new(
            Barrel::Box { width: 2.0, height: 1.0 },
            [0.0, 0.1],
            20.0,
        )),
    ]
}

fn basin_levels(flow: &Flow) -> [f64; 2] {
    let depth = &flow.state().depth;
    [0..14, 17..NX].map(|columns| {
        let cells = (columns.len() * NY) as f64;
        let column = |x| (0..NY).map(|y| f64::from(depth[(x, y)])).sum::<f64>();
        columns.map(column).sum::<f64>() / cells
    })
}

#[test]
fn basins_level_out_and_stay_level_at_the_longest_step() {
    for (i, world) in WORLDS.into_iter().enumerate() {
        for (j, kind) in structure_kinds().into_iter().enumerate() {
            // Each kind and each world occur with mouths of one cell and of many cells.
            let reach = [0.1, 3.5][(i + j) % 2];
            let mut flow = basins(world, 1.9, 1.1);
            let number = flow.add_structure(structure_between_basins(reach, kind.clone())).unwrap();
            let gap = |flow: &Flow| basin_levels(flow)[0] - basin_levels(flow)[1];
            let first = gap(&flow);
            take_longest_steps(&mut flow, 1500);
            let moved = flow.structure_discharge(number).unwrap();
            let [forward, back] = flow.part_volumes().structure(number);
            let area = 14.0 * NY as f64 * flow.lattice().cell_area();
            let passed = (1.9 - basin_levels(&flow)[0]) * area;
            assert!(back >= 0.0 && (forward - back - passed).abs() < 1e-3, "{forward} {passed}");
            assert!(first > 0.79 && gap(&flow).abs() < 2e-3, "{world:?} {kind:?}: {}", gap(&flow));
            assert!(moved.abs() < 0.01, "{world:?} {kind:?}: {moved} m³/s to and fro");
            let balance = flow.balance();
            assert!(balance.residual_relative.abs() < 2e-9, "{world:?} {kind:?}: {balance:?}");
        }
    }
}

/// Checks that dry cells of a structure's mouth do not count: a structure in a lake at rest has no
/// discharge if one of its mouths lies across the shore of the lake.
#[test]
fn dry_cells_of_a_mouth_across_the_shore_do_not_count() {
    for world in WORLDS {
        for kind in structure_kinds() {
            let bed = Field::from_fn(NX, NY, |x, _| 0.25 * x as f32 - 5.0);
            let depth = bed.map(|&bed| (1.0 - bed).max(0.0));
            let params = Params { level: world.1, ..Params::default() };
            let mut flow = Flow::new(lattice(world.0), params, bed, depth.clone()).unwrap();
            let [from, to] = [[22.0, 5.5], [48.0, 5.5]].map(|at| Region::disc(at, 4.0));
            let shore = to.cells(lattice(world.0));
            let dry = shore.iter().filter(|&&(x, y, _)| depth[(x, y)] == 0.0).count();
            assert!((2..shore.len() - 2).contains(&dry), "{dry} of {} cells", shore.len());
            let number = flow.add_structure(Structure::new(from, to, kind.clone())).unwrap();
            for _ in 0..100 {
                flow.step(flow.stable_dt()).unwrap();
                assert_eq!(flow.structure_discharge(number), Some(0.0), "{world:?} {kind:?}");
            }
            assert!(flow.state().depth == depth, "{world:?} {kind:?}");
        }
    }
}

#[test]
fn transfer_does_not_overshoot_the_common_level() {
    // The discharge is far more than two cells can store, at the longest steps.
    for world in WORLDS {
        for kind in [
            StructureKind::Weir(Weir::new(500.0, 0.0)),
            StructureKind::Gate(Gate::new(500.0, 0.0, 2.0)),
            StructureKind::Culvert(Culvert::new(
                Barrel::Box { width: 500.0, height: 2.0 },
                [0.0; 2],
                1.0,
            )),
        ] {
            let mut flow = basins(world, 1.0, 0.0);
            // Each well consists of one isolated cell.
            let wells = structure_between_basins(0.1, kind.clone());
            let mut shut = Field::new(NX, NY, true);
            let cells = wells.mouths.each_ref().map(|mouth| mouth.cells(lattice(world.0))[0]);
            cells.iter().for_each(|&(x, y, _)| shut[(x, y)] = false);
            flow.close_cells(&shut).unwrap();
            let number = flow.add_structure(wells).unwrap();
            for _ in 0..20 {
                flow.step(flow.stable_dt()).unwrap();
                let [west, east] = cells.map(|(x, y, _)| flow.state().surface(x, y));
                assert!(west >= east, "{world:?} {kind:?}: {west} {east}");
                assert!(flow.structure_discharge(number).unwrap() >= 0.0);
            }
            let balance = flow.balance();
            assert!(balance.residual_relative.abs() < 1e-15, "{world:?} {kind:?}: {balance:?}");
            let [west, east] = cells.map(|(x, y, _)| flow.state().surface(x, y));
            assert!(east > 0.499 && west - east < 1e-3, "{world:?} {kind:?}: {west} {east}");
        }
    }
}

#[test]
fn dry_mouth_has_no_outflow_and_depths_stay_nonnegative() {
    for world in WORLDS {
        let mut flow = basins(world, 0.02, 0.0);
        // The level is higher in the west, so all of the small amount of water flows.
        let culvert = Culvert::new(Barrel::Box { width: 50.0, height: 1.0 }, [-1.0, -1.0], 5.0);
        let number = flow
            .add_structure(structure_between_basins(2.0, StructureKind::Culvert(culvert)))
            .unwrap();
        let begun = flow.volume();
        while flow.step_toward(200.0).unwrap() {
            assert!(flow.state().depth.min_max().unwrap().0 >= 0.0);
        }
        assert!((flow.balance().now / begun - 1.0).abs() < 1e-6);
        assert!(basin_levels(&flow)[1] > 2e-3, "{:?}", basin_levels(&flow));
        let mut dry = basins(world, 0.0, 0.0);
        dry.add_structure(structure_between_basins(2.0, structure_kinds()[2].clone())).unwrap();
        dry.advance(10.0).unwrap();
        assert_eq!((dry.volume(), dry.structure_discharge(number)), (0.0, Some(0.0)));
    }
}

#[test]
fn closed_gate_has_no_discharge_until_it_opens() {
    for world in WORLDS {
        let opening = Series::from_table(vec![[0.0, 0.0], [20.0, 0.0], [21.0, 0.4]]).unwrap();
        let mut flow = basins(world, 2.0, 0.0);
        let gate = structure_between_basins(1.0, StructureKind::Gate(Gate::new(2.0, 0.0, opening)));
        let number = flow.add_structure(gate).unwrap();
        flow.advance(20.0).unwrap();
        assert_eq!(flow.structure_discharge(number), Some(0.0));
        assert_eq!(basin_levels(&flow)[1], 0.0);
        flow.advance(5.0).unwrap();
        assert!(flow.structure_discharge(number).unwrap() > 1.0 && basin_levels(&flow)[1] > 0.0);
        flow.set_gate_opening(number, 0.0.into()).unwrap();
        let east = basin_levels(&flow)[1];
        flow.advance(5.0).unwrap();
        assert!((basin_levels(&flow)[1] - east).abs() < 1e-6 * east);
    }
}

#[test]
fn lowered_crest_lets_water_over() {
    for world in WORLDS {
        let mut flow = basins(world, 2.0, 0.0);
        let weir = structure_between_basins(1.0, StructureKind::Weir(Weir::new(2.0, 2.5)));
        let number = flow.add_structure(weir).unwrap();
        flow.advance(5.0).unwrap();
        assert_eq!(basin_levels(&flow)[1], 0.0);
        flow.set_weir_crest(number, 1.0.into()).unwrap();
        flow.advance(5.0).unwrap();
        assert!(basin_levels(&flow)[1] > 0.01);
    }
}

#[test]
fn flap_conveys_in_one_direction_only() {
    for world in WORLDS {
        for kind in structure_kinds() {
            let [mut out, mut back] = [(2.0, 1.0), (1.0, 2.0)].map(|(w, e)| basins(world, w, e));
            for flow in [&mut out, &mut back] {
                let flap =
                    Structure { one_way: true, ..structure_between_basins(1.0, kind.clone()) };
                flow.add_structure(flap).unwrap();
                flow.advance(20.0).unwrap();
            }
            assert!(basin_levels(&out)[1] > 1.01, "{world:?} {kind:?}");
            assert!((basin_levels(&back)[0] - 1.0).abs() < 1e-6, "{world:?} {kind:?}");
        }
    }
}

#[test]
fn discharge_follows_the_formula_of_the_mouth_levels() {
    // The structure lies between two wide pools at constant levels. Nothing has moved yet.
    for world in WORLDS {
        let mut flow = basins(world, 2.0, 0.2);
        flow.add_structure(structure_between_basins(
            3.0,
            StructureKind::Weir(Weir::new(0.01, 1.0)),
        ))
        .unwrap();
        flow.add_structure(structure_between_basins(
            3.0,
            StructureKind::Gate(Gate::new(0.01, 0.0, 0.5)),
        ))
        .unwrap();
        flow.step(1e-2).unwrap();
        let root = (2.0 * 9.81_f64).sqrt();
        let weir = (2.0 / 3.0) * root / 3.0_f64.sqrt() * 0.01;
        let gate = 0.61 * 0.5 * 0.01 * root * 2.0 / (2.0_f64 + 0.305).sqrt();
        for (number, expected) in (0..).zip([weir, gate]) {
            let found = flow.structure_discharge(Id::new(number)).unwrap();
            // Depths are `f32`: in 0.01 s they change by a few hundred units in the last place.
            assert!((found / expected - 1.0).abs() < 0.02, "{world:?}: {found} {expected}");
        }
    }
}

#[test]
fn discharge_below_float_resolution_is_accumulated() {
    for world in WORLDS {
        let mut flow = basins(world, 1.9, 1.1);
        let trickle = StructureKind::Weir(Weir::new(1e-4, 1.5));
        flow.add_structure(structure_between_basins(3.5, trickle)).unwrap();
        let dt = 1e-3;
        for _ in 0..4_000 {
            flow.step(dt).unwrap();
        }
        let expected = 4_000.0 * dt * 1.705 * 1e-4 * 0.4_f64.powf(1.5);
        let east = Region::rect([34.0, 0.0], [99.0, 99.0]);
        let begun = basins(world, 1.9, 1.1).volume_in(&east).unwrap();
        let gained = flow.volume_in(&east).unwrap() - begun;
        assert!((gained / expected - 1.0).abs() < 0.02, "{world:?}: {gained} {expected}");
    }
}

#[test]
fn mirrored_worlds_are_bit_identical() {
    for physics in LEVELS {
        let make = |mirrored: bool| {
            let world = (CellShape::Square, physics);
            let [west, east] = if mirrored { [1.0, 2.0] } else { [2.0, 1.0] };
            let mut flow = basins(world, west, east);
            let width = flow.lattice().width();
            for (i, kind) in structure_kinds().into_iter().enumerate() {
                let mouth = |east: f64| {
                    let east = if mirrored { width - east } else { east };
                    Region::disc([east, 3.0 + 2.0 * i as f64], 2.4)
                };
                flow.add_structure(Structure::new(mouth(22.5), mouth(41.1), kind)).unwrap();
            }
            let at = if mirrored { width - 11.0 } else { 11.0 };
            let hump = Brush::smooth_disc([at, 4.0], 8.0);
            flow.edit(&hump, Edit::Pour(Amount::Depth(0.7))).unwrap();
            flow.advance(15.0).unwrap();
            flow
        };
        let (plain, mirrored) = (make(false), make(true));
        for y in 0..NY {
            for x in 0..NX {
                let pair = [&plain, &mirrored].map(|flow| &flow.state().depth);
                assert_eq!(pair[0][(x, y)].to_bits(), pair[1][(NX - 1 - x, y)].to_bits());
            }
        }
    }
}

#[test]
fn restored_structures_continue_bit_for_bit() {
    for world in WORLDS {
        let mut on = basins(world, 2.0, 0.5);
        for kind in structure_kinds() {
            on.add_structure(structure_between_basins(2.0, kind)).unwrap();
        }
        on.advance(3.0).unwrap();
        let mut again = Flow::restore(round_trip_json(&on.snapshot())).unwrap();
        assert_eq!(again.structure_discharge(Id::new(1)), on.structure_discharge(Id::new(1)));
        for flow in [&mut on, &mut again] {
            flow.advance(4.0).unwrap();
        }
        assert_eq!(again.state_hash(), on.state_hash());
        assert_eq!(again.structures().count(), 3);
    }
}

#[test]
fn damaged_snapshots_are_rejected() {
    let mut flow = basins(WORLDS[0], 2.0, 0.5);
    flow.add_structure(structure_between_basins(2.0, structure_kinds()[0].clone())).unwrap();
    let damage = |change: fn(&mut serde_json::Value)| {
        let mut value = serde_json::to_value(flow.snapshot()).unwrap();
        change(&mut value["structures"]["items"][0]);
        let snapshot = serde_json::from_value(value).unwrap();
        Flow::restore(snapshot).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(damage(|_| ()), Ok(()));
    assert!(damage(|s| s["cells"][0][0][0] = 31.into()).is_err());
    assert!(damage(|s| s["cells"][0] = serde_json::json!([])).is_err());
    assert!(damage(|s| s["cells"][0] = s["cells"][1].clone()).is_err());
    assert!(damage(|s| s["structure"]["kind"]["weir"]["width"] = (-1.0).into()).is_err());
}

#[test]
fn invalid_structures_are_rejected() {
    let mut flow = basins(WORLDS[0], 2.0, 0.5);
    let weir = |weir| structure_between_basins(1.0, StructureKind::Weir(weir));
    let gate = |gate| structure_between_basins(1.0, StructureKind::Gate(gate));
    let falling = Series::from_table(vec![[0.0, 1.0], [9.0, -0.1]]).unwrap();
    let round = |diameter| {
        let culvert = Culvert::new(Barrel::Round { diameter }, [0.0; 2], 5.0);
        structure_between_basins(1.0, StructureKind::Culvert(culvert))
    };
    let apart =
        |to| Structure::new(Region::disc([5.0, 5.0], 1.0), to, structure_kinds()[0].clone());
    let cases = [
        (weir(Weir::new(0.0, 1.0)), "weir.width: found 0, allowed is above 0 up to 100000 m"),
        (weir(Weir::new(1.0, 1e7)), "weir.crest"),
        (weir(Weir { coefficient: 3.0, ..Weir::new(1.0, 1.0) }), "weir.coefficient"),
        (gate(Gate::new(1.0, 0.0, falling)), "gate.opening: found -0.1, allowed is 0 to 100000 m"),
        (gate(Gate { contraction: 0.0, ..Gate::new(1.0, 0.0, 1.0) }), "gate.contraction"),
        (gate(Gate::new(1.0, f64::NAN, 1.0)), "gate.sill"),
        (round(f64::INFINITY), "culvert.diameter"),
        (apart(Region::disc([6.0, 5.0], 2.0)), "allowed is mouths that lie apart"),
        (apart(Region::disc([-9.0, 5.0], 2.0)), "no cells of the grid in it"),
        (apart(Region::disc([9.0, 5.0], -2.0)), "radius: found -2, allowed is above 0 m"),
    ];
    let before = flow.state_hash();
    for (structure, words) in cases {
        let error = flow.add_structure(structure).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let number = flow.add_structure(gate(Gate::new(1.0, 0.0, 1.0))).unwrap();
    assert_eq!(flow.set_weir_crest(number, 1.0.into()).unwrap_err().what, "a weir");
    assert!(flow.set_gate_opening(Id::new(7), 1.0.into()).is_err());
    assert!(flow.set_gate_opening(number, (-1.0).into()).is_err());
    assert_eq!(flow.structure_discharge(Id::new(7)), None);
    assert_eq!((flow.structures().len(), before == flow.state_hash()), (1, false));
}

#[test]
fn stream_has_the_level_of_its_weir() {
    // Inflow of 0.4 m²/s over 12 m: in the steady state, h = (q·b/(1.705·w))^(2/3) over the crest.
    for physics in LEVELS {
        let mut flow = basins((CellShape::Square, physics), 1.0, 0.3);
        let into = BoundaryKind::Inflow { discharge: 0.4.into() };
        flow.set_boundary(Boundary::on_edge(Edge::West, into)).unwrap();
        let out = BoundaryKind::Stage { level: 0.3.into() };
        flow.set_boundary(Boundary::on_edge(Edge::East, out)).unwrap();
        let number = flow
            .add_structure(structure_between_basins(3.0, StructureKind::Weir(Weir::new(4.0, 0.6))));
        let number = number.unwrap();
        flow.advance(1500.0).unwrap();
        let head = (0.4 * 12.0 / (1.705 * 4.0_f64)).powf(2.0 / 3.0);
        let passed = flow.structure_discharge(number).unwrap();
        assert!((passed / 4.8 - 1.0).abs() < 0.01, "{physics:?}: {passed}");
        let level = basin_levels(&flow)[0];
        assert!((level - 0.6 - head).abs() < 0.1, "{physics:?}: {level}");
    }
}
