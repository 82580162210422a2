//! Water entities on a GPU: their state, rendering and query results must be the same as on the
//! CPU.

use crate::apps::{create_dam_world, pond};
use crate::textures::{create_app, expected_texels, run_frames, texels};
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{self, Change, Edit, Flow, Physics};
use bevy_headwater::headwater::{Brush, Model, Region, waves};
use bevy_headwater::prelude::*;

/// Largest allowed difference between the CPU and the GPU, as a fraction of the largest depth. Same
/// value as in `crates/headwater-gpu/tests/it/support.rs`.
const TOLERANCE: f32 = 1e-4;

fn create_flow(level: Physics) -> Flow {
    let mut flow = create_dam_world();
    let params = flow::Params { level, ..flow.params().clone() };
    flow.set_params(params).unwrap();
    flow
}

fn is_on_gpu(app: &mut App, water: Entity) -> bool {
    let mut waters = app.world_mut().query::<AnyWaterReadOnly>();
    waters.get(app.world(), water).unwrap().is_on_gpu()
}

fn refusal_messages(app: &App) -> Vec<String> {
    let refused = app.world().resource::<Messages<WaterRefused>>();
    refused.iter_current_update_messages().map(|refused| refused.error.clone()).collect()
}

/// Returns the largest difference in ground elevation or depth between two states, divided by the
/// largest depth.
fn relative_difference(a: &[[f32; 4]], b: &[[f32; 4]]) -> f32 {
    let deepest = a.iter().map(|texel| texel[1]).fold(0.0, f32::max);
    let apart = |(a, b): (&[f32; 4], &[f32; 4])| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
    a.iter().zip(b).map(apart).fold(0.0, f32::max) / deepest
}

#[test]
fn both_backends_show_the_same_world() {
    for level in [Physics::Pipes, Physics::Inertial, Physics::ShallowWater] {
        let mut app = create_app();
        let [there, here] = [WaterBackend::Gpu, WaterBackend::Cpu].map(|backend| {
            app.world_mut()
                .spawn((Water(create_flow(level)), WaterSurface::default(), backend))
                .id()
        });
        for step in 0..60 {
            if step == 5 {
                let breach = Brush::smooth_disc([43.0, 40.0], 6.0);
                for water in [there, here] {
                    let edit = Edit::Lower(Change::By(6.0));
                    app.world_mut().write_message(WaterEdit::new(water, breach.clone(), edit));
                    let named = WaterEdit::from_name(water, breach.clone(), "pour", 0.5);
                    app.world_mut().write_message(named);
                }
            }
            run_frames(&mut app, 1);
            assert_eq!(refusal_messages(&app), [""; 0]);
        }
        assert!(is_on_gpu(&mut app, there) && !is_on_gpu(&mut app, here));
        // There was no read-back.
        assert_eq!(app.world().get::<Water>(there).unwrap().steps(), 0);
        assert_eq!(texels(&app, here), expected_texels(&app, here));
        // With other levels the GPU chooses another step length.
        if level == Physics::Pipes {
            let far = relative_difference(&texels(&app, here), &texels(&app, there));
            assert!(far < TOLERANCE, "{level:?}: {far}");
        }
        *app.world_mut().get_mut::<WaterBackend>(there).unwrap() = WaterBackend::Cpu;
        for water in [there, here] {
            app.world_mut().get_mut::<WaterClock>(water).unwrap().paused = true;
        }
        run_frames(&mut app, 1);
        assert!(!is_on_gpu(&mut app, there));
        let [a, b] = [there, here].map(|water| app.world().get::<Water>(water).unwrap());
        assert!((a.time() - b.time()).abs() < 1e-9, "{level:?}: {} and {}", a.time(), b.time());
        let far = relative_difference(&expected_texels(&app, there), &expected_texels(&app, here));
        let allowed = if level == Physics::Pipes { TOLERANCE } else { 0.02 };
        assert!(far < allowed, "{level:?}: {far}");
        assert_eq!(
            texels(&app, there),
            expected_texels(&app, there),
            "all of it is sent once it is back"
        );
        let edited = a.ledger().inflow(bevy_headwater::headwater::Cause::Edit);
        assert!(edited > 1.0, "{level:?}: {edited} m³ were poured");
        assert!(a.balance().residual_relative.abs() < 1e-9);
    }
}

