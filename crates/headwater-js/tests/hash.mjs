// Prints the state hash of a scene in the format of `headwater hash --json`. Usage: `node hash.mjs
// SCENE STEPS`.

import { pathToFileURL } from "node:url";

const { World } = await import(pathToFileURL(`${process.env.HEADWATER_PACKAGE}/node.js`));
const [scene, steps] = process.argv.slice(2);
const world = World.create({ library: scene });
const begun = performance.now();
world.step(Number(steps));
const seconds = (performance.now() - begun) / 1000;
console.log(JSON.stringify({ scene, steps: world.steps, hash: world.stateHash(), seconds }));
