//! Tests that all operations of the flow model conserve the volume of water, apart from the
//! recorded inflow and outflow.

use crate::support::flow::{
    CellShape, LEVELS, WORLDS, busy_world, lattice, make_periodic, noise, take_longest_steps,
};
use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Flow, MM_PER_HOUR, Params, Physics,
    PreservedQuantity, Rain, Soil, Source,
};
use headwater::{Balance, Brush, Cause, Edge, Falloff, Field, Region, Square};
use proptest::prelude::*;

/// Maximum residual of the mass balance relative to the exchanged volume (dimensionless).
const LIMIT: f64 = 1e-11;

fn any_region() -> impl Strategy<Value = Region> {
    let point = || [-5.0f64..65.0, -5.0f64..45.0];
    prop_oneof![
        Just(Region::Everywhere),
        (point(), 0.1f64..20.0).prop_map(|(center, radius)| Region::disc(center, radius)),
        (point(), 0.5f64..30.0, 0.5f64..30.0)
            .prop_map(|([x, y], w, h)| Region::rect([x, y], [x + w, y + h])),
        (proptest::collection::vec(point(), 1..4), 0.5f64..10.0)
            .prop_map(|(points, width)| Region::line(points, width)),
    ]
}

fn any_edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (0.0f64..5.0).prop_map(|height| Edit::Raise(Change::By(height))),
        (-3.0f64..5.0).prop_map(|level| Edit::Lower(Change::To(level))),
        (proptest::option::of(-3.0f64..5.0), 0.0f64..=1.0)
            .prop_map(|(level, strength)| Edit::Flatten { level, strength }),
        (0.0f64..9.0, 0.0f64..=1.0).prop_map(|(reach, strength)| Edit::Smooth { reach, strength }),
        (0.0f64..2.0).prop_map(|d| Edit::Pour(Amount::Depth(d))),
        (0.0f64..300.0).prop_map(|v| Edit::Pour(Amount::Volume(v))),
        (0.0f64..2.0).prop_map(|d| Edit::Remove(Amount::Depth(d))),
        (0.0f64..300.0).prop_map(|v| Edit::Remove(Amount::Volume(v))),
        Just(Edit::Close),
        Just(Edit::Open),
    ]
}

fn any_falloff() -> impl Strategy<Value = Falloff> {
    prop_oneof![Just(Falloff::Flat), Just(Falloff::Linear), Just(Falloff::Smooth)]
}

fn any_boundary() -> impl Strategy<Value = Boundary> {
    let kind = prop_oneof![
        Just(BoundaryKind::Wall),
        Just(BoundaryKind::Open),
        (0.0f64..3.0).prop_map(|q| BoundaryKind::Inflow { discharge: q.into() }),
        (0.0f64..3.0).prop_map(|q| BoundaryKind::Outflow { discharge: q.into() }),
        (-2.0f64..6.0).prop_map(|z| BoundaryKind::Stage { level: z.into() }),
        (0.0f64..4.0, 0.0f64..1.0).prop_map(|(level, amplitude)| BoundaryKind::Wave {
            level,
            amplitude,
            period: 2.0
        }),
    ];
    (0usize..4, proptest::option::of((0.0f64..30.0, 1.0f64..40.0)), kind).prop_map(
        |(edge, span, kind)| Boundary {
            edge: Edge::ALL[edge],
            span: span.map(|(from, length)| [from, from + length]),
            kind,
        },
    )
}

fn min_depth(flow: &Flow) -> f32 {
    flow.state().depth.min_max().unwrap().0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 36, ..ProptestConfig::default() })]

    #[test]
    fn edits_are_recorded_in_the_ledger(
        edits in proptest::collection::vec(
            (any_region(), any_falloff(), any_edit(), any::<bool>()), 1..8,
        ),
        seed in 0u64..100, world in proptest::sample::select(&WORLDS)
    ) {
        let mut flow = busy_world(world, 31, 27, seed, 0.0);
        for (region, falloff, edit, surface) in edits {
            let keep = if surface { PreservedQuantity::Surface } else { PreservedQuantity::Depth };
            flow.edit_preserving(&Brush { region, falloff }, edit, keep).unwrap();
            prop_assert!(flow.balance().residual_relative.abs() < LIMIT, "{edit:?}");
            prop_assert!(min_depth(&flow) >= 0.0);
            flow.advance(0.7).unwrap();
            let balance = flow.balance();
            prop_assert!(balance.residual_relative.abs() < LIMIT, "{edit:?} {balance:?}");
            prop_assert!(min_depth(&flow) >= 0.0);
        }
    }

    #[test]
    fn boundary_flow_is_recorded_in_the_ledger(
        boundaries in proptest::collection::vec(any_boundary(), 1..6), seed in 0u64..100,
        world in proptest::sample::select(&WORLDS), joined in any::<[bool; 2]>()
    ) {
        let mut flow = busy_world(world, 29, 34, seed, 0.0);
        for boundary in boundaries {
            flow.set_boundary(boundary).unwrap();
        }
        make_periodic(&mut flow, joined[0], joined[1]);
        flow.advance(6.0).unwrap();
        let balance = flow.balance();
        prop_assert!(balance.residual_relative.abs() < LIMIT, "{balance:?}");
        prop_assert!(min_depth(&flow) >= 0.0);
        prop_assert!(flow.state().depth.as_slice().iter().all(|h| h.is_finite()));
    }
}

