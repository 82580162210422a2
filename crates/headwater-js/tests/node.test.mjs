// Tests of the package in Node.js: worlds of all models are advanced, edited, read, saved and
// misused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const PACKAGE = pathToFileURL(`${process.env.HEADWATER_PACKAGE}/node.js`);
const { World, check, sceneText, scenes } = await import(PACKAGE);

const PUDDLE = `
model = "flow"
[grid]
nx = 100
ny = 70
cell = 2
[time]
until = 10
[terrain]
plane = { height = 500, slope = [0.01, 0] }
[water]
depth = 0.5
[[gauge]]
name = "middle"
at = [100, 70]
every = 1
`;
const puddle = () => World.create({ text: PUDDLE });
const disc = { disc: { center: [50, 50], radius: 5 } };

// Returns the error that a call throws.
function thrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  assert.fail(`${call} throws nothing`);
}

test("every model advances and returns its layers", () => {
  for (const library of ["pond", "u-tube", "castle-cistern", "hex-valley", "young-range"]) {
    const world = World.create({ library, set: library === "young-range" ? { "grid.nx": 64, "grid.ny": 64 } : {} });
    assert.equal(world.step(3).steps, 3);
    for (const { name, shape: [ny, nx] } of world.layers()) assert.equal(world.layer(name).length, nx * ny);
    assert.ok(world.ledger().now >= 0 && world.edits().length > 0);
    world.destroy();
  }
});

test("a world reports its properties", () => {
  const world = puddle();
  assert.deepEqual(world.grid, { nx: 100, ny: 70, cell: [2, 2], lattice: "square" });
  assert.deepEqual([world.model, world.time, world.timeUnit, world.steps], ["flow", 0, "s", 0]);
  assert.ok(!world.isSettling && world.stepLength > 0 && Array.isArray(world.notices) && world.name === "scene");
  assert.deepEqual(world.center(0, 0), [1, 1]);
  assert.ok(scenes().includes("pond"));
  check(sceneText("pond"));
});

test("short advances take the same steps as a long one", () => {
  const [short, long] = [World.create({ library: "pond" }), World.create({ library: "pond" })];
  for (let i = 0; i < 60; i += 1) short.advance(1 / 60);
  long.advance(1);
  assert.equal(short.stateHash(), long.stateHash());
});

test("an advance reports progress, can be stopped, and propagates exceptions", () => {
  const world = puddle();
  const reports = [];
  const arrived = world.advance(20, (at) => {
    reports.push(at);
    return at.part < 0.5;
  });
  assert.ok(!arrived.done && arrived.time >= 10 && arrived.time < 15 && reports[0].part === 0);
  assert.throws(() => world.advance(20, () => { throw new RangeError("enough"); }), RangeError);
  assert.equal(thrown(() => world.advance(20, () => world.stateHash())).fault, "busy");
  assert.ok(world.advance(1, () => {}).done);
});

test("edits change tiles, by which an array can be updated", () => {
  const world = puddle();
  const kept = world.layer("bed");
  const { stamp } = world.changed("bed");
  world.edit("flatten", { disc: { center: [20, 20], radius: 6 } }, 510);
  const changed = world.changed("bed", stamp);
  assert.equal(changed.tiles.length, 1);
  world.readLayer("bed", kept, changed.tiles);
  assert.deepEqual(kept, world.layer("bed"));
  assert.equal(kept[10 * 100 + 10], 510);
  assert.equal(world.changed("bed", changed.stamp).tiles.length, 0);
});

test("a layer is sampled at many points", () => {
  const world = puddle();
  const found = world.sampleMany("bed", new Float64Array([21, 41, -5, 0]));
  assert.ok(found.length === 2 && found[0] === world.layer("bed")[20 * 100 + 10] && Number.isNaN(found[1]));
  for (const call of [
    () => world.sampleMany("deep", new Float64Array(2)),
    () => world.sampleMany("bed", new Float64Array(3)),
    () => world.sampleMany("bed", [[21, 41]]),
    () => world.sampleMany("bed", new Float64Array([NaN, 0])),
  ]) {
    assert.equal(thrown(call).fault, "input");
  }
});

test("an array stays valid when the memory grows", () => {
  const world = puddle();
  const kept = world.layer("depth");
  const more = Array.from({ length: 4 }, () => World.create({ text: PUDDLE, set: { "grid.nx": 1024, "grid.ny": 1024 } }));
  assert.equal(kept.length, 7000);
  world.readLayer("depth", kept);
  assert.equal(kept[0], 0.5);
  more.forEach((one) => one.destroy());
});

test("springs, drains and bodies are added, changed and removed by id", () => {
  const world = puddle();
  const [spring, drain] = [world.addSpring(disc, 2), world.addDrain(disc, 1)];
  world.setSpring(spring, disc, 3);
  world.setDrain(drain, disc, 0.5);
  assert.deepEqual([world.springs(), world.drains()], [[spring], [drain]]);
  world.removeSpring(spring);
  world.removeDrain(drain);
  const raft = world.addBody({ position: [100, 70], size: [6, 4], draft: 0.2 });
  world.setBody(raft, { position: [90, 70], size: [6, 4], draft: 0.2 });
  assert.deepEqual(world.bodies()[0].position, [90, 70]);
  world.removeBody(raft);
  assert.deepEqual([world.springs(), world.drains(), world.bodies()], [[], [], []]);
});

