//! Volumes of water that have passed each boundary, source, drain and structure of a flow scene.

use super::boundary::BoundaryKind;
use super::{Added, FlowScene};
use crate::run::{LedgerPart, PartColumns};
use crate::scene::{NonAreaAction, SceneModel, entry_id};
use headwater::flow::PartVolumes;

/// Returns the volumes of water that have passed each boundary, source, drain and structure of a
/// scene. The model's lists may begin with `first_boundary` boundary conditions and `first_spring`
/// springs that are not in the scene. Their volumes, and those of objects that events have added,
/// are summed as "other".
pub(super) fn ledger_parts(
    scene: &FlowScene,
    [first_boundary, first_spring]: [usize; 2],
    volumes: &PartVolumes,
) -> Vec<LedgerPart> {
    let name = |kind: &str, i: usize, name: Option<&str>| match name {
        Some(name) => format!("{kind} {name}"),
        None => format!("{kind}[{i}]"),
    };
    let mut parts = Vec::new();
    let boundaries = scene.boundaries.iter().enumerate();
    let is_open =
        |kind: &BoundaryKind| !matches!(kind, BoundaryKind::Wall(_) | BoundaryKind::Periodic(_));
    for (i, boundary) in boundaries.filter(|(_, boundary)| is_open(&boundary.kind)) {
        let mut name = name("boundary", i, boundary.stretch.name.as_deref());
        if boundary.stretch.name.is_none() {
            name = format!("{name} ({})", format!("{:?}", boundary.stretch.edge).to_lowercase());
        }
        parts.push(LedgerPart::new(
            name,
            PartColumns::InAndOut,
            volumes.boundary(first_boundary + i),
        ));
    }
    let adds = |is_kind: fn(&Added) -> bool| {
        let added = |action| match action {
            &super::Action::Add(NonAreaAction(ref added)) => is_kind(added),
            _ => false,
        };
        scene.common_tables().actions().any(|(_, action)| added(action))
    };
    if first_boundary > 0 {
        let others = (0..first_boundary).map(|i| volumes.boundary(i));
        let sum = others.fold([0.0; 2], |sum, [came, went]| [sum[0] + came, sum[1] + went]);
        parts.push(LedgerPart::new("other boundaries".into(), PartColumns::InAndOut, sum));
    }
    for (i, source) in scene.sources.iter().enumerate() {
        let came = volumes.spring(entry_id(first_spring + i));
        parts.push(LedgerPart::new(
            name("source", i, source.name.as_deref()),
            PartColumns::In,
            [came, 0.0],
        ));
    }
    if first_spring > 0 || adds(|added| matches!(added, Added::Source(_))) {
        let known = entry_id(first_spring)..entry_id(first_spring + scene.sources.len());
        let others = volumes.spring_ids().filter(|id| !known.contains(id));
        let came = others.map(|id| volumes.spring(id)).sum();
        parts.push(LedgerPart::new("other sources".into(), PartColumns::In, [came, 0.0]));
    }
    for (i, drain) in scene.drains.iter().enumerate() {
        let went = volumes.drain(entry_id(i));
        parts.push(LedgerPart::new(
            name("drain", i, drain.name.as_deref()),
            PartColumns::Out,
            [0.0, went],
        ));
    }
    if adds(|added| matches!(added, Added::Drain(_))) {
        let others = volumes.drain_ids().filter(|id| *id >= entry_id(scene.drains.len()));
        let went = others.map(|id| volumes.drain(id)).sum();
        parts.push(LedgerPart::new("other drains".into(), PartColumns::Out, [0.0, went]));
    }
    for (i, ends) in scene.structures().iter().enumerate() {
        let kind = ends.key.split('[').next().unwrap_or_default();
        let name = ends.name.map_or_else(|| ends.key.clone(), |name| format!("{kind} {name}"));
        parts.push(LedgerPart::new(name, PartColumns::Through, volumes.structure(entry_id(i))));
    }
    parts
}
