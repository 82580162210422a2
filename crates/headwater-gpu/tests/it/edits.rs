//! Tests that edits of a flow world on the GPU match the CPU, need no read-back, and conserve mass.

use crate::support::{
    TOLERANCE, WORLDS, add_house, add_weather, max_difference, open_gpu, set_open_boundaries,
    world_with_pools,
};
use headwater::flow::{Amount, Change, Edit, Flow, Physics, PreservedQuantity};
use headwater::{Brush, Cause, Region};
use headwater_gpu::flow::{GpuFlow, Options};

/// Returns edits of every kind. Each item contains the brush, the edit and the quantity that the
/// edit preserves. The brushes lie on water, on dry ground, over a building, and across the edge of
/// the grid.
fn edits_of_every_kind() -> Vec<(Brush, Edit, PreservedQuantity)> {
    let pool = Brush::smooth_disc([30.0, 20.0], 9.0);
    let rim = Brush::with_flat_falloff(Region::disc([1.0, 25.0], 8.0));
    let all = Brush::with_flat_falloff(Region::Everywhere);
    vec![
        (pool.clone(), Edit::Lower(Change::By(2.0)), PreservedQuantity::Depth),
        (rim.clone(), Edit::Raise(Change::To(2.5)), PreservedQuantity::Surface),
        (pool.clone(), Edit::Lower(Change::To(0.7)), PreservedQuantity::Surface),
        (pool.clone(), Edit::Pour(Amount::Depth(1.0)), PreservedQuantity::Depth),
        (rim.clone(), Edit::Pour(Amount::Volume(70.0)), PreservedQuantity::Depth),
        (pool.clone(), Edit::Push { velocity: [1.0, -2.0] }, PreservedQuantity::Depth),
        (all.clone(), Edit::Push { velocity: [-0.3, 0.7] }, PreservedQuantity::Depth),
        (pool.clone(), Edit::Remove(Amount::Depth(0.8)), PreservedQuantity::Depth),
        (pool.clone(), Edit::Flatten { level: None, strength: 0.6 }, PreservedQuantity::Surface),
        (rim.clone(), Edit::Smooth { reach: 5.0, strength: 0.9 }, PreservedQuantity::Depth),
        (rim.clone(), Edit::Close, PreservedQuantity::Depth),
        (all.clone(), Edit::Remove(Amount::Depth(0.02)), PreservedQuantity::Depth),
        (rim, Edit::Open, PreservedQuantity::Depth),
        (all, Edit::Raise(Change::By(0.25)), PreservedQuantity::Surface),
    ]
}

/// Returns the largest difference between the depths, discharges and momentum of two worlds.
fn max_state_difference(a: &Flow, b: &Flow) -> f32 {
    let (a, b) = (a.state(), b.state());
    let mut worst = max_difference(&a.depth, &b.depth).0;
    worst = worst.max(max_difference(&a.discharge_x, &b.discharge_x).0);
    worst = worst.max(max_difference(&a.discharge_y, &b.discharge_y).0);
    if let (Some(a), Some(b)) = (&a.discharge_z, &b.discharge_z) {
        worst = worst.max(max_difference(a, b).0);
    }
    if let (Some(a), Some(b)) = (&a.momentum, &b.momentum) {
        worst = worst.max(max_difference(&a.x, &b.x).0).max(max_difference(&a.y, &b.y).0);
    }
    worst
}

#[test]
fn every_edit_matches_the_cpu() {
    let gpu = open_gpu();
    for world in WORLDS {
        let mut cpu = world_with_pools(world, 33, 29, 7, 0.0);
        add_house(&mut cpu);
        let dt = 0.01 * cpu.stable_dt();
        for _ in 0..20 {
            cpu.step(dt).unwrap();
        }
        let mut on_gpu = GpuFlow::new(&gpu, cpu.clone(), Options::default()).unwrap();
        let mut changed = 0;
        for (brush, edit, keep) in edits_of_every_kind() {
            let before = cpu.state().clone();
            cpu.edit_preserving(&brush, edit, keep).unwrap();
            changed += usize::from(*cpu.state() != before);
            on_gpu.edit(&brush, edit, keep).unwrap();
            let back = on_gpu.sync().unwrap();
            let worst = max_state_difference(back, &cpu);
            assert!(worst <= 1e-6, "{world:?} {edit:?} {keep:?}: {worst}");
            assert_eq!(back.state().bed, cpu.state().bed);
            assert_eq!(back.state().closed, cpu.state().closed);
        }
        assert_eq!(changed, edits_of_every_kind().len(), "every edit must have an effect");
    }
}

#[test]
fn edits_between_steps_need_no_read_back() {
    let gpu = open_gpu();
    for world in WORLDS {
        let mut cpu = world_with_pools(world, 33, 29, 7, 0.0);
        add_house(&mut cpu);
        let start = cpu.clone();
        let dt = 0.005 * cpu.stable_dt();
        let mut on_gpu = GpuFlow::new(&gpu, cpu.clone(), Options::default()).unwrap();
        for (brush, edit, keep) in edits_of_every_kind() {
            cpu.edit_preserving(&brush, edit, keep).unwrap();
            on_gpu.edit(&brush, edit, keep).unwrap();
            for _ in 0..3 {
                cpu.step(dt).unwrap();
            }
            on_gpu.steps(3, dt).unwrap();
        }
        assert_eq!(on_gpu.flow().state().depth, start.state().depth, "the water is not read back");
        assert_eq!(
            on_gpu.flow().state().bed,
            cpu.state().bed,
            "the ground changes on the CPU at once"
        );
        let back = on_gpu.sync().unwrap();
        let worst = max_state_difference(back, &cpu);
        assert!(worst <= 4.0 * TOLERANCE, "{world:?}: {worst}");
        let (found, expected) = (back.ledger(), cpu.ledger());
        for (found, expected) in [
            (found.inflow(Cause::Edit), expected.inflow(Cause::Edit)),
            (found.outflow(Cause::Edit), expected.outflow(Cause::Edit)),
        ] {
            assert!(expected > 1.0);
            assert!((found - expected).abs() <= 1e-5 * expected, "{found} and {expected}");
        }
        assert!(back.balance().residual_relative.abs() < 1e-6, "{world:?}");
    }
}

