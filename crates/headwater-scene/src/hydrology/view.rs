//! Pictures of hydrology worlds. A picture consists of panels side by side: one for each variant of
//! the parameters (each `[[way]]` of the scene) and each view.

use super::{HydrologyScene, HydrologyWorld, Panel};
use crate::picture::{Painter, Picture, Scenery, Style, View, arrange_panels, draw_water_map};
use headwater::Field;
use headwater::InputError;
use headwater::hydrology::Hydrology;
use std::borrow::Cow;

/// Painter of the pictures of a hydrology run. The colour scales are fixed at the start of the run
/// so that pictures of different times can be compared.
pub struct PanelPainter {
    show: Vec<Panel>,
    painters: Vec<Painter>,
    /// One picture of the initial state for each variant of the parameters. Empty if no panel shows
    /// the initial state.
    initial_pictures: Vec<Picture>,
    /// Width of one panel (pixels).
    width: u32,
    gap: u32,
}

/// Drainage area (cells) of a stream that is drawn with half the maximum brightness.
const HALF_BRIGHTNESS_CELLS: f32 = 100.0;

struct RenderInput {
    bed: Field<f32>,
    depth: Field<f32>,
    stream: Field<f32>,
    scenery: Scenery,
    label: String,
}

impl RenderInput {
    fn from_land(land: &Hydrology) -> Self {
        let lattice = land.lattice();
        let cell = lattice.cell_area() as f32;
        let layer = |name: &str| {
            land.layer(name)
                .map_or_else(|| Field::new(lattice.nx(), lattice.ny(), 0.0), Cow::into_owned)
        };
        Self {
            bed: layer("bed"),
            depth: Scenery::visible_lake_depth(land),
            stream: layer("discharge").map(|&area| area / (area + HALF_BRIGHTNESS_CELLS * cell)),
            scenery: Scenery::from_hydrology(land),
            label: format!("{:.1} drops per cell", land.time()),
        }
    }

    fn view(&self, land: &Hydrology) -> View<'_> {
        View {
            scenery: Some(&self.scenery),
            label: Some(&self.label),
            ..View::new(*land.lattice(), &self.bed, &self.depth)
        }
    }
}

/// Draws a shaded relief of eroded land. Heights in `land` are relative to `datum`, an elevation
/// above sea level (m).
pub(crate) fn paint_relief(
    land: &Hydrology,
    datum: f64,
    style: &Style,
) -> Result<Picture, InputError> {
    let seen = RenderInput::from_land(land);
    let view = View { datum, ..seen.view(land) };
    Ok(Painter::new(style.clone(), &view)?.paint(&view))
}

impl PanelPainter {
    pub(super) fn new(scene: &HydrologyScene, world: &HydrologyWorld) -> Result<Self, InputError> {
        let (show, count) = (&scene.panels.show, world.variants.len());
        let columns = if count > 1 { count } else { show.len() } as u32;
        let style = &scene.picture;
        let gap = if columns > 1 || show.len() > 1 { style.width.div_ceil(240) } else { 0 };
        // The gap is widened until panels and gaps add up to the width of the picture.
        let gap = (0..columns)
            .map(|more| gap + more)
            .find(|gap| style.width.saturating_sub((columns - 1) * gap).is_multiple_of(columns))
            .unwrap_or(gap);
        let width = (style.width.saturating_sub((columns - 1) * gap) / columns).max(16);
        let each = Style { width, ..style.clone() };
        let mut painters = Vec::new();
        for variant in &world.variants {
            let seen = RenderInput::from_land(&variant.land);
            painters.push(Painter::new(each.clone(), &seen.view(&variant.land))?);
        }
        let mut initial_pictures = Vec::new();
        if show.contains(&Panel::Before) {
            for (variant, painter) in world.variants.iter().zip(&mut painters) {
                initial_pictures.push(
                    painter.paint(&RenderInput::from_land(&variant.land).view(&variant.land)),
                );
            }
        }
        Ok(Self { show: show.clone(), painters, initial_pictures, width, gap })
    }

    pub(super) fn paint(&mut self, world: &HydrologyWorld) -> Picture {
        let mut columns = Vec::new();
        for (i, variant) in world.variants.iter().enumerate() {
            let seen = RenderInput::from_land(&variant.land);
            let view = seen.view(&variant.land);
            let panels = self.show.iter().map(|panel| match panel {
                Panel::Before => self.initial_pictures[i].clone(),
                Panel::Relief => self.painters[i].paint(&view),
                Panel::Map => draw_water_map(&view, &seen.stream, self.width),
            });
            columns.push((variant.name.as_str(), panels.collect::<Vec<_>>()));
        }
        // With a single variant, the panels are side by side. With several variants, each variant
        // has a column of panels.
        if let [(name, panels)] = &mut columns[..] {
            let name = *name;
            columns = std::mem::take(panels).into_iter().map(|panel| (name, vec![panel])).collect();
        }
        arrange_panels(self.gap, &columns)
    }
}
