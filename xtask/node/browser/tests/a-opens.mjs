// Tests that the page opens and draws, and that water moves.

import { Page } from "../page.mjs";
import { colours } from "../pictures.mjs";
import assert from "node:assert/strict";

// Longest allowed time from navigation to the first step (s) on two idle cores. The environment
// variable HEADWATER_FIRST_WATER overrides it.
const FIRST_WATER = Number(process.env.HEADWATER_FIRST_WATER ?? 5);

// Number of attempts. Several are allowed, because other load on the machine may delay one.
const TRIES = 3;

async function opens(renderer, say) {
  let best = Infinity;
  for (let i = 0; i < TRIES && best > FIRST_WATER; i += 1) best = Math.min(best, await opens_once(renderer, say));
  assert.ok(best <= FIRST_WATER, `first water after ${best} s, allowed are ${FIRST_WATER} s`);
}

async function opens_once(renderer, say) {
  const page = await Page.open(renderer);
  await page.tab.waitForFunction(() => window.headwater.status().steps > 0);
  const seconds = (await page.tab.evaluate(() => performance.now())) / 1000;
  say(`first water after ${seconds.toFixed(2)} s (${renderer})`);
  const first = await page.hash();
  const later = await page.until((status) => status.hash !== first && status.time > 0, "water moves");
  assert.ok(Math.abs(later.residual) <= 1e-9 * Math.max(1, later.volume), `the ledger misses ${later.residual}`);
  const picture = await page.picture(`opens-${renderer}`);
  // An empty canvas would have few colours.
  assert.ok((await colours(page.tab, picture)) > 100, "there is something to see");
  await page.end();
  return seconds;
}

export async function opens_with_webgpu(say) {
  await opens("webgpu", say);
}

export async function opens_with_webgl2(say) {
  await opens("webgl2", say);
}
