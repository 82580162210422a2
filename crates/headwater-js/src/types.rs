//! TypeScript declarations of the arguments and results of the module's functions.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A value of a scene. */
export type Value = boolean | number | string | Value[] | { [key: string]: Value };

/** Source of a world: either `library` or `text`. */
export interface Description {
  /** Name of a built-in scene. */
  library?: string;
  /** Text of a scene in TOML. */
  text?: string;
  /** Name of the text in messages. */
  name?: string;
  /** Files that the text refers to. */
  files?: Record<string, Uint8Array>;
  /** Overrides of scene values, by key: `{ "grid.nx": 512 }`. */
  set?: Record<string, Value>;
}

/** The type of all thrown errors. */
export interface HeadwaterError extends Error {
  name: "HeadwaterError";
  /** Kind of error. */
  fault: "scene" | "input" | "snapshot" | "broken" | "busy" | "destroyed";
  /** Key or description of the faulty value, if there is one. */
  key?: string;
  /** Value found. */
  found?: string;
  /** Allowed values, with unit. */
  allowed?: string;
}

/** Metres from the top-left corner, the second one downwards; in blocks, cells. */
export type Point = [number, number];

/** A place, and how an edit fades towards its rim. Lengths are in metres; in blocks, in cells. */
export type Place = (
  | { disc: { center: Point; radius: number } }
  | { rect: { min: Point; max: Point } }
  | { line: { points: Point[]; width: number } }
  | { polygon: Point[] }
  | { everywhere: true }
) & { falloff?: "flat" | "linear" | "smooth" };

/** The grid of a world. */
export interface Grid {
  /** Columns. */
  nx: number;
  /** Rows; row 0 is the northern one, or the top one. */
  ny: number;
  /** Distance between columns and between rows (m; in blocks, 1). */
  cell: [number, number];
  lattice: "square" | "hex";
}

/** Progress of an advance. */
export interface Progress {
  /** Simulated time. */
  time: number;
  /** Steps since the world's start. */
  steps: number;
  /** Completed fraction, 0 to 1. */
  part: number;
}

/** Result of an advance. */
export interface AdvanceOutcome {
  /** Steps done. */
  steps: number;
  /** Simulated time now. */
  time: number;
  /** True if it was completed, false if it was stopped. */
  done: boolean;
}

/** Callback that is called every few steps of an advance; only `false` stops it. */
export type ProgressCallback = (at: Progress) => boolean | void;

/** An edit, as accepted by `edit`. */
export interface Edit {
  name: string;
  /** Meaning of the amount. */
  meaning: string;
  /** Unit of the amount. */
  unit: string;
  /** Smallest and largest amount. */
  allowed: [number, number];
}

/** A value that can be changed while the world runs. */
export interface Parameter {
  key: string;
  /** `true` or `false` for a switch. */
  value: number | boolean;
  unit: string;
  allowed: [number, number];
  /** Suggested range of a slider. */
  usual: [number, number];
  label: string;
  doc: string;
  kind: "number" | "whole" | "switch";
}

/** A body. */
export interface Body {
  /** Centre (m). */
  position: Point;
  /** Length and width, or in side view width and height (m). */
  size: [number, number];
  /** Direction (radians, clockwise from the east); 0 by default. */
  heading?: number;
  /** Velocity (m/s); 0 by default. */
  velocity?: [number, number];
  /** Depth in the water (m); 0.1 by default. */
  draft?: number;
}

/** A layer: `ny` rows of `nx` values. */
export interface Layer {
  name: string;
  unit: string;
  meaning: string;
  /** Rows and columns. */
  shape: [number, number];
  type: "float32";
}

/** A rectangle of cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`. */
export interface Tile {
  x: number;
  y: number;
  nx: number;
  ny: number;
}

/** A point in time for `changed`. */
export type Stamp = [number, number];

/** A value at a point. */
export interface Sample {
  name: string;
  value: number;
  unit: string;
  /** Name of the value, for codes. */
  word?: string;
}

/** Measurements of a gauge: for each quantity, such as `depth_m`, a value per time. */
export interface Gauge {
  name: string;
  times: Float64Array;
  values: Record<string, Float64Array>;
}

/** Water balance. */
export interface Ledger {
  /** Unit of the volumes: m³, or in blocks cells. */
  unit: string;
  start: number;
  /** Inflow by cause. */
  came: Record<string, number>;
  /** Outflow by cause. */
  went: Record<string, number>;
  now: number;
  residual: number;
  /** Residual divided by the volume at the start and all inflow; not finite if that is 0. */
  residualRelative: number;
  /** Net inflow that is part of `came` and `went` but, below the resolution of depths, not of `now`. */
  rounding: number;
}
"#;
