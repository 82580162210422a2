//! Which entity has which body: launching, leaving, and finding bodies again in worlds that were loaded.

use crate::any::AnyWater;
use crate::body::{FloatingBody, Hull};
use crate::floats::{Departed, Floats};
use crate::messages::{BodyLost, Loss, WaterRefused};
use crate::models::WaterModel;
use bevy::ecs::prelude::*;
use bevy::math::Vec3;
use headwater::{Id, InputError};

/// How many bodies that have left are remembered.
const REMEMBERED: usize = 256;

/// Lets go of bodies and waters that are no longer there.
pub(crate) fn check_bodies(
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
            // Its water may still come, with a scene.
            (Ok(_), None, None) | (Ok(_), Some(_), None) => continue,
            (Err(_), ..) | (Ok(_), None, Some(_)) => Some(Loss::Water),
            (Ok(_), Some(model), Some(id)) => match model.hull(id) {
                Some(hull) if hull.may_be(&floating.seen) => hull.gone.then_some(Loss::Edge),
                _ => Some(Loss::Body),
            },
        };
        if now == floating.lost {
            continue;
        }
        if let Some(why) = now {
            lost.write(BodyLost { entity, water: floating.water, why });
            floating.velocity = Vec3::ZERO;
        }
        if !matches!(now, None | Some(Loss::Edge)) {
            floating.id = None;
        }
        floating.lost = now;
    }
}

/// What is used again from step to step.
#[derive(Default)]
pub(crate) struct Scratch {
    new: Vec<Entity>,
    /// Bodies that have an entity, in order.
    taken: Vec<(Entity, Id)>,
}

impl Scratch {
    fn take_stock(&mut self, floats: &Query<(Entity, &mut Floats)>) {
        self.taken.clear();
        let taken = floats.iter().filter_map(|(_, f)| f.id.map(|id| (f.water, id)));
        self.taken.extend(taken);
        self.taken.sort_unstable();
    }

    fn take(&mut self, water: Entity, id: Id) {
        if let Err(at) = self.taken.binary_search(&(water, id)) {
            self.taken.insert(at, (water, id));
        }
    }

    fn is_taken(&self, water: Entity, id: Id) -> bool {
        self.taken.binary_search(&(water, id)).is_ok()
    }
}

/// Takes bodies out whose entities are gone, and adds new ones in the order of their entities.
pub(crate) fn launch_bodies(
    mut departed: ResMut<Departed>,
    mut floats: Query<(Entity, &mut Floats)>,
    mut waters: Query<AnyWater>,
    mut refused: MessageWriter<WaterRefused>,
    mut scratch: Local<Scratch>,
) {
    let Departed { waiting, gone } = &mut *departed;
    for (water, id, seen) in waiting.drain(..) {
        let Ok(mut found) = waters.get_mut(water) else { continue };
        // One that a state that was loaded no longer has is gone already.
        if let Some(model) = found.model_mut()
            && model.hull(id).is_some_and(|hull| hull.may_be(&seen))
        {
            let _ = model.remove_body(id);
        }
        gone.push((water, id, seen));
    }
    let forgotten = gone.len().saturating_sub(REMEMBERED);
    gone.drain(..forgotten);
    scratch.new.clear();
    let is_new = |f: &Floats| f.id.is_none() && !f.refused && f.lost.is_none();
    scratch.new.extend(floats.iter().filter(|(_, f)| is_new(f)).map(|(e, _)| e));
    if !scratch.new.is_empty() {
        scratch.new.sort_unstable();
        scratch.take_stock(&floats);
        for i in 0..scratch.new.len() {
            let Ok((_, mut floating)) = floats.get_mut(scratch.new[i]) else { continue };
            let water = floating.water;
            let Ok(mut found) = waters.get_mut(water) else { continue };
            let Some(model) = found.model_mut() else { continue };
            match launch(model, &floating.body, |id| scratch.is_taken(water, id)) {
                Ok(id) => {
                    floating.id = Some(id);
                    floating.seen = model.hull(id).unwrap_or_default();
                    scratch.take(water, id);
                }
                Err(error) => {
                    floating.refused = true;
                    refused.write(WaterRefused { water, error: error.to_string() });
                }
            }
        }
    }
    take_ghosts(gone, &floats, &mut waters, &mut scratch);
}

/// Adds a body, or finds the one that is meant.
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
    if let Some(wanted) = body.hull() {
        let free = model.body_ids().iter().copied().filter(|&id| !is_taken(id));
        let off = |id: Id| Some((model.hull(id)?.off(&wanted)?, id));
        let nearest = free.filter_map(off).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, id)) = nearest {
            return Ok(id);
        }
    }
    model.launch(body)
}

/// Takes bodies out that had left, and have come back with a state that was loaded.
fn take_ghosts(
    gone: &mut Vec<(Entity, Id, Hull)>,
    floats: &Query<(Entity, &mut Floats)>,
    waters: &mut Query<AnyWater>,
    scratch: &mut Scratch,
) {
    let mut is_known = false;
    gone.retain(|&(water, id, seen)| {
        let Ok(found) = waters.get(water) else { return false };
        let Some(model) = found.model() else { return true };
        // That number may be another body's from now on.
        if model.next_body().is_none_or(|next| id >= next) {
            return false;
        }
        if !model.hull(id).is_some_and(|hull| hull.size == seen.size) {
            return true;
        }
        if !is_known {
            is_known = true;
            scratch.take_stock(floats);
        }
        if !scratch.is_taken(water, id)
            && let Ok(mut found) = waters.get_mut(water)
            && let Some(model) = found.model_mut()
        {
            let _ = model.remove_body(id);
        }
        true
    });
}
