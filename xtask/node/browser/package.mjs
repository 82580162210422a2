// Tests of the JavaScript package in a browser: a page that steps worlds, a worker that paints a
// canvas, and an example with three.js.

import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { HEADWATER_PAGE, HEADWATER_BROWSER, HEADWATER_PICTURES, HEADWATER_PACKAGE } = process.env;
const { World } = await import(pathToFileURL(`${HEADWATER_PACKAGE}/node.js`));
const args = [
  "--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];
const browser = await chromium.launch({ executablePath: HEADWATER_BROWSER, args });

// Opens a page and runs a function on it. Fails if there are console errors.
async function on(name, work) {
  const tab = await browser.newPage({ viewport: { width: 900, height: 700 } });
  tab.setDefaultTimeout(60_000);
  const complaints = [];
  tab.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("favicon")) complaints.push(message.text());
  });
  tab.on("pageerror", (error) => complaints.push(String(error)));
  await tab.goto(new URL(name, HEADWATER_PAGE).href);
  await work(tab);
  assert.deepEqual(complaints.filter((text) => !text.includes("404")), []);
  await tab.close();
  console.log(`${name}: ok`);
}

const picture = (tab, name) => tab.screenshot({ path: path.join(HEADWATER_PICTURES, name) });

try {
  const names = ["pond", "u-tube", "kettle", "dam-breach"];
  const here = names.map((library) => {
    const world = World.create({ library });
    world.step(60);
    return world.stateHash();
  });
  await on("index.html", async (tab) => {
    await tab.waitForFunction(() => window.hashes);
    assert.deepEqual(await tab.evaluate((names) => window.hashes(names, 60), names), here);
  });
  await on("canvas.html", async (tab) => {
    await tab.waitForFunction(() => window.headwaterSeen?.frames > 20);
    const before = await tab.evaluate(() => window.headwaterSeen);
    // Dig through the dam.
    await tab.mouse.click(430, 350);
    await tab.waitForFunction((time) => window.headwaterSeen.time > time + 40, before.time);
    await picture(tab, "canvas.png");
  });
  await on("three.html", async (tab) => {
    await tab.waitForFunction(() => window.headwaterSeen?.frames > 20);
    await picture(tab, "three.png");
  });
} finally {
  await browser.close();
}
