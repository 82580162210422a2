// A page of the playground in a browser. Its state is read through `window.headwater`
// (crates/headwater-playground/page/boot.js); input goes through mouse, keyboard and touch.

import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import path from "node:path";

const { HEADWATER_PAGE, HEADWATER_BROWSER, HEADWATER_PICTURES } = process.env;

// These flags start Chromium with SwiftShader instead of a GPU.
const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];
const WEBGPU = [
  "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
];

// Timeout of operations that are nearly instantaneous on an idle machine (ms).
const PATIENCE = 60_000;

export class Page {
  // Opens the playground with a renderer, "webgpu" or "webgl2", and waits for its first frame. `at`
  // is appended to the page's URL. `script` is run before the scripts of the page.
  static async open(renderer, { touch = false, at = "", size = { width: 1280, height: 800 }, script } = {}) {
    const args = renderer === "webgpu" ? [...FLAGS, ...WEBGPU] : FLAGS;
    const browser = await chromium.launch({ executablePath: HEADWATER_BROWSER, args });
    const context = await browser.newContext({
      viewport: size, hasTouch: touch, colorScheme: "dark",
    });
    const tab = await context.newPage();
    tab.setDefaultTimeout(PATIENCE);
    const page = new Page(browser, tab);
    tab.on("console", (message) => {
      if (message.type() === "error") page.complaints.push(message.text());
    });
    tab.on("pageerror", (error) => page.complaints.push(String(error)));
    tab.on("crash", () => page.complaints.push("the page crashed"));
    if (script) await tab.addInitScript(script);
    // Emulates a browser without WebGPU.
    if (renderer === "webgl2") await tab.addInitScript(() => delete Navigator.prototype.gpu);
    try {
      await tab.goto(HEADWATER_PAGE + at);
      await page.begun();
      assert.equal(await tab.evaluate(() => window.headwater.renderer), renderer);
    } catch (error) {
      await page.close();
      throw new Error(`${error.message}\n${page.complaints.join("\n")}`);
    }
    return page;
  }

  // Waits for the first frame.
  async begun() {
    await this.tab.waitForFunction(() => window.headwater.frame() > 0 || window.headwater.errors().length > 0);
    this.sound();
  }

  constructor(browser, tab) {
    this.browser = browser;
    this.tab = tab;
    // Console errors and exceptions, in order.
    this.complaints = [];
  }

  // Fails if there was a console error or an exception.
  sound() {
    assert.deepEqual(this.complaints, []);
  }

  // Closes the browser. Fails if the page or the playground reported an error.
  async end() {
    try {
      assert.deepEqual(await this.tab.evaluate(() => window.headwater.errors()), []);
      this.sound();
    } finally {
      await this.close();
    }
  }

  async close() {
    await this.browser.close();
  }

  // Returns the status of the last frame.
  async status() {
    return this.tab.evaluate(() => window.headwater.status());
  }

  // Waits for a frame drawn after this call and returns its status.
  async next() {
    const { frames } = await this.status();
    // An idle playground draws only if there is input.
    const wait = this.tab.waitForFunction((before) => window.headwater.frame() > before + 1, frames);
    const stir = setInterval(() => this.stir(), 200);
    await this.stir();
    try {
      await wait;
    } finally {
      clearInterval(stir);
    }
    return this.status();
  }

  async stir() {
    this.stirred = !this.stirred;
    await this.tab.mouse.move(2 + Number(this.stirred), 2).catch(() => {});
  }

  // Waits for a frame with a state hash and returns the hash.
  async hash() {
    await this.tab.evaluate(() => window.headwater.hash());
    await this.next();
    // It takes a few frames to read a world back from the GPU.
    return (await this.until((status) => status.hash, "a hash")).hash;
  }

  // Waits until `test` holds for the status, and returns the status.
  async until(test, what) {
    for (const end = Date.now() + PATIENCE; Date.now() < end;) {
      const status = await this.next();
      if (test(status)) return status;
    }
    const { samples, rects, ...status } = await this.status();
    throw new Error(`did not happen: ${what}; last status: ${JSON.stringify(status)}; there are ${Object.keys(rects)}`);
  }

  // Returns the left, top, width and height of a widget (CSS pixels).
  async rect(name) {
    const rect = (await this.status()).rects[name];
    assert.ok(rect, `there is no ${name} on the page`);
    return rect;
  }

  // Clicks the centre of a widget.
  async click(name) {
    const [left, top, width, height] = await this.rect(name);
    await this.tab.mouse.click(left + width / 2, top + height / 2);
    await this.next();
  }

  // Drags across the canvas. The points are given as fractions of its width and height.
  async draw(from, to, { hold = 0 } = {}) {
    const [left, top, width, height] = await this.rect("canvas");
    const at = ([x, y]) => [left + x * width, top + y * height];
    await this.tab.mouse.move(...at(from));
    await this.tab.mouse.down();
    await this.tab.mouse.move(...at(to), { steps: 8 });
    if (hold) await this.tab.waitForTimeout(hold);
    await this.tab.mouse.up();
  }

  // Pauses or runs the world.
  async run(on) {
    if ((await this.status()).running !== on) await this.click("button.run");
    await this.until((status) => status.running === on, on ? "running" : "pausing");
  }

  // Saves a screenshot for inspection and returns its bytes.
  async picture(name) {
    return this.tab.screenshot({ path: path.join(HEADWATER_PICTURES, `${name}.png`) });
  }
}
