// Fuzz test: makes a thousand random, partly invalid calls per model, from a fixed seed. Every call
// must succeed or throw a documented error, and the module must work afterwards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const { World, check, sceneText } = await import(pathToFileURL(`${process.env.HEADWATER_PACKAGE}/node.js`));

const SCENES = {
  flow: {
    text: "model = 'flow'\n[grid]\nnx = 24\nny = 17\n[terrain]\nplane = { height = 9, slope = [0.1, 0] }\n[water]\ndepth = 0.5\n[time]\nuntil = 9\n",
  },
  waves: { library: "pond" },
  blocks: { library: "u-tube" },
  columns: { library: "kettle" },
  hydrology: { text: "model = 'hydrology'\n[grid]\nnx = 24\nny = 24\n[terrain]\nnoise = { height = 40, scale = 300 }\n[time]\nuntil = 2\n" },
};

// Linear congruential generator, which produces the same numbers in every run.
let seed = 1;
const below = (most) => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
const oneOf = (list) => list[below(list.length)];

const NUMBERS = [0, -0, 1, -1, 0.5, 3, 17, 1e-320, 1e300, -1e300, 2 ** 32, 2 ** 53, NaN, Infinity, -Infinity, true, null, undefined, "7", "", {}, [], 7n, Symbol("x"), () => 1];
const number = () => (below(2) ? oneOf(NUMBERS) : below(20));
const TEXTS = ["", "depth", "surface", "bed", "lower", "raise", "pour", "gauge", "source", "body", "\ud800", "é".repeat(5000), "physics.gravity", "name = 'x'\nat = [5, 5]\nevery = 1",
  "do = 'pour'", 7, null, undefined, { do: "pour" }, { name: "x", at: [5, NaN], every: 1 }, { at: Symbol("x") }, { at: 7n }, []];
const text = () => oneOf(TEXTS);
// A cyclic object, and a proxy whose properties throw when they are read.
const circle = {};
circle.disc = circle;
const trap = new Proxy({}, { get() { throw new RangeError("a trap"); } });
const point = () => [number(), number()];
const place = () => oneOf([
  { disc: { center: point(), radius: number() } }, { disc: { center: [5, 5], radius: 3 }, falloff: oneOf(["flat", "smooth", "dance", 3]) }, { rect: { min: point(), max: point() } },
  { line: { points: [point(), [4, 4]], width: number() } }, { line: { points: [], width: 1 } }, { polygon: [point(), point(), point()] }, { polygon: [[1, 1], [8, 1], [4, 9]] },
  { everywhere: true }, {}, null, undefined, "disc", 3, [], circle, trap, { disc: { center: [1], radius: 3 } }, { disc: { center: new Float32Array(2), radius: 3 } },
]);
const detached = () => {
  const array = new Float32Array(408);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
};
const array = (length) => oneOf([() => new Float32Array(length), () => new Float64Array(length), () => new Float32Array(length + 1), () => new Float32Array(0), () => new Uint8Array(4 * length), () => [0],
  () => new Float32Array(new ArrayBuffer(4 * length + 4), 4), () => new Float32Array(new SharedArrayBuffer(4 * length)), detached, () => null, () => "depth", () => ({ length }), () => trap])();
const tiles = () => oneOf([undefined, null, [], [{ x: 0, y: 0, nx: 4, ny: 4 }], [{ x: 0, y: 0, nx: 2 ** 40, ny: 1 }], [{ x: -1, y: 0, nx: NaN, ny: 1 }], [{}], [3], "tiles", trap]);

class Told extends Error {}

const watcher = (world) => oneOf([
  () => { throw new Told(); }, () => { throw undefined; }, () => { throw "words"; }, () => world.step(1), () => world.destroy(), () => { world.free(); }, () => false, () => NaN, 3, "f", {}, trap,
]);

function call(world) {
  const { nx, ny } = world.grid;
  return oneOf([
    () => world.advance(0.01, watcher(world)),
    () => world.advance(number(), (at) => at.steps < 3 && at.part === 0),
    () => world.step(oneOf([0, 1, 2, -1, 1.5, NaN, null, "3", undefined]), () => false),
    () => world.edit(text(), place(), number()),
    () => world.edit(oneOf(world.edits()).name, place(), below(3)),
    () => world.act(text()),
    () => world.add(text(), text()),
    () => world.change(text(), text()),
    () => world.remove(text(), text()),
    () => world.set(text(), oneOf([number(), circle, trap])),
    () => world.set(oneOf(world.parameters()).key, number()),
    () => world.addSpring(place(), number()),
    () => world.setSpring(number(), place(), number()),
    () => world.removeSpring(number()),
    () => world.addDrain(place(), number()),
    () => world.setDrain(below(4), place(), number()),
    () => world.removeDrain(number()),
    () => world.addBody(oneOf([{ position: point(), size: point() }, {}, null, trap, circle, { position: [5, 5], size: [2, 2], draft: number() }])),
    () => world.setBody(below(3), { position: point(), size: [1, 1], velocity: point() }),
    () => world.removeBody(number()),
    () => world.layer(text()),
    () => world.readLayer("depth", array(nx * ny), tiles()),
    () => world.readLayer(oneOf(world.layers()).name, array(nx * ny), tiles()),
    () => world.changed(text(), oneOf([undefined, null, [0, 0], [1], [NaN, -1], "then", trap])),
    () => world.at(number(), number()),
    () => world.center(number(), number()),
    () => world.restore(oneOf([new Uint8Array(), new Uint8Array(90), world.snapshot().subarray(0, below(2000)), null, "state", trap])),
    () => world.restore(world.snapshot()),
    () => World.create(oneOf([null, undefined, {}, 3, trap, circle, { library: text() }, { text: text() }, { text: SCENES.flow.text, set: oneOf([trap, circle, { "grid.nx": number() }]) }, { text: SCENES.flow.text, files: oneOf([trap, { a: 3 }, { a: new Uint8Array(3) }]) }])),
    () => check(text(), oneOf([undefined, trap, { a: number() }])),
    () => sceneText(text()),
  ])();
}

for (const [model, description] of Object.entries(SCENES)) {
  test(`a thousand invalid calls of ${model}`, () => {
    let world = World.create(description);
    let [refused, done] = [0, 0];
    for (let i = 0; i < 1000; i++) {
      let error;
      try {
        call(world);
        done += 1;
      } catch (thrown) {
        refused += 1;
        error = thrown;
      }
      // A crash inside the module appears as a WebAssembly.RuntimeError.
      assert.ok(!(error instanceof WebAssembly.RuntimeError), `call ${i}: ${error?.stack}`);
      if (error instanceof Error && error.name === "HeadwaterError") assert.ok(error.message && error.fault);
      try {
        world.step(0);
      } catch (thrown) {
        // After a failed call, a world may be broken or destroyed, but it must not stay borrowed.
        assert.notEqual(thrown.fault, "busy", `after call ${i}`);
        world = World.create(description);
      }
    }
    assert.ok(refused > 100 && done > 100, `${refused} refused, ${done} done`);
    assert.equal(world.stateHash().length, 16);
  });
}