test("gauges, parameters and the ledger are reported", () => {
  const world = puddle();
  world.advance(5);
  assert.equal(world.gauges()[0].times.length, 6);
  world.add("gauge", { name: "corner", at: [10, 10], every: 1 });
  world.change("gauge", "name = 'corner'\nat = [12, 10]\nevery = 1");
  assert.equal(world.gauges().length, 2);
  world.remove("gauge", "corner");
  world.act({ do: "pour", disc: { center: [50, 50], radius: 10 }, amount: 1 });
  const ledger = world.ledger();
  assert.ok(ledger.unit === "m³" && Object.values(ledger.came).some((volume) => volume > 100));
  assert.ok(world.text().includes("pour"));
  world.set("physics.gravity", 1.62);
  assert.equal(world.parameters().find((one) => one.key === "physics.gravity").value, 1.62);
  assert.equal(world.at(100, 70).find((one) => one.name === "depth").unit, "m");
  assert.deepEqual(world.at(-1, 0), []);
});

test("a restored world continues bit for bit", () => {
  const [world, again] = [puddle(), puddle()];
  world.advance(3);
  const bytes = world.snapshot();
  again.restore(bytes);
  for (const one of [world, again]) one.advance(2);
  assert.equal(again.stateHash(), world.stateHash());
  bytes[100] ^= 1;
  for (const bad of [bytes, new Uint8Array(3)]) assert.equal(thrown(() => again.restore(bad)).fault, "snapshot");
  assert.equal(again.stateHash(), world.stateHash());
});

test("files in memory replace files of the disk", () => {
  const hill = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n7 8 9\n4 5 6\n";
  const text = "model = 'flow'\n[time]\nuntil = 1\n[terrain]\nfile = 'hill.asc'\n";
  const world = World.create({ text, files: { "hill.asc": new TextEncoder().encode(hill) } });
  assert.deepEqual([...world.layer("bed")], [7, 8, 9, 4, 5, 6]);
});

test("errors have distinct kinds", () => {
  const world = puddle();
  const hash = world.stateHash();
  const error = thrown(() => world.edit("lover", disc, 1));
  assert.ok(error instanceof Error && error.name === "HeadwaterError");
  assert.ok(error.fault === "input" && error.found === '"lover"' && error.allowed.includes("lower"));
  for (const call of [
    () => world.advance(NaN),
    () => world.advance(-1),
    () => world.advance(1, 3),
    () => world.edit("lower", disc, NaN),
    () => world.edit("lower", {}, 1),
    () => world.edit("lower", undefined, 1),
    () => world.edit("lower", { disc: { center: [1], radius: 1 } }, 1),
    () => world.edit("lower", { disc: { center: [1, NaN], radius: 1 } }, 1),
    () => world.edit("lower", { ...disc, falloff: "steep" }, 1),
    () => world.layer("deep"),
    () => world.readLayer("depth", new Float32Array(3)),
    () => world.readLayer("depth", new Float64Array(7000)),
    () => world.readLayer("depth", [1, 2]),
    () => world.readLayer("depth", world.layer("depth"), [{ x: -1, y: 0, nx: 1, ny: 1 }]),
    () => world.changed("depth", "now"),
    () => world.at(NaN, 0),
    () => world.set("physics.gravity", -1),
    () => world.set("physics.gravity", () => 1),
    () => world.act({ do: "dance" }),
    () => world.act(3),
    () => world.removeSpring(77),
    () => world.restore("bytes"),
    () => World.create({}),
    () => World.create(),
    () => World.create({ library: "pond", text: PUDDLE }),
    () => World.create({ library: "nowhere" }),
    () => World.create({ text: PUDDLE, files: { a: "text" } }),
  ]) {
    assert.equal(thrown(call).fault, "input", String(call));
  }
  const refused = thrown(() => World.create({ text: PUDDLE, set: { "grid.nx": -3 } }));
  assert.deepEqual([refused.fault, refused.key], ["scene", "grid.nx"]);
  assert.equal(world.stateHash(), hash);
  world.destroy();
  for (const call of [() => world.advance(1), () => world.model, () => world.layer("depth")]) {
    assert.equal(thrown(call).fault, "destroyed");
  }
  world.destroy();
});

test("a worker computes the same state", async () => {
  const source = `
    const { parentPort } = await import("node:worker_threads");
    const { World } = await import(${JSON.stringify(PACKAGE.href)});
    const world = World.create({ library: "pond" });
    world.step(20);
    const heights = world.layer("height");
    parentPort.postMessage({ hash: world.stateHash(), heights }, [heights.buffer]);
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  const { hash, heights } = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const world = World.create({ library: "pond" });
  world.step(20);
  assert.equal(hash, world.stateHash());
  assert.deepEqual(heights, world.layer("height"));
});
