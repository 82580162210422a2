// Tests of worlds on the page's GPU: agreement with the CPU, brushes, a lost device, and other grid
// sizes.

import { Page } from "../page.mjs";
import { colours } from "../pictures.mjs";
import assert from "node:assert/strict";

// Allowed difference between GPU and CPU, relative to the largest value. The same as in
// crates/headwater-gpu/tests/it/support.rs.
const APART = 1e-4;

// Worlds that are small enough for a software GPU.
const SMALL = {
  flow: `model = "flow"
[grid]
nx = 80
ny = 56
cell = 2
[time]
until = 600
[terrain]
noise = { height = 6, scale = 60 }
[water]
depth = 1
[rain]
rate = 40
[[gauge]]
name = "middle"
at = ["50%", "50%"]
every = 5
[output]
frames = 0
`,
  waves: `model = "waves"
[grid]
nx = 96
ny = 64
cell = 0.1
[time]
until = 60
[[land]]
disc = { center = [2, 2], radius = 0.8 }
[[start]]
at = [6, 3]
radius = 0.6
depth = 0.05
[output]
frames = 0
`,
};

// Opens the page in a low window with a small world. Records the GPU devices in `window.devices`,
// so that a test can destroy them.
async function open(model, height = 440) {
  const page = await Page.open("webgpu", {
    at: "?scene=u-tube",
    size: { width: 1280, height },
    script: () => {
      const request = GPUAdapter.prototype.requestDevice;
      window.devices = [];
      GPUAdapter.prototype.requestDevice = async function (...given) {
        const device = await request.apply(this, given);
        window.devices.push(device);
        return device;
      };
    },
  });
  const chooser = page.tab.waitForEvent("filechooser");
  await page.click("menu.file");
  await page.click("file.open-scene");
  await (await chooser).setFiles({ name: "small.toml", mimeType: "text/plain", buffer: Buffer.from(SMALL[model]) });
  await page.until((status) => status.scene === "small" && status.tab === model, "the world is opened");
  await page.run(false);
  return page;
}

const is_there = (status) => status.backend.startsWith("gpu");

async function move_to(page, where) {
  await page.click(`backend.${where}`);
  await page.until((status) => is_there(status) === (where === "gpu"), `it is on the ${where}`);
}

// Performs single steps with the keyboard while the world is paused, and waits until they are done.
async function steps(page, count) {
  let { steps: done } = await page.status();
  const goal = done + count;
  for (let i = 0; i < count; i += 1) await page.tab.keyboard.press(".");
  while (done !== goal) {
    ({ steps: done } = await page.until((status) => status.steps > done, `${count} steps are done`));
    assert.ok(done <= goal, `${done} steps, and not ${goal}`);
  }
}

async function the_same(model, say) {
  const page = await open(model);
  await page.click("button.reset");
  await move_to(page, "gpu");
  // Perform the steps before the hash is requested, because after the request the world is read
  // back from the GPU in every frame.
  await steps(page, 500);
  await page.hash();
  const there = await page.status();
  assert.ok(is_there(there), there.backend);
  await page.click("button.reset");
  await move_to(page, "cpu");
  await steps(page, 500);
  await page.hash();
  const here = await page.status();
  assert.equal(here.steps, there.steps);
  assert.equal(there.samples.length, here.samples.length);
  const greatest = here.samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const apart = here.samples.reduce((most, value, i) => Math.max(most, Math.abs(value - there.samples[i])), 0);
  const bits = here.hash === there.hash ? "the same bits" : "other bits";
  say(`${model}: ${apart} apart of ${greatest} in ${here.samples.length} cells, ${bits}`);
  assert.ok(greatest > 0 && apart <= APART * greatest);
  assert.ok(Math.abs(there.residual) <= 1e-8 * Math.max(1, Math.abs(there.volume)), `the ledger misses ${there.residual}`);
  await page.end();
}

export async function flow_on_the_gpu_agrees_with_the_cpu_after_500_steps(say) {
  await the_same("flow", say);
}

export async function waves_on_the_gpu_agree_with_the_cpu_after_500_steps(say) {
  await the_same("waves", say);
}

export async function a_stroke_on_the_gpu_can_be_undone() {
  const page = await open("flow");
  await move_to(page, "gpu");
  const untouched = await page.hash();
  await page.click("tool.dig");
  await page.draw([0.45, 0.5], [0.55, 0.5]);
  const dug = await page.until((status) => status.hash && status.hash !== untouched, "it is dug");
  assert.ok(is_there(dug), dug.backend);
  await page.tab.keyboard.press("Control+z");
  await page.until((status) => status.hash === untouched, "it is undone");
  await page.run(true);
  const { steps } = await page.status();
  await page.until((status) => status.steps > steps + 20 && is_there(status), "it runs there");
  await move_to(page, "cpu");
  await page.end();
}

export async function a_world_continues_on_the_cpu_after_its_gpu_is_lost() {
  const page = await open("flow");
  await move_to(page, "gpu");
  await page.run(true);
  const { steps } = await page.status();
  await page.until((status) => status.steps > steps + 10, "it runs there");
  // The page reloads and continues with the current world.
  const again = page.tab.waitForEvent("load");
  await page.tab.evaluate(() => window.devices.forEach((device) => device.destroy()));
  await again;
  await page.begun();
  const status = await page.until((status) => status.steps > 0 && status.running, "it goes on");
  assert.equal(status.backend, "cpu");
  assert.equal(status.scene, "small");
  assert.ok(status.notice.includes("on the CPU: the GPU was lost"), status.notice);
  const later = await page.until((now) => now.steps > status.steps, "it runs on");
  assert.equal(later.backend, "cpu");
  assert.ok((await colours(page.tab, await page.picture("lost"))) > 100, "there is something to see");
  await page.end();
}

export async function the_menu_sets_the_grid_size() {
  const page = await open("flow", 800);
  const { volume, cells } = await page.status();
  assert.deepEqual(cells, [80, 56]);
  await page.click("size.256");
  const finer = await page.until((status) => status.cells[0] === 256, "it is finer");
  assert.deepEqual(finer.cells, [256, 179]);
  assert.ok(Math.abs(finer.volume / volume - 1) < 0.05, `${finer.volume} of ${volume} m³`);
  await page.click("button.undo");
  await page.until((status) => status.cells[0] === 80, "it is undone");
  await page.end();
}