#[test]
fn ponds_on_a_gpu_equal_those_on_the_cpu() {
    let mut app = create_app();
    let [there, here] = [WaterBackend::Gpu, WaterBackend::Cpu].map(|backend| {
        app.world_mut().spawn((Pond(pond()), WaterSurface::default(), backend)).id()
    });
    run_frames(&mut app, 3);
    for water in [there, here] {
        let edit = waves::Edit::Disturb { height: -0.2 };
        let place = Brush::smooth_disc([6.0, 5.0], 1.0);
        app.world_mut().write_message(WaterEdit::new(water, place, edit));
        let island = Brush::with_flat_falloff(Region::disc([3.0, 3.0], 0.6));
        app.world_mut().write_message(WaterEdit::from_name(water, island, "land", 0.0));
    }
    run_frames(&mut app, 30);
    assert!(is_on_gpu(&mut app, there));
    let (a, b) = (texels(&app, there), texels(&app, here));
    let far = relative_difference(&a, &b);
    assert!(far < 1e-6, "{far}");
    assert!(b.iter().any(|texel| (texel[0] + texel[1]).abs() > 1e-3), "it ripples");
}

#[test]
fn queries_of_ponds_on_a_gpu_equal_those_on_the_cpu() {
    #[derive(Resource, Default)]
    struct LatestSample(Option<WaterSample>);
    let mut app = create_app();
    app.init_resource::<LatestSample>();
    app.add_systems(FixedPostUpdate, |waters: WaterQuery, mut found: ResMut<LatestSample>| {
        found.0 = waters.sample_at(Vec3::new(6.5, 0.0, 5.0));
    });
    let water = app.world_mut().spawn((Pond(pond()), WaterBackend::Gpu)).id();
    run_frames(&mut app, 3);
    let edit = waves::Edit::Disturb { height: -0.2 };
    app.world_mut().write_message(WaterEdit::new(water, Brush::smooth_disc([6.0, 5.0], 1.0), edit));
    run_frames(&mut app, 8);
    assert!(is_on_gpu(&mut app, water));
    app.world_mut().get_mut::<WaterClock>(water).unwrap().paused = true;
    run_frames(&mut app, 4);
    let sample = app.world().resource::<LatestSample>().0.unwrap();
    assert!(sample.surface.unwrap().y.abs() > 1e-3, "the surface ripples: {sample:?}");
    app.world_mut().entity_mut(water).insert(WaterBackend::Cpu);
    run_frames(&mut app, 2);
    let known = app.world().resource::<LatestSample>().0.unwrap();
    assert_eq!((sample.depth, sample.surface), (known.depth, known.surface));
}

#[test]
fn query_answers_arrive_some_frames_later() {
    #[derive(Resource, Default)]
    struct LatestSample(Option<WaterSample>);
    let mut app = create_app();
    app.init_resource::<LatestSample>();
    app.add_systems(FixedPostUpdate, |waters: WaterQuery, mut found: ResMut<LatestSample>| {
        found.0 = waters.sample_at(Vec3::new(100.0, 0.0, 41.0));
    });
    let water =
        app.world_mut().spawn((Water(create_flow(Physics::ShallowWater)), WaterBackend::Gpu)).id();
    let house = Transform::from_xyz(100.0, 0.0, 41.0);
    let house = app.world_mut().spawn((FloodSensor::for_water(water), house)).id();
    run_frames(&mut app, 4);
    assert_eq!(app.world().resource::<LatestSample>().0.unwrap().depth, 0.0);
    let edit =
        WaterEdit::from_name(water, Brush::with_flat_falloff(Region::Everywhere), "pour", 1.0);
    app.world_mut().write_message(edit);
    let mut waited = 0;
    while app.world().resource::<LatestSample>().0.unwrap().depth == 0.0 {
        run_frames(&mut app, 1);
        waited += 1;
        assert!(waited < 10, "no answer in {waited} frames");
    }
    let found = app.world().resource::<LatestSample>().0.unwrap();
    assert!(found.depth > 0.5 && found.surface.is_some() && found.bed.is_some(), "{found:?}");
    run_frames(&mut app, 1);
    assert!(app.world().get::<FloodSensor>(house).unwrap().is_flooded());
    run_frames(&mut app, 20);
    let found = app.world().resource::<LatestSample>().0.unwrap();
    assert!(found.velocity.x > 0.05, "it runs down the valley: {found:?}");
    // Compare with the world itself.
    app.world_mut().get_mut::<WaterClock>(water).unwrap().paused = true;
    run_frames(&mut app, 4);
    let lagging = app.world().resource::<LatestSample>().0.unwrap();
    app.world_mut().entity_mut(water).insert(WaterBackend::Cpu);
    run_frames(&mut app, 1);
    let now = app.world().resource::<LatestSample>().0.unwrap();
    assert!((lagging.depth - now.depth).abs() < 1e-4, "{lagging:?} and {now:?}");
    assert!((lagging.velocity - now.velocity).length() < 1e-3, "{lagging:?} and {now:?}");
    assert!((lagging.normal - now.normal).length() < 1e-3, "{lagging:?} and {now:?}");
}

