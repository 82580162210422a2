// Tests that every tab opens and matches its reference picture, that every tool changes the world,
// and that the buttons work.

import { Page } from "../page.mjs";
import { compare } from "../pictures.mjs";
import assert from "node:assert/strict";

// Strokes across the canvas, as fractions of its width and height. There are several, because a
// tool may have no effect in one place.
const STROKES = [
  [[0.5, 0.5], [0.6, 0.55]], [[0.3, 0.4], [0.4, 0.3]], [[0.7, 0.6], [0.6, 0.7]], [[0.4, 0.7], [0.5, 0.8]],
  [[0.65, 0.3], [0.55, 0.25]], [[0.5, 0.15], [0.5, 0.95]], [[0.1, 0.7], [0.9, 0.7]], [[0.1, 0.27], [0.9, 0.27]],
  [[0.2, 0.9], [0.8, 0.85]],
  // These strokes cross the village, in a wide and in a narrow window.
  [[0.7, 0.46], [0.92, 0.5]],
];

async function turn_to(page, model) {
  await page.click(`tab.${model}`);
  return page.until((status) => status.tab === model, `the tab ${model} opens`);
}

// Number of tools tested per tab. All tools are tested by default and in the window tests.
const TOOLS = Number(process.env.HEADWATER_TOOLS ?? Infinity);

// Number of steps within which a tool must have an effect. Springs and heaters act gradually.
const STEPS = 2;

// Restarts the world in the paused state, performs some steps, and returns the state hash.
async function begin_again(page, steps) {
  await page.run(false);
  await page.click("button.reset");
  for (let i = 0; i < steps; i += 1) await page.click("button.step");
  return page.hash();
}

// Tools that may have no effect: the inspector, heaters in scenes without heat, and clearing of
// land without plants.
const IDLE = ["tool.look", "tool.hearth", "tool.clear"];

async function tab_opens_and_its_tools_work(model, say) {
  const page = await Page.open("webgpu");
  const { rects, steps } = await turn_to(page, model);
  await page.run(true);
  await page.until((status) => status.steps > steps, `${model} runs`);
  const untouched = await begin_again(page, STEPS);
  await page.tab.mouse.move(1, 1);
  await page.next();
  say(await compare(page.tab, await page.picture(`tab-${model}`), model));
  const tools = Object.keys(rects).filter((name) => name.startsWith("tool.") && !IDLE.includes(name));
  assert.ok(tools.length > 3, `${model} has tools: ${tools}`);
  // Use a small window, because rendering in software is slow.
  await page.tab.setViewportSize({ width: 900, height: 600 });
  await page.next();
  const idle = [];
  for (const tool of tools.slice(0, TOOLS)) {
    await begin_again(page, 0);
    await page.click(tool);
    let changed = false;
    for (const [from, to] of STROKES) {
      await page.draw(from, to);
      for (let i = 0; i < STEPS; i += 1) await page.click("button.step");
      changed = (await page.hash()) !== untouched;
      if (changed) break;
      await begin_again(page, 0);
    }
    if (!changed) idle.push(tool);
  }
  say(`${model}: ${tools.slice(0, TOOLS).map((tool) => tool.slice(5)).join(", ")}`);
  assert.deepEqual(idle, [], "tools that changed nothing wherever they were used");
  await page.end();
}

export async function flow_opens_and_its_tools_work(say) {
  await tab_opens_and_its_tools_work("flow", say);
}

export async function waves_open_and_their_tools_work(say) {
  await tab_opens_and_its_tools_work("waves", say);
}

export async function blocks_open_and_their_tools_work(say) {
  await tab_opens_and_its_tools_work("blocks", say);
}

export async function columns_open_and_their_tools_work(say) {
  await tab_opens_and_its_tools_work("columns", say);
}

export async function hydrology_opens_and_its_tools_work(say) {
  await tab_opens_and_its_tools_work("hydrology", say);
}

export async function pause_step_and_reset_work() {
  const page = await Page.open("webgpu");
  await page.run(false);
  const { steps } = await page.status();
  const paused = await page.hash();
  await page.tab.waitForTimeout(500);
  assert.equal(await page.hash(), paused, "a world that is paused stays as it is");
  await page.click("button.step");
  const stepped = await page.until((status) => status.steps > steps, "a step is done");
  assert.notEqual(stepped.hash, paused);
  await page.click("button.reset");
  const begun = await page.until((status) => status.steps === 0, "the world begins again");
  assert.equal(begun.time, 0);
  await page.end();
}

export async function undo_reverts_a_stroke() {
  const page = await Page.open("webgpu");
  await page.run(false);
  await page.click("tool.dig");
  const before = await page.hash();
  await page.draw(...STROKES[0]);
  const dug = await page.hash();
  assert.notEqual(dug, before);
  await page.click("button.undo");
  assert.equal(await page.hash(), before);
  await page.click("button.redo");
  assert.equal(await page.hash(), dug);
  await page.end();
}

export async function a_finger_digs() {
  const page = await Page.open("webgpu", { touch: true });
  await page.run(false);
  const [left, top, width, height] = await page.rect("tool.dig");
  await page.tab.touchscreen.tap(left + width / 2, top + height / 2);
  await page.until((status) => status.tool === "dig", "the tool is in hand");
  const before = await page.hash();
  const [x, y, w, h] = await page.rect("canvas");
  await page.tab.touchscreen.tap(x + w / 2, y + h / 2);
  await page.tab.touchscreen.tap(x + w / 3, y + h / 2);
  assert.notEqual(await page.hash(), before);
  await page.end();
}
