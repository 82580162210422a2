// Tests of faults found by external testers: repeated failing calls, worlds that stayed borrowed,
// and misinterpreted arguments.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const { World, check } = await import(pathToFileURL(`${process.env.HEADWATER_PACKAGE}/node.js`));

const SMALL = "model = 'flow'\n[grid]\nnx = 24\nny = 17\n[terrain]\nplane = { height = 0 }\n[water]\ndepth = 0.5\n[time]\nuntil = 9\n";
const everywhere = { everywhere: true };
const is = (fault) => (error) => error.name === "HeadwaterError" && error.fault === fault;
const trap = (throws) => new Proxy({}, { get: throws, ownKeys: throws, getPrototypeOf: throws });

function failing(times, call) {
  for (let i = 0; i < times; i += 1) assert.throws(call, (error) => !(error instanceof WebAssembly.RuntimeError));
}

test("thousands of failed calls do not change the module", () => {
  const other = World.create({ library: "pond" });
  const world = World.create({ text: SMALL });
  const snapshot = world.snapshot();
  structuredClone(snapshot, { transfer: [snapshot.buffer] });
  const throwing = { get "grid.nx"() { throw new Error("a getter"); } };
  const gone = Proxy.revocable([], {});
  gone.revoke();
  const into = new Float32Array(24 * 17);
  for (const call of [
    () => world.restore(snapshot),
    () => World.create({ text: SMALL, files: { a: snapshot } }),
    () => check(SMALL, throwing),
    () => World.create({ text: SMALL, set: throwing }),
    () => world.readLayer("depth", into, gone.proxy),
    () => world.changed("depth", gone.proxy),
    () => world.edit("pour", { polygon: gone.proxy }, 1),
    () => world.advance(1n),
    () => world.advance(Symbol("x")),
  ]) failing(3000, call);
  world.free();
  world.free();
  world[Symbol.dispose ?? "free"]();
  failing(3000, () => world.advance(1 / 60));
  failing(3000, () => world.steps);
  assert.throws(() => world.step(1), is("destroyed"));
  assert.throws(() => World.prototype.step.call({}, 1), is("input"));
  assert.throws(() => new World().step(1), is("input"));
  other.step(1);
  assert.equal(World.create({ text: SMALL }).step(1).steps, 1);
});

test("an aborted call breaks only its own world, which can still be destroyed", () => {
  const world = World.create({ library: "u-tube" });
  const deep = (n) => (n ? deep(n - 1) : world.layer("fill"));
  // Try several depths, because the depth at which the stack overflows is unknown.
  for (let n = 2000, broken = false; !broken && n < 200_000; n += 7) {
    try {
      deep(n);
    } catch (error) {
      broken = error.fault === "broken";
    }
  }
  try {
    world.step(1);
  } catch (error) {
    assert.equal(error.fault, "broken");
    assert.ok(error.cause instanceof Error);
  }
  world.destroy();
  assert.throws(() => world.step(1));
  assert.equal(World.create({ library: "u-tube" }).step(3).steps, 3);
});

test("arrays are read by their actual type and memory", () => {
  const world = World.create({ text: SMALL });
  const values = new Float32Array(24 * 17);
  assert.throws(() => world.readLayer("depth", new Proxy(values, {})), is("input"));
  class Odd extends Float32Array {
    get length() { throw new Error("a length"); }
    set() { throw new Error("a setter"); }
    subarray() { return this; }
  }
  const odd = new Odd(24 * 17);
  world.readLayer("depth", odd);
  world.readLayer("depth", odd, [{ x: 0, y: 0, nx: 4, ny: 4 }]);
  assert.equal(Reflect.get(odd, 5), 0.5);
  assert.throws(() => world.readLayer("depth", new Float32Array(3), []), is("input"));
  assert.throws(() => world.readLayer("dept", values, []), is("input"));
  world.step(1);
});

test("a world with added and removed bodies can be saved and restored", () => {
  for (const [library, body] of [
    ["dam-breach", { position: [220, 470], size: [10, 5] }],
    ["pond", { position: [3, 3], size: [0.5, 0.5] }],
    ["castle-cistern", undefined],
    ["drifting-logs", undefined],
  ]) {
    const world = World.create({ library });
    const first = world.bodies()[0];
    const added = world.addBody(body ?? { position: first.position, size: first.size });
    if (first !== undefined) world.removeBody(first.id);
    world.step(3);
    const [snapshot, hash] = [world.snapshot(), world.stateHash()];
    world.step(3);
    const later = world.stateHash();
    for (const heir of [world, World.create({ library })]) {
      heir.restore(snapshot);
      assert.equal(heir.stateHash(), hash, library);
      assert.ok(heir.bodies().some((one) => one.id === added));
      heir.step(3);
      assert.equal(heir.stateHash(), later, library);
    }
  }
});

test("only false stops an advance, and invalid places and numbers are refused", () => {
  const world = World.create({ text: SMALL });
  for (const answer of [0, "", null, NaN, Promise.resolve(false)]) assert.ok(world.advance(0.5, () => answer).done);
  assert.ok(!world.advance(5, () => false).done);
  for (const place of [{ everywhere: false }, { ...everywhere, disc: { center: [3, 3], radius: 1 } }, { ...everywhere, fallof: "flat" }]) {
    assert.throws(() => world.edit("pour", place, 1), is("input"));
  }
  world.addSpring(everywhere, 0.1);
  for (const wrong of [null, "0", [0], true, 0n]) assert.throws(() => world.removeSpring(wrong), is("input"));
  assert.throws(() => world.advance("1"), /time: found string, allowed is a number/);
  assert.throws(() => World.create({ text: SMALL, name: 42 }), is("input"));
  assert.throws(() => world.set("physics.gravity", NaN), /physics.gravity: found/i);
  const files = new Map([["bed.asc", new TextEncoder().encode("ncols 2\nnrows 2\ncellsize 1\n1 2\n3 4\n")]]);
  World.create({ text: SMALL, files, set: { "terrain.file": "bed.asc" } }).destroy();
});

test("a parameter can be set to its reported value", () => {
  for (const library of ["dam-breach", "pond", "u-tube", "kettle", "young-range"]) {
    const world = World.create({ library });
    for (const { key, value } of world.parameters()) world.set(key, value);
  }
});

test("a scene with an end time of 0 creates a world", () => {
  for (const description of [
    { library: "pond", set: { "time.until": 1e-9 } },
    { library: "storm", set: { "time.until": 1e-9 } },
    { library: "u-tube", set: { "physics.tick": 1e4 } },
  ]) World.create(description).step(2);
});
