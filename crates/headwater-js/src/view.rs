//! Methods of [`World`] that return layers, values at points, gauges and the ledger.

use crate::error::{input_error, to_js_error};
use crate::object::{create_array, create_object, create_object_from, create_pair};
use crate::place::{parse_number, parse_point, property};
use crate::value::to_text;
use crate::world::World;
use headwater::changes::Tile;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::js_sys::{Array, Float32Array, Float64Array};

fn parse_tile(object: &JsValue) -> Result<Tile, JsValue> {
    let count = |name| {
        let value = parse_number(&property(object, name), name)?;
        if value < 0.0 || value.fract() != 0.0 {
            return Err(input_error(name, &value.to_string(), "a whole number from 0"));
        }
        Ok(value as usize)
    };
    Ok(Tile { x: count("x")?, y: count("y")?, nx: count("nx")?, ny: count("ny")? })
}

#[wasm_bindgen]
impl World {
    /// Returns descriptions of the layers that the model can output: name, unit, meaning and shape.
    #[wasm_bindgen(unchecked_return_type = "Layer[]")]
    pub fn layers(&self) -> Result<JsValue, JsValue> {
        let facade = self.facade()?;
        let grid = facade.grid();
        Ok(create_array(facade.layers().iter().map(|one| {
            create_object([
                ("name", one.name.into()),
                ("unit", one.unit.into()),
                ("meaning", one.meaning.into()),
                ("shape", create_pair([grid.ny as f64, grid.nx as f64])),
                ("type", "float32".into()),
            ])
        })))
    }

    /// Returns a copy of the values of a layer, row by row from the top.
    #[wasm_bindgen(unchecked_return_type = "Float32Array<ArrayBuffer>")]
    pub fn layer(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
    ) -> Result<Float32Array, JsValue> {
        let name = to_text(name, "name")?;
        self.with_facade(|facade| Ok(Float32Array::from(facade.layer(&name)?.as_slice())))
    }

