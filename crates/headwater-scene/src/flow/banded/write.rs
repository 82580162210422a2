//! Layers of a world in bands, written band by band.

use super::bits::Bits;
use crate::flow::FlowScene;
use crate::flow::layers::as_written;
use crate::raster::{self, Georeference};
use crate::run::Moment;
use crate::scene::{LayerFormat, Tables};
use headwater::Lattice;
use headwater::flow::{Banded, View};
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// About how many bytes are taken to gather rows of a layer for the files of a store, and to compress them.
pub(super) fn gathered(scene: &FlowScene, lattice: &Lattice) -> usize {
    let output = scene.common().output;
    // Only a store needs to know.
    #[cfg(not(feature = "zarr"))]
    let _ = lattice;
    match output.layer_format {
        #[cfg(feature = "zarr")]
        LayerFormat::Zarr if !output.layers.is_empty() => {
            let shape = [lattice.nx(), lattice.ny()];
            3 * size_of::<f32>() * raster::zarr::rows_of_files(shape) * lattice.nx()
        }
        _ => 0,
    }
}

/// What a world in bands knows of its ground beside its height.
pub(super) struct Ground {
    /// The height at which the bed is 0 (m).
    pub(super) datum: f64,
    /// Where the world lies on a map, if it is known.
    pub(super) georeference: Option<Georeference>,
    /// The cells without data, if there are any.
    pub(super) void: Option<Bits>,
}

/// Writes a layer: heights count from a datum (m), and NaN stands where there are no data.
///
/// # Errors
/// Says in words why it cannot be written.
pub(super) fn layer(
    world: &mut Banded,
    scene: &FlowScene,
    name: &'static str,
    ground: &Ground,
    moment: &Moment<'_>,
    path: &Path,
) -> Result<(), String> {
    let lattice = *world.lattice();
    let shape = [lattice.nx(), lattice.ny()];
    let view = View::named(name).ok_or_else(|| format!("there is no layer `{name}`"))?;
    let dry = world.params().dry_depth;
    let mut bands = |with: &mut dyn FnMut(&[f32]) -> io::Result<()>| -> io::Result<()> {
        let mut y = 0;
        while y < shape[1] {
            let (mut field, end) = world.look(y, |band| {
                let field = Cow::Owned(band.layer(view));
                let deepest = || Cow::Owned(band.layer(View::MaxDepth));
                (
                    as_written(name, field, [ground.datum, dry], deepest).into_owned(),
                    band.rows().end,
                )
            })?;
            if let Some(void) = &ground.void {
                for (row, y) in (y..end).enumerate() {
                    let values = field.row_mut(row).iter_mut().enumerate();
                    values
                        .filter(|(x, _)| void.get(*x, y))
                        .for_each(|(_, value)| *value = f32::NAN);
                }
            }
            with(field.as_slice())?;
            y = end;
        }
        Ok(())
    };
    let written = match scene.common().output.layer_format {
        #[cfg(feature = "zarr")]
        LayerFormat::Zarr => {
            let axes = raster::zarr::Axes {
                times: moment.times,
                time_unit: scene.clock().unit.trim(),
                shape,
                cell: [lattice.dx(), lattice.dy()],
                georeference: ground.georeference.as_ref(),
            };
            let count = raster::zarr::rows_of_files(shape) * shape[0];
            raster::zarr::write_rows(path, &axes, view.layer(), moment.number, |put| {
                let mut waiting: Vec<f32> = Vec::with_capacity(count);
                bands(&mut |mut values| {
                    while !values.is_empty() {
                        let room = (count - waiting.len()).min(values.len());
                        waiting.extend_from_slice(&values[..room]);
                        values = &values[room..];
                        if waiting.len() == count {
                            put(&waiting)?;
                            waiting.clear();
                        }
                    }
                    Ok(())
                })?;
                if waiting.is_empty() { Ok(()) } else { put(&waiting) }
            })
        }
        #[cfg(not(feature = "zarr"))]
        LayerFormat::Zarr => {
            let _ = moment;
            return Err("this program was built without Zarr".into());
        }
        _ => raster::write_npy_rows(path, shape, |put| bands(put)),
    };
    written.map_err(|error| error.to_string())
}
