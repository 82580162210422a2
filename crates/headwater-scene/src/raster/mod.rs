//! Elevation rasters: PNG, GeoTIFF, ESRI ASCII, NPY and raw R16 in; NPY and GeoTIFF out.
