// Child process of `cargo xtask binding-speed`: `node speed.mjs SCENE package|bare SECONDS`. For
// each line on stdin, it advances its world and prints the duration (ms), the number of steps, and
// the time needed to read a layer (ms).

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { BareFlow, World } = await import(pathToFileURL(`${process.env.HEADWATER_PACKAGE}/node.js`));
const [scene, side, seconds] = process.argv.slice(2);
const text = readFileSync(scene, "utf8");
const world = side === "bare" ? BareFlow.create(text) : World.create({ text });
const depth = side === "bare" ? null : world.layer("depth");

for await (const _ of createInterface({ input: process.stdin })) {
  let begun = performance.now();
  const advanced = world.advance(Number(seconds));
  const took = performance.now() - begun;
  begun = performance.now();
  if (depth) world.readLayer("depth", depth);
  const layer = performance.now() - begun;
  console.log(JSON.stringify({ took, steps: advanced.steps ?? advanced, layer }));
}
