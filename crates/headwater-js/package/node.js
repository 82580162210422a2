// The package for Node.js: reads the module from the disk, so it is ready once imported.

import { readFile } from "node:fs/promises";
import init from "./headwater.js";

const ready = init({ module_or_path: await readFile(new URL("./headwater_bg.wasm", import.meta.url)) });
await ready;

export * from "./headwater.js";
export default () => ready;
