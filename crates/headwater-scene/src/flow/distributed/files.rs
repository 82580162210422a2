//! Output files of a [`DistributedRun`]. Each process writes its own rows into shared files. The
//! first process also writes file headers and pictures.

use super::command::Command;
#[cfg(feature = "zarr")]
use super::layer::rows_in_whole_files;
use super::overview::Overview;
use super::run::DistributedRun;
use crate::picture::{Painter, Style, View, write_png};
use crate::raster;
use crate::run::{FLOOD_PICTURE_FILE, OutputTime, intermediate_file_name};
use crate::scene::{LayerFormat, SceneModel};
use std::path::{Path, PathBuf};

impl DistributedRun {
    /// Writes a picture of the maximum water depths, and returns the path of the file.
    pub(super) fn write_flood(&mut self, folder: &Path) -> Result<PathBuf, String> {
        let text_of = |error: &dyn std::fmt::Display| error.to_string();
        // The flood picture shows neither current water nor velocity.
        let mut flood = self.overview.clone();
        // The first request also returns samples of the ground that have not been returned before.
        for samples_max_depth in [false, true] {
            let strips =
                self.sample(flood.step, samples_max_depth).map_err(|error| text_of(&error))?;
            if !flood.store_rows(strips) {
                return Err("the flood samples do not match the world".into());
            }
        }
        let Overview { lattice, bed, depth, closed, no_data, .. } = &flood;
        let view = View {
            closed: Some(closed),
            no_data: Some(no_data),
            structures: &self.structures,
            time: self.local.world.time(),
            datum: self.local.datum,
            ..View::new(lattice, bed, depth)
        };
        // A time label would show a moment, but the picture shows the whole run.
        let style = Style { time_label: false, ..self.local.scene.picture.clone() };
        let mut painter = Painter::new(style, &view).map_err(|error| text_of(&error))?;
        let path = folder.join(FLOOD_PICTURE_FILE);
        write_png(&path, &painter.paint(&view)).map_err(|error| text_of(&error))?;
        Ok(path)
    }

    /// Writes all requested layers at one output time. Returns the paths of the files.
    pub(super) fn write_layers_at(
        &mut self,
        folder: &Path,
        moment: &OutputTime<'_>,
    ) -> Result<Vec<PathBuf>, String> {
        let output = self.local.scene.common_tables().output.clone();
        let format = output.layer_format;
        let mut paths = Vec::new();
        for layer in &output.layers {
            let file = format.file_name(layer.name());
            let file = match &moment.stamp {
                // A Zarr store contains all times, so its name has no time stamp.
                Some(stamp) if format != LayerFormat::Zarr => intermediate_file_name(&file, stamp),
                _ => file,
            };
            let path = folder.join(file);
            match format {
                LayerFormat::Zarr => self.write_zarr(&path, layer.name(), moment)?,
                _ => self.write_raster(&path, layer.name(), format)?,
            }
            paths.push(path);
        }
        paths.dedup();
        Ok(paths)
    }

    /// Writes a layer as an NPY or GeoTIFF file. Each process writes its own rows.
    fn write_raster(&mut self, path: &Path, name: &str, format: LayerFormat) -> Result<(), String> {
        let lattice = *self.local.world.lattice();
        let (size, cell) = ([lattice.nx(), lattice.ny()], [lattice.dx(), lattice.dy()]);
        let georeference = self.georeference.clone();
        let mut fill = |file: &Path, start, no_data| {
            let (layer, path) = (name.to_owned(), file.to_owned());
            self.send_command(&Command::WriteNpy { layer, file: path, start, no_data })?;
            self.local.write_rows(name, file, start, no_data)
        };
        let written = if format == LayerFormat::Geotiff {
            // GeoTIFF has no code for some coordinate systems.
            let map = georeference.as_ref().filter(|map| map.has_geotiff_unit());
            let fill = |file: &Path, start, no_data| fill(file, start, Some(no_data));
            raster::write_geotiff_parallel(path, size, cell, map, fill)
        } else {
            raster::write_npy_parallel(path, size, |file, start| fill(file, start, None))
        };
        written.map_err(|error| error.to_string())
    }

    /// Writes a layer into a Zarr store. A store consists of many files; each process writes the
    /// files that lie entirely in its rows. The first process then gathers the rows of all other
    /// files and writes these files.
    #[cfg(feature = "zarr")]
    fn write_zarr(
        &mut self,
        path: &Path,
        name: &'static str,
        moment: &OutputTime<'_>,
    ) -> Result<(), String> {
        let lattice = *self.local.world.lattice();
        let shape = [lattice.nx(), lattice.ny()];
        let axes = raster::zarr::Axes {
            times: moment.times,
            time_unit: <crate::flow::FlowScene as SceneModel>::CLOCK.unit.trim(),
            shape,
            cell: [lattice.dx(), lattice.dy()],
            georeference: self.georeference.as_ref(),
        };
        let view = headwater::flow::View::from_name(name);
        let view = view.ok_or_else(|| format!("there is no layer `{name}`"))?;
        let slice = raster::zarr::LayerSlice::create(path, &axes, view.layer(), moment.number);
        let slice = slice.map_err(|error| error.to_string())?;
        let (layer, store, time) = (name.to_owned(), path.to_owned(), moment.number);
        let text_of = |error: &dyn std::fmt::Display| error.to_string();
        self.send_command(&Command::WriteZarr { layer, store, time })
            .map_err(|error| text_of(&error))?;
        self.local.write_zarr(name, path, time).map_err(|error| text_of(&error))?;
        let held = self.local.world.rows_of_ranks();
        let is_written =
            |y: usize| held.iter().any(|rows| rows_in_whole_files(&lattice, rows).contains(&y));
        let file = raster::zarr::rows_per_file(shape);
        for first in (0..shape[1]).step_by(file).filter(|first| !is_written(*first)) {
            let end = (first + file).min(shape[1]);
            let (layer, rows) = (name.to_owned(), first..end);
            let command = Command::LayerRows { layer, rows: rows.clone() };
            self.send_command(&command).map_err(|error| text_of(&error))?;
            let values = self.local.layer_rows(name, &rows).map_err(|error| text_of(&error))?;
            slice.write_rows(first, &values).map_err(|error| text_of(&error))?;
        }
        Ok(())
    }

    #[cfg(not(feature = "zarr"))]
    fn write_zarr(&mut self, _: &Path, _: &'static str, _: &OutputTime<'_>) -> Result<(), String> {
        Err("this program was built without Zarr".into())
    }
}
