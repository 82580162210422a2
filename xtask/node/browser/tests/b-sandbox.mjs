// What one plays with: weather, the last minute, challenges; and what goes out of a world beside scenes and states.

import { Page } from "../page.mjs";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const SMALL = { width: 1000, height: 620 };

export async function it_rains_time_goes_back_and_a_challenge_is_taken_on() {
  const page = await Page.open("webgpu", { at: "?scene=kettle", size: SMALL });
  await page.run(true);
  await page.click("weather.cloudburst");
  const rained = await page.until((status) => status.time > 2.5, "two seconds and more pass");
  await page.run(false);
  const { steps } = await page.status();
  const hash = await page.hash();
  // To the left end of the slider, and back by undoing.
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

export async function a_world_goes_out_as_triangles_numbers_and_an_animation(say) {
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
  const [clip, frames] = await saved("file.record");
  assert.match(clip, /^pond\.(webm|mp4)$/);
  assert.ok(frames.length > 1000, `${frames.length} bytes`);
  say(`an animation of ${frames.length} bytes`);
  await page.end();
}
