// Tests of weather, time scrubbing, challenges, exports, comparison and gamepads.

import { Page } from "../page.mjs";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const SMALL = { width: 1000, height: 620 };

export async function weather_time_scrubbing_and_challenges_work() {
  // The window must be high enough to show the challenges below the weather.
  const page = await Page.open("webgpu", { at: "?scene=kettle", size: { width: 1000, height: 720 } });
  await page.run(true);
  await page.click("weather.cloudburst");
  const rained = await page.until((status) => status.time > 2.5, "two seconds and more pass");
  await page.run(false);
  const { steps } = await page.status();
  const hash = await page.hash();
  // Go back to the left end of the slider, and return with undo.
  const [left, top, , height] = await page.rect("scrub");
  await page.tab.mouse.click(left + 3, top + height / 2);
  const then = await page.until((status) => status.steps < steps, "the world is as it was");
  assert.ok(!then.running && then.time < rained.time);
  await page.click("button.undo");
  assert.equal(await page.hash(), hash);
  await page.click("challenge.bridge");
  await page.until((status) => status.challenge === "on", "a challenge is on");
  await page.click("weather.winter");
  await page.until((status) => status.progress > 0, "frost makes ice");
  await page.picture("challenge");
  await page.end();
}

export async function a_world_is_exported_as_mesh_layer_and_animation(say) {
  const page = await Page.open("webgpu", { at: "?scene=pond", size: SMALL });
  const saved = async (...clicks) => {
    if (!(await page.next()).rects["file.save-mesh"]) await page.click("menu.file");
    for (const name of clicks.slice(0, -1)) await page.click(name);
    const waits = page.tab.waitForEvent("download");
    const [download] = await Promise.all([waits, page.click(clicks.at(-1))]);
    return [download.suggestedFilename(), await readFile(await download.path())];
  };
  const [mesh, triangles] = await saved("file.save-mesh");
  assert.deepEqual([mesh, triangles.subarray(0, 4).toString()], ["pond.glb", "glTF"]);
  const [layer, numbers] = await saved("file.save-layer", "layer.height");
  assert.deepEqual([layer, numbers.subarray(1, 6).toString()], ["pond-height.npy", "NUMPY"]);
  // A recording repeats the last seconds and then restores the world.
  await page.run(true);
  await page.until((status) => status.time > 2, "some seconds pass");
  await page.run(false);
  const { steps } = await page.status();
  const hash = await page.hash();
  const watch = page.tab.waitForFunction((now) => window.headwater.status().steps < now, steps);
  const [clip, frames] = await saved("file.record");
  await watch;
  assert.match(clip, /^pond\.(webm|mp4)$/);
  assert.ok(frames.length > 1000, `${frames.length} bytes`);
  say(`an animation of ${frames.length} bytes`);
  await page.until((status) => status.steps === steps, "the world is at the present again");
  assert.equal(await page.hash(), hash);
  assert.equal((await page.status()).rects["file.save-mesh"], undefined, "the menu is closed");
  await page.end();
}

export async function comparison_and_gamepad_work(say) {
  const script = () => {
    const at = (count, some) => Array.from({ length: count }, (_, i) => some[i] ?? 0);
    window.held = {};
    const pad = () => ({
      connected: true, mapping: "standard", axes: at(4, window.held),
      buttons: at(16, []).map((_, i) => ({ value: window.held[4 + i] ?? 0 })),
    });
    Navigator.prototype.getGamepads = () => (window.plugged ? [null, pad()] : [null]);
  };
  const page = await Page.open("webgpu", { size: { width: 1280, height: 720 }, script });
  await page.run(false);
  await page.click("button.compare");
  const begun = await page.until((status) => status.beside, "there are two worlds");
  assert.equal(begun.beside.steps, begun.steps);
  await page.run(true);
  await page.until((status) => status.time > begun.time + 3, "both go on");
  await page.run(false);
  const { time, beside } = await page.next();
  assert.ok(Math.abs(time - beside.time) < 0.5, `${time}, ${beside.time}`);
  // An edit in one half of the comparison applies to both worlds.
  const [left, top, width, height] = await page.rect("canvas.beside");
  const before = await page.hash();
  const there = (await page.status()).beside.hash;
  assert.notEqual(there, before);
  await page.tab.mouse.move(left + width * 0.45, top + height * 0.5);
  await page.tab.mouse.down();
  await page.tab.waitForTimeout(1500);
  await page.tab.mouse.up();
  assert.notEqual(await page.hash(), before);
  assert.notEqual((await page.status()).beside.hash, there);
  await page.picture("compare");
  // Both halves share one camera, so a click marks the same place in each.
  await page.tab.keyboard.press("Escape");
  await page.tab.mouse.click(left + width * 0.4, top + height * 0.55);
  const marks = async () => {
    const { rects } = await page.next();
    return [["place", "canvas"], ["place.beside", "canvas.beside"]]
      .map(([mark, half]) => [0, 1].map((i) => rects[mark][i] - rects[half][i]));
  };
  const alike = ([one, other]) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const seen = await marks();
  assert.ok(alike(seen) < 3, `${seen}`);
  await page.tab.evaluate(() => { window.plugged = true; window.held[2] = 0.8; });
  await page.until(() => true, "the stick turns");
  await page.next();
  await page.tab.evaluate(() => { window.held = {}; });
  await page.next();
  const turned = await marks();
  assert.ok(Math.hypot(turned[0][0] - seen[0][0], turned[0][1] - seen[0][1]) > 8, `${seen} ${turned}`);
  assert.ok(alike(turned) < 3, `${turned}`);
  say(`the stick has moved the place to ${turned[0]}`);
  await page.end();
}
