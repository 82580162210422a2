//! Methods that read the layers of a world, the tiles that have changed, and the values at a point.

use super::error::FacadeError;
use super::facade::Facade;
use crate::run::ProbeValue;
use headwater::changes::{Stamp, Tile};
use headwater::layer::Reach;
use headwater::{Field, InputError, Layer, Point};
use std::borrow::Cow;

impl Facade {
    /// Returns descriptions of the model's layers: their names, units and meanings. Every layer has
    /// `ny` rows of `nx` values (`f32`). Row 0 is the northernmost one, or the topmost one in a
    /// vertical section.
    pub fn layers(&self) -> &'static [Layer] {
        self.live.model().layers()
    }

    /// Returns the layer with the given name. Heights are relative to the scene's datum. The field
    /// is borrowed if the world stores it in this form; otherwise, it is computed.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the model has no layer with the given name.
    pub fn layer(&self, name: &str) -> Result<Cow<'_, Field<f32>>, FacadeError> {
        self.live.simulation().layer(name).ok_or_else(|| self.unknown_layer_error(name))
    }

    /// Copies the layer with the given name into a row-major array of `ny · nx` values. If `tiles`
    /// are given, computes and copies only the values in these tiles. Some layers, such as light,
    /// can change anywhere; they are computed as a whole in any case.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the model has no layer with the given name, or if the array has
    /// another length.
    pub fn read_layer(
        &self,
        name: &str,
        tiles: Option<&[Tile]>,
        values: &mut [f32],
    ) -> Result<(), FacadeError> {
        self.find_layer(name)?;
        let [nx, ny] = self.live.model().grid_size();
        if values.len() != nx * ny {
            let allowed = format!("{} values, {ny} rows of {nx}", nx * ny);
            return Err(FacadeError::invalid_argument(
                "an array for a layer",
                values.len(),
                allowed,
            ));
        }
        let all = [Tile::all([nx, ny])];
        Ok(self.live.simulation().read_layer(name, tiles.unwrap_or(&all), values)?)
    }

    /// Returns the tiles in which a layer may have changed since an earlier call, and a stamp that
    /// identifies the current state. `since` is the stamp from that earlier call, or `[0, 0]` for
    /// all changes since the start.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the model has no layer with the given name.
    pub fn changed(
        &self,
        name: &str,
        since: [u64; 2],
    ) -> Result<(Vec<Tile>, [u64; 2]), FacadeError> {
        let reach = self.find_layer(name)?.reach;
        let grid = self.live.model().grid_size();
        let changes = self.live.model().changed_since(Stamp::from_numbers(since));
        let tiles = match reach {
            Reach::Anywhere => vec![Tile::all(grid)],
            near => changes.tiles.into_iter().map(|tile| near.expand_tile(tile, grid)).collect(),
        };
        Ok((tiles, changes.stamp.to_numbers()))
    }

    /// Returns the values of all quantities in the cell that contains a point. Returns an empty
    /// list if the point is outside the grid.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if a coordinate is not finite.
    pub fn at(&self, point: Point) -> Result<Vec<ProbeValue>, FacadeError> {
        check_point(point)?;
        Ok(self.live.probe(point))
    }

    /// Writes the values of a layer at many points to `values`. Heights are relative to the scene's
    /// datum. A value is NaN at points outside the grid.
    ///
    /// In the model `flow`, values are interpolated between cells, and the layer `surface` is also
    /// NaN at dry points. The supported layers are `bed`, `depth`, `surface`, `velocity_x`,
    /// `velocity_y`, `speed` and `foam`. In the other models, values are those of
    /// [`sample_at`](headwater::Model::sample_at).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the layer is unknown or not supported, if a coordinate is not
    /// finite, or if `points` and `values` differ in length.
    pub fn sample_many(
        &self,
        name: &str,
        points: &[Point],
        values: &mut [f32],
    ) -> Result<(), FacadeError> {
        self.find_layer(name)?;
        points.iter().try_for_each(|&point| check_point(point))?;
        Ok(self.live.simulation().sample_many(name, points, values)?)
    }

    fn find_layer(&self, name: &str) -> Result<&'static Layer, FacadeError> {
        let known = self.layers().iter().find(|layer| layer.name == name);
        known.ok_or_else(|| self.unknown_layer_error(name))
    }

    fn unknown_layer_error(&self, name: &str) -> FacadeError {
        let names: Vec<_> = self.layers().iter().map(|layer| layer.name).collect();
        FacadeError::invalid_argument("a layer", format!("\"{name}\""), names.join(", "))
    }
}

fn check_point([x, y]: Point) -> Result<(), InputError> {
    if x.is_finite() && y.is_finite() {
        return Ok(());
    }
    Err(InputError::new("a point", format!("[{x}, {y}]"), "two finite numbers"))
}
