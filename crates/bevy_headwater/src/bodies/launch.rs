//! Systems that link bodies and entities: launching and removing bodies, and recognising them after
//! a state has been loaded.

use super::body::{FloatingBody, Hull};
use super::floats::{Floats, RemovedBodies};
use crate::any::AnyWater;
use crate::messages::{BodyLost, Loss, WaterRefused};
use crate::models::WaterModel;
use bevy::ecs::prelude::*;
use bevy::math::Vec3;
use headwater::{Id, InputError};

/// Maximum number of removed bodies that are remembered in case they reappear with a loaded state.
const MAX_REMEMBERED: usize = 256;

/// Detects entities whose body or water entity no longer exists. Reports each loss and removes the
/// link of the entity to its body.
pub(crate) fn report_lost_bodies(
    mut floats: Query<(Entity, &mut Floats)>,
    waters: Query<<AnyWater as bevy::ecs::query::QueryData>::ReadOnly>,
    mut lost: MessageWriter<BodyLost>,
) {
    for (entity, mut floating) in &mut floats {
        if floating.refused || floating.lost.is_some() && floating.id.is_none() {
            continue;
        }
        let water = waters.get(floating.water);
        let model = water.as_ref().ok().and_then(|water| water.model());
        let now = match (&water, model, floating.id) {
            // The world of a water entity with a scene may not have been built yet.
            (Ok(_), None, None) | (Ok(_), Some(_), None) => continue,
            (Err(_), ..) | (Ok(_), None, Some(_)) => Some(Loss::Water),
            (Ok(_), Some(model), Some(id)) => match model.hull(id) {
                Some(hull) if hull.matches(&floating.last_hull) => {
                    hull.has_left.then_some(Loss::Edge)
                }
                _ => Some(Loss::Body),
            },
        };
        if now == floating.lost {
            continue;
        }
        if let Some(reason) = now {
            lost.write(BodyLost { entity, water: floating.water, reason });
            floating.velocity = Vec3::ZERO;
        }
        if !matches!(now, None | Some(Loss::Edge)) {
            floating.id = None;
        }
        floating.lost = now;
    }
}

/// Temporary buffers that are reused from step to step.
#[derive(Default)]
pub(crate) struct LaunchScratch {
    new: Vec<Entity>,
    /// Followed bodies as pairs of water entity and body id, sorted.
    followed: Vec<(Entity, Id)>,
}

impl LaunchScratch {
    fn collect_followed_bodies(&mut self, floats: &Query<(Entity, &mut Floats)>) {
        self.followed.clear();
        let followed = floats.iter().filter_map(|(_, f)| f.id.map(|id| (f.water, id)));
        self.followed.extend(followed);
        self.followed.sort_unstable();
    }

    fn add_followed_body(&mut self, water: Entity, id: Id) {
        if let Err(at) = self.followed.binary_search(&(water, id)) {
            self.followed.insert(at, (water, id));
        }
    }

    fn is_followed(&self, water: Entity, id: Id) -> bool {
        self.followed.binary_search(&(water, id)).is_ok()
    }
}

/// Removes the bodies of removed entities, then launches the bodies of new entities in ascending
/// order of their `Entity` ids.
pub(crate) fn launch_bodies(
    mut removed: ResMut<RemovedBodies>,
    mut floats: Query<(Entity, &mut Floats)>,
    mut waters: Query<AnyWater>,
    mut refused: MessageWriter<WaterRefused>,
    mut scratch: Local<LaunchScratch>,
) {
    let RemovedBodies { pending, removed: gone } = &mut *removed;
    for (water, id, last_hull) in pending.drain(..) {
        let Ok(mut found) = waters.get_mut(water) else { continue };
        // A loaded state may no longer contain the body.
        if let Some(model) = found.model_mut()
            && model.hull(id).is_some_and(|hull| hull.matches(&last_hull))
        {
            let _ = model.remove_body(id);
        }
        gone.push((water, id, last_hull));
    }
    let forgotten = gone.len().saturating_sub(MAX_REMEMBERED);
    gone.drain(..forgotten);
    scratch.new.clear();
    let is_new = |f: &Floats| f.id.is_none() && !f.refused && f.lost.is_none();
    scratch.new.extend(floats.iter().filter(|(_, f)| is_new(f)).map(|(e, _)| e));
    if !scratch.new.is_empty() {
        scratch.new.sort_unstable();
        scratch.collect_followed_bodies(&floats);
        for i in 0..scratch.new.len() {
            let Ok((_, mut floating)) = floats.get_mut(scratch.new[i]) else { continue };
            let water = floating.water;
            let Ok(mut found) = waters.get_mut(water) else { continue };
            let Some(model) = found.model_mut() else { continue };
            match launch(model, &floating.body, |id| scratch.is_followed(water, id)) {
                Ok(id) => {
                    floating.id = Some(id);
                    floating.last_hull = model.hull(id).unwrap_or_default();
                    scratch.add_followed_body(water, id);
                }
                Err(error) => {
                    floating.refused = true;
                    refused.write(WaterRefused { water, error: error.to_string() });
                }
            }
        }
    }
    remove_orphaned_bodies(gone, &floats, &mut waters, &mut scratch);
}

/// Finds or adds the body that an entity will follow, and returns its id. If the entity requests a
/// body by id, that body is used. Otherwise, an existing body is used if it has the same size, is
/// near the launch position and is followed by no entity. If there is none, a new body is added.
fn launch(
    model: &mut dyn WaterModel,
    body: &FloatingBody,
    is_taken: impl Fn(Id) -> bool,
) -> Result<Id, InputError> {
    if let FloatingBody::Known(id) = *body {
        let found = match model.hull(id) {
            None => format!("the id {id}, which no body has"),
            Some(_) if is_taken(id) => format!("the id {id}, which an entity follows"),
            Some(_) => return Ok(id),
        };
        return Err(InputError::new("a body", found, "that of one that no entity follows"));
    }
    if let Some(launch_hull) = body.hull() {
        let free = model.body_ids().iter().copied().filter(|&id| !is_taken(id));
        let off = |id: Id| Some((model.hull(id)?.distance_to(&launch_hull)?, id));
        let nearest = free.filter_map(off).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, id)) = nearest {
            return Ok(id);
        }
    }
    model.launch(body)
}

/// Removes bodies that reappear with a loaded state although their entities no longer exist.
fn remove_orphaned_bodies(
    removed_bodies: &mut Vec<(Entity, Id, Hull)>,
    floats: &Query<(Entity, &mut Floats)>,
    waters: &mut Query<AnyWater>,
    scratch: &mut LaunchScratch,
) {
    let mut is_known = false;
    removed_bodies.retain(|&(water, id, last_hull)| {
        let Ok(found) = waters.get(water) else { return false };
        let Some(model) = found.model() else { return true };
        // A new body may receive this id from now on.
        if model.next_body_id().is_none_or(|next| id >= next) {
            return false;
        }
        if !model.hull(id).is_some_and(|hull| hull.size == last_hull.size) {
            return true;
        }
        if !is_known {
            is_known = true;
            scratch.collect_followed_bodies(floats);
        }
        if !scratch.is_followed(water, id)
            && let Ok(mut found) = waters.get_mut(water)
            && let Some(model) = found.model_mut()
        {
            let _ = model.remove_body(id);
        }
        true
    });
}
