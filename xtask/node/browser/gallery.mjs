// Pictures of the page for the documents: each tab in windows of four sizes, small.
// `cargo xtask browser-pictures` runs this; docs/playground-pictures.sh puts what comes of it into docs/images.

import { Page } from "./page.mjs";
import { writeFile } from "node:fs/promises";
import path from "node:path";

const FOLDER = process.env.HEADWATER_PICTURES;
const ONLY = process.env.HEADWATER_ONLY ?? "";

const TABS = ["flow", "waves", "blocks", "columns", "hydrology"];
// Windows, and how many times as small their pictures are.
const SIZES = [
  { width: 1280, height: 800, less: 2 },
  { width: 1920, height: 1080, less: 2.5 },
  { width: 768, height: 1024, less: 2 },
  { width: 390, height: 844, less: 1.3, touch: true },
];

// A picture of the page (bytes of a PNG), smaller, as a JPEG.
async function small(tab, png, less) {
  const text = await tab.evaluate(async ([text, less]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const size = [bitmap.width, bitmap.height].map((side) => Math.round(side / less));
    const canvas = new OffscreenCanvas(...size);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, ...size);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.72 });
    const out = new Uint8Array(await blob.arrayBuffer());
    let letters = "";
    for (const byte of out) letters += String.fromCharCode(byte);
    return btoa(letters);
  }, [png.toString("base64"), less]);
  return Buffer.from(text, "base64");
}

async function turn_to(page, model) {
  if ((await page.status()).tab === model) return;
  const { rects } = await page.status();
  // A phone has its tabs in a menu.
  if (!rects[`tab.${model}`]) await page.click("menu.tabs");
  await page.click(`tab.${model}`);
  await page.until((status) => status.tab === model, `the tab ${model} opens`);
}

// Has the world run or stand: by a key, which is one however long frames are.
async function run(page, on) {
  if ((await page.status()).running !== on) await page.tab.keyboard.press("Space");
  await page.until((status) => status.running === on, on ? "running" : "standing");
}

async function tabs() {
  for (const { width, height, less, touch = false } of SIZES) {
    if (!["", String(width)].includes(ONLY)) continue;
    const page = await Page.open("webgpu", { touch, size: { width, height } });
    for (const model of TABS) {
      await turn_to(page, model);
      await run(page, true);
      const goal = model === "hydrology" ? 0.3 : 2;
      await page.until((status) => status.time > goal, "something goes on");
      await run(page, false);
      await page.tab.mouse.move(1, 1);
      await page.next();
      const name = `playground-${model}-${width}x${height}`;
      const png = await page.picture(name);
      await writeFile(path.join(FOLDER, `${name}.jpg`), await small(page.tab, png, less));
      console.log(name);
    }
    await page.end();
  }
}

await tabs();