#[test]
fn closed_basin_conserves_volume_below_depth_rounding() {
    let lattice = Square::new(48, 48, 1.0, 1.0).unwrap();
    for physics in LEVELS {
        let bed = Field::from_fn(48, 48, |x, y| 4.0 * noise(x / 8, y / 8, 3));
        let depth = Field::from_fn(48, 48, |x, y| 12.0 * noise(x / 16, y / 16, 4));
        let params = Params { level: physics, ..Params::default() };
        let mut flow = Flow::new(lattice, params, bed, depth).unwrap();
        take_longest_steps(&mut flow, 2000);
        // Plain `f32` sums over the same 2000 steps drift by 1e-7 or more.
        let residual = flow.balance().residual_relative.abs();
        assert!(residual < 1e-13, "{physics:?}: {residual:e}");
    }
}

#[test]
fn uniform_depths_conserve_volume() {
    // All depths pass a power of two at the same time, where rounding is biased.
    for (cells, physics) in WORLDS {
        let mut flow = noisy_terrain(cells, physics, 0.25 - 1e-6);
        take_longest_steps(&mut flow, 300);
        let residual = flow.balance().residual_relative.abs();
        assert!(residual < 1e-13, "{cells:?} {physics:?}: {residual:e}");
    }
}

/// Returns rough terrain that is covered by water of the uniform depth `depth` (m).
fn noisy_terrain(cells: CellShape, physics: Physics, depth: f32) -> Flow {
    let lattice = lattice(cells, 48, 40, 1.0);
    let bed = Field::from_fn(48, 40, |x, y| 0.4 * noise(x / 8, y / 8, 3) + 0.1 * noise(x, y, 4));
    let params = Params { level: physics, ..Params::default() };
    Flow::new(lattice, params, bed, Field::new(48, 40, depth)).unwrap()
}

#[test]
fn excessive_springs_are_rejected() {
    let lattice = Square::new(8, 8, 2.0, 2.0).unwrap();
    let (bed, depth) = (Field::new(8, 8, 0.0), Field::new(8, 8, 1.0));
    let mut flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
    let spring = |rate: f64| Source::new(Region::disc([5.0, 5.0], 0.5), rate);
    // A cell has an area of 4 m².
    for rate in [4001.0, 1e9, 1e300, f64::NAN] {
        let refused = flow.add_spring(spring(rate)).unwrap_err().to_string();
        assert!(refused.starts_with("source.rate"), "{refused}");
    }
    let id = flow.add_spring(spring(4000.0)).unwrap();
    let refused = flow.set_spring_rate(id, 1e6.into()).unwrap_err().to_string();
    assert!(refused.contains("up to 4000 m³/s"), "{refused}");
    flow.set_spring(id, spring(5000.0)).unwrap_err();
    flow.add_drain(spring(1e9)).unwrap();
}

#[test]
fn slow_spring_fills_a_deep_lake() {
    let lattice = Square::new(20, 20, 1.0, 1.0).unwrap();
    let mut flow = Flow::new(
        lattice,
        Params { friction: 0.5, ..Params::default() },
        Field::new(20, 20, 0.0),
        Field::new(20, 20, 100.0),
    )
    .unwrap();
    flow.add_spring(Source::new(Region::disc([10.0, 10.0], 0.5), 1e-4)).unwrap();
    flow.advance(1000.0).unwrap();
    let given = flow.ledger().inflow(Cause::Source);
    assert!((given - 0.1).abs() < 1e-4, "{given}");
    assert!((flow.volume() - 40_000.0 - given).abs() < 1e-6);
}