#[test]
fn unsupported_worlds_continue_on_the_cpu_with_a_message() {
    let mut app = create_app();
    let water = app.world_mut().spawn((Water(create_dam_world()), WaterBackend::Gpu)).id();
    run_frames(&mut app, 5);
    assert!(is_on_gpu(&mut app, water));
    let raft = flow::Body::rect([20.0, 40.0], [4.0, 2.0], 0.0, 4000.0, 1.0);
    let raft = app.world_mut().spawn(Floats::new(water, raft)).id();
    run_frames(&mut app, 1);
    assert!(!is_on_gpu(&mut app, water), "it has a body");
    run_frames(&mut app, 1);
    assert!(
        refusal_messages(&app).iter().any(|error| error.contains("bodies")),
        "{:?}",
        refusal_messages(&app)
    );
    assert!(app.world().get::<Floats>(raft).unwrap().id().is_some());
    let steps = app.world().get::<Water>(water).unwrap().steps();
    run_frames(&mut app, 3);
    assert!(app.world().get::<Water>(water).unwrap().steps() > steps, "it goes on");
    assert_eq!(refusal_messages(&app), [""; 0], "it is said once");
    // Remove the raft and request the GPU again.
    app.world_mut().despawn(raft);
    run_frames(&mut app, 1);
    *app.world_mut().get_mut::<WaterBackend>(water).unwrap() = WaterBackend::Gpu;
    run_frames(&mut app, 2);
    assert!(is_on_gpu(&mut app, water));
}

#[test]
fn auto_keeps_small_worlds_and_software_gpus_on_the_cpu() {
    let mut app = create_app();
    let water = app.world_mut().spawn((Water(create_dam_world()), WaterBackend::Auto)).id();
    run_frames(&mut app, 3);
    assert!(!is_on_gpu(&mut app, water));
    assert_eq!(refusal_messages(&app), [""; 0]);
}

#[test]
fn a_changed_or_loaded_world_is_uploaded_again() {
    let mut app = create_app();
    let water = app.world_mut().spawn((Water(create_dam_world()), WaterBackend::Gpu)).id();
    run_frames(&mut app, 10);
    // `AnyWater` reads the world back first.
    let mut waters = app.world_mut().query::<AnyWater>();
    let mut found = waters.get_mut(app.world_mut(), water).unwrap();
    let model = found.model_mut().unwrap();
    let steps = model.steps();
    assert!(steps >= 9, "{steps} steps came back");
    let saved = model.save().unwrap();
    model.add_spring(Region::disc([20.0, 40.0], 4.0), 5.0).unwrap();
    run_frames(&mut app, 10);
    assert!(is_on_gpu(&mut app, water));
    app.world_mut().get_mut::<Water>(water).unwrap().load(&saved).unwrap();
    run_frames(&mut app, 1);
    assert!(is_on_gpu(&mut app, water));
    let mut found = waters.get_mut(app.world_mut(), water).unwrap();
    assert_eq!(found.model_mut().unwrap().steps(), steps + 1, "it goes on from what was loaded");
    assert!(found.model_mut().unwrap().springs().is_empty());
}

#[test]
fn apps_without_rendering_report_that_there_is_no_gpu() {
    let mut app = crate::apps::create_app();
    let water = app.world_mut().spawn((Water(create_dam_world()), WaterBackend::Gpu)).id();
    app.update();
    assert!(
        refusal_messages(&app).iter().any(|error| error.contains("GPU")),
        "{:?}",
        refusal_messages(&app)
    );
    assert_eq!(app.world().get::<Water>(water).unwrap().steps(), 1);
}
