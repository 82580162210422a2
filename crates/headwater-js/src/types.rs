//! TypeScript declarations of the arguments and results of the module's functions.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A value of a scene. */
export type Value = boolean | number | string | Value[] | { [key: string]: Value };

/** Description of the world to create. Either `library` or `text` must be given. */
export interface Description {
  /** Name of a built-in scene. */
  library?: string;
  /** Scene as a string in TOML format. */
  text?: string;
  /** Name by which messages refer to the scene in `text`. */
  name?: string;
  /** Files that the scene in `text` refers to, by name. */
  files?: Record<string, Uint8Array>;
  /** Overrides of scene values, by key, for example `{ "grid.nx": 512 }`. */
  set?: Record<string, Value>;
}

/** Type of all errors that the module throws. */
export interface HeadwaterError extends Error {
  name: "HeadwaterError";
  /** Kind of error. */
  fault: "scene" | "input" | "snapshot" | "broken" | "busy" | "destroyed";
  /** Key of the invalid value, or a description of the invalid input. */
  key?: string;
  /** Invalid value that was found. */
  found?: string;
  /** Description of the allowed values, with their unit. */
  allowed?: string;
}

/** Distances to the east and downward from the top-left corner (m; in blocks, cells). */
export type Point = [number, number];

/**
 * Area to which an edit, spring or drain applies. Lengths are in metres; in blocks, in cells.
 * `falloff` defines how the effect of an edit decreases toward the rim; the default is `flat`.
 */
export type Place = (
  | { disc: { center: Point; radius: number } }
  | { rect: { min: Point; max: Point } }
  | { line: { points: Point[]; width: number } }
  | { polygon: Point[] }
  | { everywhere: true }
) & { falloff?: "flat" | "linear" | "smooth" };

/** Size and shape of a world's grid of cells. */
export interface Grid {
  /** Number of columns. */
  nx: number;
  /** Number of rows; row 0 is the northernmost or top row. */
  ny: number;
  /** Distance between the centres of adjacent columns and of adjacent rows (m; in blocks, 1). */
  cell: [number, number];
  /** Shape of the cells. */
  lattice: "square" | "hex";
}

/** Progress of a call of `advance` or `step`. */
export interface Progress {
  /** Simulated time. */
  time: number;
  /** Number of time steps since the start of the world. */
  steps: number;
  /** Completed fraction of the call, 0 to 1. */
  part: number;
}

/** Result of a call of `advance` or `step`. */
export interface AdvanceOutcome {
  /** Number of time steps performed. */
  steps: number;
  /** Simulated time at the end of the call. */
  time: number;
  /** True if the call performed all its steps, false if the callback stopped it. */
  done: boolean;
}

/** Callback that `advance` and `step` call every few steps. If it returns `false`, the call ends. */
export type ProgressCallback = (at: Progress) => boolean | void;

/** Kind of edit that the method `edit` accepts. */
export interface Edit {
  name: string;
  /** Meaning of the amount that is passed with the edit. */
  meaning: string;
  /** Unit of the amount; empty if the edit ignores the amount. */
  unit: string;
  /** Smallest and largest allowed amount. */
  allowed: [number, number];
}

/** Parameter that can be changed while the world runs. */
export interface Parameter {
  /** Key of the parameter in the scene, for example `physics.manning`. */
  key: string;
  /** Current value: `true` or `false` for a switch, otherwise a number. */
  value: number | boolean;
  /** Unit of the value; empty if the value is dimensionless. */
  unit: string;
  /** Smallest and largest allowed value. */
  allowed: [number, number];
  /** Smallest and largest useful value, for the range of a slider. */
  usual: [number, number];
  /** Short label of the parameter in user interfaces. */
  label: string;
  /** Description of the parameter in a few sentences. */
  doc: string;
  /** Type of the value; `whole` is an integer, and `switch` is a boolean. */
  kind: "number" | "whole" | "switch";
}

/** State of a floating body. */
export interface Body {
  /** Position of the centre (m from the top-left corner). */
  position: Point;
  /** Length and width of the body (m); in models in side view, width and height. */
  size: [number, number];
  /** Direction of the body's length axis (radians, clockwise from east); 0 by default. */
  heading?: number;
  /** Velocity to the east and to the south (m/s); 0 by default. */
  velocity?: [number, number];
  /** Depth of the body's lowest point below the water surface (m); 0.1 by default. */
  draft?: number;
}

/** Description of a layer: a field with a value for each cell. */
export interface Layer {
  name: string;
  /** Unit of the layer's values. */
  unit: string;
  /** Description of the layer's values. */
  meaning: string;
  /** Numbers of rows and columns. */
  shape: [number, number];
  type: "float32";
}

/** Rectangle of cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`. */
export interface Tile {
  x: number;
  y: number;
  nx: number;
  ny: number;
}

/** Point in the change history of a world, for queries of later changes by `changed`. */
export type Stamp = [number, number];

/** Value of a layer or of another quantity at a point. */
export interface Sample {
  name: string;
  value: number;
  unit: string;
  /**
   * Name of the category that the value stands for, such as the kind of a liquid; undefined if the
   * quantity has no categories.
   */
  word?: string;
}

/** Readings of a gauge. */
export interface Gauge {
  name: string;
  /** Simulated times of the readings. */
  times: Float64Array;
  /** For each measured quantity, such as `depth_m`, the values at these times. */
  values: Record<string, Float64Array>;
}

/** Mass balance of the water in a world. */
export interface Ledger {
  /** Unit of the volumes: m³, or in blocks, cells. */
  unit: string;
  /** Volume of water at the start. */
  start: number;
  /** Volume that flowed in, by cause. */
  came: Record<string, number>;
  /** Volume that flowed out, by cause. */
  went: Record<string, number>;
  /** Current volume of water. */
  now: number;
  /** Volume error: current volume minus the volume expected from the inflow and outflow. */
  residual: number;
  /**
   * Volume error divided by the sum of the initial volume and the total inflow; not finite if this
   * sum is 0.
   */
  residualRelative: number;
  /** Net inflow that is part of `came` and `went` but, below the resolution of depths, not of `now`. */
  rounding: number;
}
"#;
