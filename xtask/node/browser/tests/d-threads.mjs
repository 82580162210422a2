// On an isolated page, worlds are stepped on several threads, and come to the same states as on one.

import { Page } from "../page.mjs";
import assert from "node:assert/strict";

const THREADS = 2;
const STEPS = 40;

export async function worlds_are_the_same_on_several_threads(say) {
  const page = await Page.open("webgpu", { query: `?threads=${THREADS}` });
  if (!(await page.tab.evaluate(() => "threads" in document.documentElement.dataset))) {
    say("left out: the page was built without --threads");
    return page.end();
  }
  assert.equal(await page.tab.evaluate(() => window.headwater.threads), THREADS);
  await page.run(false);
  const scenes = await page.tab.evaluate(async () => {
    // The program that plays, and beside it the one for a single thread.
    window.several = await import("/headwater-playground-threads.js");
    window.one = await import("/headwater-playground.js");
    await window.one.default({ module_or_path: fetch("/headwater-playground_bg.wasm") });
    return window.one.scenes();
  });
  let [one, several] = [0, 0];
  for (const scene of scenes) {
    const [alone, together] = await page.tab.evaluate(([scene, steps]) =>
      [window.one, window.several].map((program) => JSON.parse(program.reach(scene, steps))), [scene, STEPS]);
    assert.equal(together.hash, alone.hash, `${scene}, ${STEPS} steps`);
    assert.equal(together.steps, alone.steps);
    one += alone.seconds;
    several += together.seconds;
  }
  say(`${scenes.length} scenes, ${STEPS} steps: ${one.toFixed(1)} s on one thread, ${several.toFixed(1)} s on ${THREADS}`);
  await page.end();
}

export async function a_page_that_is_given_no_workers_plays_on_one_thread() {
  const before = () => {
    window.Worker = class {
      constructor() {
        throw new Error("there are no workers");
      }
    };
  };
  const page = await Page.open("webgpu", { query: `?threads=${THREADS}`, before });
  assert.equal(await page.tab.evaluate(() => window.headwater.threads), 1);
  const { steps } = await page.told();
  await page.until((told) => told.steps > steps, "water moves");
  await page.end();
}
