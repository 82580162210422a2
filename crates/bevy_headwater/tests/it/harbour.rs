//! Tests of which entities follow which bodies after water entities are loaded, replaced or
//! removed.

use crate::apps::{create_app, create_lake_world};
use crate::messages::collect_messages;
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Boundary, BoundaryKind, Edit};
use bevy_headwater::headwater::{Brush, Edge, Id, Model, Region, flow};
use bevy_headwater::prelude::*;

fn body_at(x: f64) -> flow::Body {
    flow::Body::rect([x, 12.0], [3.0, 1.5], 0.0, 2000.0, 1.0)
}

fn spawn_boat(app: &mut App, water: Entity, x: f64) -> Entity {
    app.world_mut().spawn(Floats::new(water, body_at(x))).id()
}

fn floats_of_boat(app: &App, boat: Entity) -> &Floats {
    app.world().get::<Floats>(boat).unwrap()
}

fn body_count(app: &App, water: Entity) -> usize {
    app.world().get::<Water>(water).unwrap().bodies().len()
}

fn save(app: &App, water: Entity) -> Vec<u8> {
    Model::save(&app.world().get::<Water>(water).unwrap().0).unwrap()
}

fn load(app: &mut App, water: Entity, bytes: &[u8]) {
    app.world_mut().get_mut::<Water>(water).unwrap().load(bytes).unwrap();
}

fn lake_with_boats_at(boat_positions: &[f64]) -> (App, Entity, Vec<Entity>) {
    let mut app = create_app();
    let water = app.world_mut().spawn(Water(create_lake_world())).id();
    let boats = boat_positions.iter().map(|&x| spawn_boat(&mut app, water, x)).collect();
    (0..40).for_each(|_| app.update());
    (app, water, boats)
}

#[test]
fn in_another_app_boats_claim_bodies_at_their_positions() {
    let xs = [6.0, 14.0, 22.0];
    let (first, there, boats) = lake_with_boats_at(&xs);
    let bytes = save(&first, there);
    let mut second = create_app();
    let water = second.world_mut().spawn(Water(create_lake_world())).id();
    load(&mut second, water, &bytes);
    // The bodies are spawned in another order than they were launched.
    let again: Vec<_> = xs.iter().rev().map(|&x| spawn_boat(&mut second, water, x)).collect();
    let hash = |app: &App, water| app.world().get::<Water>(water).unwrap().state_hash();
    let mut first = first;
    for _ in 0..40 {
        first.update();
        second.update();
        assert_eq!(hash(&first, there), hash(&second, water), "it goes on bit for bit");
    }
    assert_eq!(body_count(&second, water), 3);
    for (&old, &new) in boats.iter().zip(again.iter().rev()) {
        assert_eq!(floats_of_boat(&first, old).id(), floats_of_boat(&second, new).id());
        let at = |app: &App, boat| *app.world().get::<Transform>(boat).unwrap();
        assert_eq!(at(&first, old), at(&second, new));
    }
}

#[test]
fn a_body_is_adopted_by_id_by_one_entity_only() {
    let (first, there, boats) = lake_with_boats_at(&[6.0, 14.0]);
    let id = floats_of_boat(&first, boats[1]).id().unwrap();
    let bytes = save(&first, there);
    let mut second = create_app();
    let water = second.world_mut().spawn(Water(create_lake_world())).id();
    load(&mut second, water, &bytes);
    let adopted = second.world_mut().spawn(Floats::adopt(water, id)).id();
    second.update();
    let doubles =
        [id, Id::new(7)].map(|id| second.world_mut().spawn(Floats::adopt(water, id)).id());
    let refused = collect_messages::<WaterRefused>(&mut second, 3);
    assert_eq!(floats_of_boat(&second, adopted).id(), Some(id));
    assert_eq!(doubles.map(|double| floats_of_boat(&second, double).id()), [None; 2]);
    assert_eq!(refused.len(), 2, "{refused:?}");
    let x = second.world().get::<Transform>(adopted).unwrap().translation.x;
    assert!((x - 14.0).abs() < 0.5, "{x}");
    // A clone of the component does not follow the body either.
    let copy = floats_of_boat(&second, adopted).clone();
    assert_eq!(copy.id(), None);
}

