//! Terrain: from seeded noise, simple shapes or a raster file.