#[test]
fn exchange_below_the_resolution_of_a_depth_is_in_the_balance() {
    // An `f32` of 100 m resolves 7.6 µm; in 100 s, 2.8 µm fall.
    let lattice = Square::new(8, 8, 100.0, 100.0).unwrap();
    let (bed, depth) = (Field::new(8, 8, 0.0), Field::new(8, 8, 100.0));
    let lake = Flow::new(lattice, Params::default(), bed, depth).unwrap();
    let fallen = 0.1 * MM_PER_HOUR * 100.0 * 640_000.0;
    for part in 0..5 {
        let mut flow = lake.clone();
        let outlet = || Source::new(Region::Everywhere, fallen / 100.0);
        let (cause, is_inflow) = match part {
            0 => {
                flow.set_rain(Some(Rain { rate: 0.1.into(), map: None })).unwrap();
                (Cause::Rain, true)
            }
            1 => {
                flow.set_evaporation(Some(0.1.into())).unwrap();
                (Cause::Evaporation, false)
            }
            2 => {
                flow.set_soil(Some(Soil { rate: 0.1, ..Soil::default() })).unwrap();
                (Cause::Infiltration, false)
            }
            3 => {
                flow.add_spring(outlet()).unwrap();
                (Cause::Source, true)
            }
            _ => {
                flow.add_drain(outlet()).unwrap();
                (Cause::Drain, false)
            }
        };
        for hours in [0, 1] {
            flow.advance(100.0 + 3600.0 * f64::from(hours)).unwrap();
            let Balance { ledger, now, rounding, residual, .. } = flow.balance();
            let moved = if is_inflow { ledger.inflow(cause) } else { ledger.outflow(cause) };
            let expected = fallen * flow.time() / 100.0;
            assert!((moved / expected - 1.0).abs() < 1e-4, "{cause:?}: {moved}, {expected}");
            let net = ledger.total_inflow() - ledger.total_outflow();
            let shown = now - ledger.initial_amount();
            let rounding = rounding.total_inflow() - rounding.total_outflow();
            assert!(hours > 0 || (shown, rounding) == (0.0, net), "{cause:?}: {shown}");
            assert!((net - shown - rounding).abs() < 1e-9 * now, "{cause:?}: {rounding}");
            assert!(residual.abs() < 1e-9 * now, "{cause:?}: {residual}");
        }
    }
}

#[test]
fn volumes_of_boundaries_springs_drains_and_structures_are_recorded() {
    for world in WORLDS {
        let mut flow = busy_world(world, 61, 43, 2, 0.0);
        flow.advance(20.0).unwrap();
        let (ledger, parts) = (flow.balance().ledger, flow.part_volumes());
        let sum = |volumes: Vec<f64>| volumes.iter().sum::<f64>();
        let boundary = |side: usize| sum((0..20).map(|i| parts.boundary(i)[side]).collect());
        let springs = sum(flow.springs().map(|(id, _)| parts.spring(id)).collect());
        let drains = sum(flow.drains().map(|(id, _)| parts.drain(id)).collect());
        for (found, expected) in [
            (boundary(0), ledger.inflow(Cause::Boundary)),
            (boundary(1), ledger.outflow(Cause::Boundary)),
            (springs, ledger.inflow(Cause::Source)),
            (drains, ledger.outflow(Cause::Drain)),
        ] {
            assert!(expected > 0.0 && (found / expected - 1.0).abs() < 1e-9, "{found}, {expected}");
        }
        let through = |(id, _)| parts.structure(id);
        let volumes: Vec<[f64; 2]> = flow.structures().map(through).collect();
        assert!(volumes.iter().flatten().all(|volume| *volume >= 0.0));
    }
}

#[test]
fn ledger_records_every_cause() {
    for world in WORLDS {
        let mut flow = busy_world(world, 61, 43, 2, 0.0);
        flow.advance(20.0).unwrap();
        let ledger = flow.ledger();
        for cause in Cause::ALL {
            let (came, went) = (ledger.inflow(cause), ledger.outflow(cause));
            let (comes, goes) = match cause {
                Cause::Boundary | Cause::Infiltration => (true, true),
                Cause::Source | Cause::Rain | Cause::Edit => (true, false),
                Cause::Drain | Cause::Evaporation => (false, true),
                // No boundary in this test becomes a wall, and no water seeps from below.
                _ => (false, false),
            };
            assert_eq!(
                (came > 0.0, went > 0.0),
                (comes, goes),
                "{world:?}, {cause:?}: {came} in, {went} out"
            );
        }
    }
}
