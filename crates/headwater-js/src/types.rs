//! Types of what is given and taken, for TypeScript.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A value of a scene. */
export type Value = boolean | number | string | Value[] | { [key: string]: Value };

/** What a world is made of: one of `library` and `text`. */
export interface Description {
  /** The name of a scene of the library. */
  library?: string;
  /** A scene's text in TOML. */
  text?: string;
  /** What the text is called in messages. */
  name?: string;
  /** Files that the text names. */
  files?: Record<string, Uint8Array>;
  /** Values laid over the scene, by key: `{ "grid.nx": 512 }`. */
  set?: Record<string, Value>;
}

/** What is thrown. */
export interface HeadwaterError extends Error {
  name: "HeadwaterError";
  /** What kind of thing is wrong. */
  fault: "scene" | "input" | "snapshot" | "broken" | "busy" | "destroyed";
  /** The key, or the thing in words, if one is to blame. */
  key?: string;
  /** What was found. */
  found?: string;
  /** What is allowed, with its unit. */
  allowed?: string;
}

/** Metres from the top-left corner, the second one downward; of blocks, cells. */
export type Point = [number, number];

/** A place, and how what is done there fades towards its rim. Lengths are metres; of blocks, cells. */
export type Place = (
  | { disc: { center: Point; radius: number } }
  | { rect: { min: Point; max: Point } }
  | { line: { points: Point[]; width: number } }
  | { polygon: Point[] }
  | { everywhere: true }
) & { falloff?: "flat" | "linear" | "smooth" };

/** The cells of a world. */
export interface Grid {
  /** Columns. */
  nx: number;
  /** Rows; row 0 is the northern one, or the top one. */
  ny: number;
  /** Distance of columns and of rows (m; of blocks, 1). */
  cell: [number, number];
  lattice: "square" | "hex";
}

/** How far an advance is. */
export interface Progress {
  /** Simulated time. */
  time: number;
  /** Steps since the world's start. */
  steps: number;
  /** The part that is done, 0 to 1. */
  part: number;
}

/** What came of an advance. */
export interface Arrived {
  /** Steps done. */
  steps: number;
  /** Simulated time now. */
  time: number;
  /** Whether it came to its end, and was not stopped. */
  done: boolean;
}

/** Is told every few steps how far an advance is; `false`, and nothing else, stops it. */
export type GoesOn = (at: Progress) => boolean | void;

/** Something that `edit` can do. */
export interface Edit {
  name: string;
  /** What its amount is. */
  meaning: string;
  /** The amount's unit. */
  unit: string;
  /** The least and the greatest amount. */
  allowed: [number, number];
}

/** A value that can be changed while the world runs. */
export interface Parameter {
  key: string;
  /** Of a switch, `true` or `false`. */
    value: number | boolean;
  unit: string;
  allowed: [number, number];
  /** What a slider should cover. */
  usual: [number, number];
  label: string;
  doc: string;
  kind: "number" | "whole" | "switch";
}

/** A body. */
export interface Body {
  /** Its middle (m). */
  position: Point;
  /** Length and width, or in side view width and height (m). */
  size: [number, number];
  /** Where it points (radians, clockwise from the east); 0 if it is left out. */
  heading?: number;
  /** How fast it goes (m/s); still if it is left out. */
  velocity?: [number, number];
  /** How deep it lies in the water (m); 0.1 if it is left out. */
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

/** Cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`. */
export interface Tile {
  x: number;
  y: number;
  nx: number;
  ny: number;
}

/** A moment to ask what has changed since. */
export type Stamp = [number, number];

/** What is at a point. */
export interface Sample {
  name: string;
  value: number;
  unit: string;
  /** What it is in a word, where a number says little. */
  word?: string;
}

/** What a gauge has measured: for each head, such as `depth_m`, a value for each time. */
export interface Gauge {
  name: string;
  times: Float64Array;
  values: Record<string, Float64Array>;
}

/** The books of water. */
export interface Ledger {
  /** Of the volumes: m³, or of blocks cells. */
  unit: string;
  start: number;
  /** What came, by cause. */
  came: Record<string, number>;
  /** What went, by cause. */
  went: Record<string, number>;
  now: number;
  residual: number;
  /** The residual over the volume handled. */
  residualRelative: number;
}
"#;