    /// Copies the values of a layer to a typed array of the caller. If `tiles` is given, only the
    /// values in these tiles are copied.
    #[wasm_bindgen(js_name = readLayer)]
    pub fn read_layer(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Float32Array")] into: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Tile[]")] tiles: &JsValue,
    ) -> Result<(), JsValue> {
        let name = to_text(name, "name")?;
        // Arguments are read before the world is borrowed. Otherwise an exception in a property
        // getter would leave the world borrowed.
        let tiles = match tiles {
            none if none.is_undefined() || none.is_null() => None,
            tiles if Array::is_array(tiles) => {
                let tiles = Array::from(tiles);
                Some(
                    tiles
                        .iter()
                        .map(|tile| self::parse_tile(&tile))
                        .collect::<Result<Vec<_>, _>>()?,
                )
            }
            _ => return Err(input_error("tiles", "no list", "a list of tiles")),
        };
        let facade = self.facade()?;
        let grid = facade.grid();
        let (nx, ny) = (grid.nx, grid.ny);
        let allowed = format!("a Float32Array of {} values", nx * ny);
        let refuse = |found: &str| input_error("an array for a layer", found, &allowed);
        let into = into.dyn_ref::<Float32Array>().ok_or_else(|| refuse("something else"))?;
        if into.length() as usize != nx * ny {
            return Err(refuse(&into.length().to_string()));
        }
        let Some(tiles) = tiles else {
            into.copy_from(facade.layer(&name).map_err(to_js_error)?.as_slice());
            return Ok(());
        };
        let mut values = vec![0.0; nx * ny];
        facade.read_layer(&name, Some(&tiles), &mut values).map_err(to_js_error)?;
        for tile in tiles {
            let tile = tile.expanded(0, [nx, ny]);
            for y in tile.y..tile.y + tile.ny {
                let (begin, end) = (y * nx + tile.x, y * nx + tile.x + tile.nx);
                into.subarray(begin as u32, end as u32).copy_from(&values[begin..end]);
            }
        }
        Ok(())
    }

    /// Returns the tiles in which a layer may have changed since a stamp, together with the stamp
    /// for the next call. Stamps are results of earlier calls; without a stamp, all tiles are
    /// returned.
    #[wasm_bindgen(unchecked_return_type = "{ tiles: Tile[]; stamp: Stamp }")]
    pub fn changed(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Stamp")] since: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let name = to_text(name, "name")?;
        let since = if since.is_undefined() { [0.0; 2] } else { parse_point(since, "since")? };
        let (tiles, stamp) =
            self.with_facade(|facade| facade.changed(&name, since.map(|n| n as u64)))?;
        let tiles = tiles.iter().map(|tile| {
            let parts = [("x", tile.x), ("y", tile.y), ("nx", tile.nx), ("ny", tile.ny)];
            create_object(parts.map(|(name, value)| (name, (value as f64).into())))
        });
        Ok(create_object([
            ("tiles", create_array(tiles)),
            ("stamp", create_pair(stamp.map(|n| n as f64))),
        ]))
    }

    /// Returns the values of layers and other quantities at a point. Its coordinates are distances
    /// from the top-left corner (m; in blocks, cells). The result is empty if the point is off the
    /// grid.
    #[wasm_bindgen(unchecked_return_type = "Sample[]")]
    pub fn at(&self, x: f64, y: f64) -> Result<JsValue, JsValue> {
        Ok(create_array(self.with_facade(|facade| facade.at([x, y]))?.into_iter().map(|one| {
            create_object([
                ("name", one.name.into()),
                ("value", one.value.into()),
                ("unit", one.unit.into()),
                ("word", one.category.map_or(JsValue::UNDEFINED, JsValue::from)),
            ])
        })))
    }

    /// Returns the values of a layer at many points. `points` holds two coordinates per point,
    /// measured from the top-left corner (m; in blocks, cells). A value is NaN if the point is off
    /// the grid, or if the layer has no value there, such as `surface` on dry ground.
    #[wasm_bindgen(
        js_name = sampleMany,
        unchecked_return_type = "Float32Array<ArrayBuffer>"
    )]
    pub fn sample_many(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Float64Array")] points: &JsValue,
    ) -> Result<Float32Array, JsValue> {
        let name = to_text(name, "name")?;
        let refuse =
            |found: &str| input_error("points", found, "a Float64Array with two numbers per point");
        let points = points.dyn_ref::<Float64Array>().ok_or_else(|| refuse("something else"))?;
        if !points.length().is_multiple_of(2) {
            return Err(refuse(&format!("{} numbers", points.length())));
        }
        let points: Vec<_> =
            points.to_vec().chunks_exact(2).map(|point| [point[0], point[1]]).collect();
        let mut values = vec![0.0; points.len()];
        self.with_facade(|facade| facade.sample_many(&name, &points, &mut values))?;
        Ok(Float32Array::from(values.as_slice()))
    }

    /// Returns the readings of all gauges, with the times and the names of the measured quantities.
    #[wasm_bindgen(unchecked_return_type = "Gauge[]")]
    pub fn gauges(&self) -> Result<JsValue, JsValue> {
        Ok(create_array(self.facade()?.gauges().iter().map(|one| {
            let values = one.column_names.iter().zip(&one.values);
            let values = values.map(|(head, values)| {
                ((*head).to_owned(), Float64Array::from(values.as_slice()).into())
            });
            create_object([
                ("name", one.name.as_str().into()),
                ("times", Float64Array::from(one.times.as_slice()).into()),
                ("values", create_object_from(values)),
            ])
        })))
    }

    /// Returns the mass balance of the water: the current volume, and inflow and outflow by cause.
    #[wasm_bindgen(unchecked_return_type = "Ledger")]
    pub fn ledger(&self) -> Result<JsValue, JsValue> {
        let found = self.facade()?.ledger();
        let entry = |(cause, volume): (&str, f64)| (cause.to_owned(), volume.into());
        Ok(create_object([
            ("unit", found.unit.into()),
            ("start", found.start.into()),
            ("came", create_object_from(found.inflow.into_iter().map(entry))),
            ("went", create_object_from(found.outflow.into_iter().map(entry))),
            ("now", found.now.into()),
            ("residual", found.residual.into()),
            ("residualRelative", found.residual_relative.into()),
            ("rounding", found.rounding.into()),
        ]))
    }
}
