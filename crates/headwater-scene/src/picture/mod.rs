//! Pictures of a water world: shaded relief, water, arrows, particles; PNG frames and animated GIF.