#[test]
fn a_boat_missing_from_a_loaded_state_is_lost_and_claims_no_other_body() {
    let (mut app, water, boats) = lake_with_boats_at(&[6.0, 14.0]);
    let bytes = save(&app, water);
    let late = spawn_boat(&mut app, water, 22.0);
    app.update();
    let id = floats_of_boat(&app, late).id().unwrap();
    load(&mut app, water, &bytes);
    let lost = collect_messages::<BodyLost>(&mut app, 3);
    assert_eq!(lost, [BodyLost { entity: late, water, reason: Loss::Body }]);
    assert_eq!(
        (floats_of_boat(&app, late).id(), floats_of_boat(&app, late).loss()),
        (None, Some(Loss::Body))
    );
    assert_eq!(floats_of_boat(&app, late).velocity(), Vec3::ZERO);
    assert_eq!(
        boats.iter().map(|&boat| floats_of_boat(&app, boat).loss()).collect::<Vec<_>>(),
        [None; 2]
    );
    // The next body gets the same id and must not be followed by both entities.
    let place = *app.world().get::<Transform>(late).unwrap();
    let next = spawn_boat(&mut app, water, 18.0);
    (0..20).for_each(|_| app.update());
    assert_eq!(floats_of_boat(&app, next).id(), Some(id));
    assert_eq!(*app.world().get::<Transform>(late).unwrap(), place);
    // A component inserted again launches its body again.
    app.world_mut().entity_mut(late).insert(Floats::new(water, body_at(26.0)));
    app.update();
    assert_eq!(body_count(&app, water), 4);
}

#[test]
fn bodies_that_reappear_without_entities_are_removed() {
    let (mut app, water, boats) = lake_with_boats_at(&[6.0, 14.0, 22.0]);
    let bytes = save(&app, water);
    app.world_mut().despawn(boats[1]);
    app.update();
    assert_eq!(body_count(&app, water), 2);
    load(&mut app, water, &bytes);
    assert_eq!(body_count(&app, water), 3);
    app.update();
    assert_eq!(body_count(&app, water), 2);
    // A body stays if its entity also reappears.
    load(&mut app, water, &bytes);
    let again = spawn_boat(&mut app, water, 14.0);
    (0..3).for_each(|_| app.update());
    assert_eq!((body_count(&app, water), floats_of_boat(&app, again).id()), (3, Some(Id::new(1))));
    // A body that other code has added stays.
    load(&mut app, water, &bytes);
    app.world_mut().get_mut::<Water>(water).unwrap().add_body(body_at(27.0)).unwrap();
    (0..3).for_each(|_| app.update());
    assert_eq!(body_count(&app, water), 4);
}

#[test]
fn boats_report_a_replaced_or_removed_world() {
    let (mut app, water, boats) = lake_with_boats_at(&[6.0, 14.0]);
    app.world_mut().entity_mut(water).insert(Water(create_lake_world()));
    let lost = collect_messages::<BodyLost>(&mut app, 3);
    let all_of =
        |reason| boats.iter().map(|&entity| BodyLost { entity, water, reason }).collect::<Vec<_>>();
    assert_eq!(lost, all_of(Loss::Body));
    for &boat in &boats {
        app.world_mut().entity_mut(boat).insert(Floats::new(water, body_at(10.0)));
    }
    app.update();
    assert_eq!(body_count(&app, water), 2);
    app.world_mut().despawn(water);
    assert_eq!(collect_messages::<BodyLost>(&mut app, 3), all_of(Loss::Water));
    // A body launched into a removed water is reported too.
    let entity = spawn_boat(&mut app, water, 5.0);
    let lost = collect_messages::<BodyLost>(&mut app, 2);
    assert_eq!(lost, [BodyLost { entity, water, reason: Loss::Water }]);
}

