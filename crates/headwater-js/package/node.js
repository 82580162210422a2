// Package for Node.js. It reads the module from disk, so the package is ready for use as soon as it
// is imported.

import { readFile } from "node:fs/promises";
import init from "./headwater.js";

const ready = init({ module_or_path: await readFile(new URL("./headwater_bg.wasm", import.meta.url)) });
await ready;

export * from "./headwater.js";
export default () => ready;