#[test]
fn the_stability_limit_follows_the_edited_water() {
    let gpu = open_gpu();
    // Test worlds with and without boundary conditions that emit waves.
    let walls = WORLDS.into_iter().map(|world| (world, false));
    for (world, open) in WORLDS.into_iter().map(|world| (world, true)).chain(walls) {
        let mut cpu = world_with_pools(world, 45, 38, 4, 0.0);
        if open {
            set_open_boundaries(&mut cpu);
        }
        add_weather(&mut cpu, 4);
        cpu.advance(0.2).unwrap();
        let mut on_gpu = GpuFlow::new(&gpu, cpu.clone(), Options::default()).unwrap();
        let mut limit = cpu.stable_dt();
        let brush = Brush::smooth_disc([20.0, 15.0], 6.0);
        for edit in [
            Edit::Pour(Amount::Depth(30.0)),
            Edit::Push { velocity: [15.0, 30.0] },
            Edit::Remove(Amount::Depth(100.0)),
        ] {
            cpu.edit(&brush, edit).unwrap();
            on_gpu.edit(&brush, edit, PreservedQuantity::Depth).unwrap();
            on_gpu.query_blocking(&[], &[]).unwrap();
            let (found, expected) = (on_gpu.stable_dt(), cpu.stable_dt());
            assert!(
                (found / expected - 1.0).abs() < 1e-4,
                "{world:?} {edit:?}: {found} {expected}"
            );
            let turned = (expected / limit - 1.0).abs() > 0.01;
            let turns = world.1 != Physics::Pipes;
            assert_eq!(turned, turns, "{world:?} {edit:?}: {expected} {limit}");
            limit = expected;
        }
        // Stepping continues after the edits.
        on_gpu.edit(&brush, Edit::Pour(Amount::Depth(30.0)), PreservedQuantity::Depth).unwrap();
        on_gpu.advance(0.05).unwrap();
        assert!(on_gpu.sync().unwrap().balance().residual_relative.abs() < 1e-6);
    }
}

#[test]
fn an_invalid_edit_is_rejected_without_effect() {
    let cpu = world_with_pools(WORLDS[0], 20, 20, 3, 0.0);
    let mut on_gpu = GpuFlow::new(&open_gpu(), cpu.clone(), Options::default()).unwrap();
    let brush = Brush::smooth_disc([10.0, 10.0], 4.0);
    let error =
        on_gpu.edit(&brush, Edit::Pour(Amount::Depth(-1.0)), PreservedQuantity::Depth).unwrap_err();
    assert!(error.to_string().contains("found -1, allowed is 0 to 1000000 m"), "{error}");
    on_gpu
        .edit(&Brush::smooth_disc([-500.0, 10.0], 4.0), Edit::Close, PreservedQuantity::Depth)
        .unwrap();
    assert_eq!(on_gpu.sync().unwrap().state(), cpu.state());
}

#[test]
fn an_edited_world_can_be_modified_and_stepped() {
    let gpu = open_gpu();
    for world in WORLDS {
        let flow = world_with_pools(world, 33, 29, 7, 0.0);
        let dt = 0.01 * flow.stable_dt();
        let mut on_gpu = GpuFlow::new(&gpu, flow, Options::default()).unwrap();
        on_gpu
            .edit(
                &Brush::smooth_disc([30.0, 20.0], 9.0),
                Edit::Pour(Amount::Depth(0.5)),
                PreservedQuantity::Depth,
            )
            .unwrap();
        let volume = on_gpu.sync().unwrap().volume();
        on_gpu.change(|flow| flow.set_evaporation(Some(100.0.into()))).unwrap();
        on_gpu.steps(5, dt).unwrap();
        let back = on_gpu.sync().unwrap();
        assert!(back.ledger().outflow(Cause::Evaporation) > 0.0);
        assert!(back.volume() < volume);
        assert!(back.balance().residual_relative.abs() < 1e-6);
    }
}

#[test]
fn after_device_loss_the_ground_keeps_its_edits() {
    let gpu = open_gpu();
    let cpu = world_with_pools(WORLDS[0], 24, 20, 3, 0.0);
    let mut on_gpu = GpuFlow::new(&gpu, cpu.clone(), Options::default()).unwrap();
    let brush = Brush::smooth_disc([15.0, 10.0], 5.0);
    on_gpu.edit(&brush, Edit::Lower(Change::By(1.0)), PreservedQuantity::Depth).unwrap();
    on_gpu.edit(&brush, Edit::Pour(Amount::Depth(1.0)), PreservedQuantity::Depth).unwrap();
    gpu.destroy();
    let lost = on_gpu.edit(&brush, Edit::Close, PreservedQuantity::Depth);
    lost.and_then(|()| on_gpu.sync().map(|_| ())).unwrap_err();
    let rest = on_gpu.into_flow();
    assert_eq!(rest.state().depth, cpu.state().depth);
    assert!(rest.state().bed[(7, 6)] < cpu.state().bed[(7, 6)]);
    assert!(rest.balance().residual.abs() < 1e-9, "the balance matches its water");
}