#[test]
fn a_boat_that_leaves_over_an_open_edge_is_reported() {
    let mut app = create_app();
    let mut flow = create_lake_world();
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open)).unwrap();
    let water = app.world_mut().spawn(Water(flow)).id();
    let entity = spawn_boat(&mut app, water, 29.0);
    app.update();
    let push = Edit::Push { velocity: [3.0, 0.0] };
    app.world_mut().write_message(WaterEdit::new(
        water,
        Brush::with_flat_falloff(Region::Everywhere),
        push,
    ));
    let lost = collect_messages::<BodyLost>(&mut app, 400);
    assert_eq!(lost, [BodyLost { entity, water, reason: Loss::Edge }]);
    assert_eq!(floats_of_boat(&app, entity).velocity(), Vec3::ZERO);
    app.world_mut().despawn(entity);
    app.update();
    assert_eq!(body_count(&app, water), 0);
}

#[test]
fn boats_follow_their_bodies_with_any_parent() {
    let mut app = create_app();
    let turned = Quat::from_rotation_y(0.7);
    let root = Transform::from_xyz(1000.0, 5.0, -3.0).with_rotation(turned);
    let root = app.world_mut().spawn((root, Visibility::default())).id();
    let water = app.world_mut().spawn((Water(create_lake_world()), ChildOf(root))).id();
    let group = Transform::from_xyz(3.0, 1.0, 2.0).with_scale(Vec3::splat(2.0));
    let group = app.world_mut().spawn((group, ChildOf(water))).id();
    let ship = spawn_boat(&mut app, water, 22.0);
    // The parents are the world, the water, a group and a moving boat; the last body has no parent.
    let parents = [Some(root), Some(water), Some(group), Some(ship), None];
    let places = [4.0, 8.0, 12.0, 16.0, 19.5];
    let boats = [0, 1, 2, 3, 4].map(|i| {
        let x = places[i];
        let raft = flow::Body::rect([x, 12.0], [2.0, 1.0], 0.0, 1000.0, 1.0);
        let raft = app.world_mut().spawn(Floats::new(water, raft)).id();
        if let Some(parent) = parents[i] {
            app.world_mut().entity_mut(raft).insert(ChildOf(parent));
        }
        raft
    });
    (0..40).for_each(|_| app.update());
    let flow = app.world().get::<Water>(water).unwrap();
    let root = app.world().get::<Transform>(root).unwrap().compute_affine();
    for boat in boats {
        let body = *flow.bodies().get(floats_of_boat(&app, boat).id().unwrap()).unwrap();
        let [x, y] = body.position.map(|x| x as f32);
        let middle = (body.keel + 0.5 * body.height) as f32;
        let expected = root.transform_point3(Vec3::new(x, middle, y));
        let global = app.world().get::<GlobalTransform>(boat).unwrap();
        let off = (global.translation() - expected).length();
        assert!(off < 2e-3, "{} instead of {expected}", global.translation());
        let ahead = global.affine().transform_vector3(Vec3::X).normalize();
        // The direction may deviate slightly, because waves tilt the body.
        assert!((ahead - turned * Vec3::X).length() < 0.2, "{ahead}");
    }
}

#[test]
fn a_water_of_zero_scale_does_not_move_boats() {
    let (mut app, water, boats) = lake_with_boats_at(&[6.0]);
    app.world_mut().get_mut::<Transform>(water).unwrap().scale = Vec3::ZERO;
    (0..3).for_each(|_| app.update());
    assert!(app.world().get::<Transform>(boats[0]).unwrap().is_finite());
    assert!(floats_of_boat(&app, boats[0]).velocity().is_finite());
}
