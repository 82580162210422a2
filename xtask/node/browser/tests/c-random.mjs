// Tests that random input causes no exception and that the ledger stays closed.

import { Page } from "../page.mjs";
import assert from "node:assert/strict";

const SECONDS = Number(process.env.HEADWATER_RANDOM ?? 120);

// Keys, some of which have no function.
const KEYS = [
  "Space", ".", "r", "1", "2", "3", "4", "5", "+", "-", "z", "Control+z", "Control+y", "Escape", "Tab", "ArrowLeft",
  "ArrowUp", "F1", "Delete", "q", "x",
];

// Widgets that open a file dialog or start a download.
const LEAVES = /^file\./;

// Random number generator Mulberry32 with a fixed seed.
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export async function random_play_breaks_nothing(say) {
  const page = await Page.open("webgpu");
  const { mouse, keyboard } = page.tab;
  const chance = random(20161);
  const pick = (list) => list[Math.floor(chance() * list.length)];
  const spot = () => [2 + chance() * 1276, 2 + chance() * 796];
  let acts = 0;
  for (const end = Date.now() + 1000 * SECONDS; Date.now() < end; acts += 1) {
    const kind = chance();
    if (kind < 0.35) {
      const rects = Object.entries((await page.status()).rects).filter(([name]) => !LEAVES.test(name));
      if (rects.length === 0) continue;
      const [, [left, top, width, height]] = pick(rects);
      await mouse.click(left + chance() * width, top + chance() * height);
    } else if (kind < 0.7) {
      await mouse.move(...spot());
      await mouse.down({ button: pick(["left", "left", "right", "middle"]) });
      await mouse.move(...spot(), { steps: 5 });
      for (const button of ["left", "right", "middle"]) await mouse.up({ button });
    } else if (kind < 0.8) {
      await mouse.move(...spot());
      await mouse.wheel(0, (chance() - 0.5) * 800);
    } else if (kind < 0.95) {
      await keyboard.press(pick(KEYS));
    } else {
      await page.tab.setViewportSize({
        width: Math.round(400 + chance() * 900), height: Math.round(300 + chance() * 600),
      });
    }
    page.sound();
  }
  await page.tab.setViewportSize({ width: 1280, height: 800 });
  const status = await page.next();
  say(`${acts} acts; ends in ${status.tab}, ${status.scene}, after ${status.frames} frames`);
  await page.picture("random");
  assert.ok(Number.isFinite(status.residual) && Number.isFinite(status.volume), "the residual and the volume are numbers");
  page.sound();
  await page.end();
}
