// Takes the screenshots of the page for the documents: each tab at four window sizes, and the
// frames of a tour in which a dam is breached and the camera follows the flood. `cargo xtask
// browser-pictures` runs this script. `--only 1920` selects one window width, and `--only tour` the
// tour. docs/playground-pictures.sh copies the results.

import { Page } from "./page.mjs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

const FOLDER = process.env.HEADWATER_PICTURES;
const ONLY = process.env.HEADWATER_ONLY ?? "";

const TABS = ["flow", "waves", "blocks", "columns", "hydrology"];
// Window sizes, each with the reduction factor of its picture.
const SIZES = [
  { width: 1280, height: 800, less: 2 },
  { width: 1920, height: 1080, less: 2.5 },
  { width: 768, height: 1024, less: 2 },
  { width: 390, height: 844, less: 1.3, touch: true },
];

// Converts a screenshot (bytes of a PNG) to a smaller JPEG.
async function small(tab, png, less, quality = 0.72) {
  const text = await tab.evaluate(async ([text, less, quality]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const size = [bitmap.width, bitmap.height].map((side) => Math.round(side / less));
    const canvas = new OffscreenCanvas(...size);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, ...size);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
    const out = new Uint8Array(await blob.arrayBuffer());
    let letters = "";
    for (const byte of out) letters += String.fromCharCode(byte);
    return btoa(letters);
  }, [png.toString("base64"), less, quality]);
  return Buffer.from(text, "base64");
}

async function turn_to(page, model) {
  if ((await page.status()).tab === model) return;
  const { rects } = await page.status();
  // On phones, the tabs are in a menu.
  if (!rects[`tab.${model}`]) await page.click("menu.tabs");
  await page.click(`tab.${model}`);
  await page.until((status) => status.tab === model, `the tab ${model} opens`);
}

// Runs or pauses the world with a key, which works at any frame rate.
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

// The tour: pictures of the world at a fixed frame rate and a fixed number of steps per frame.
const TOUR = { width: 1280, height: 720, steps: 6 };
// Number of pictures during which the dam is dug through.
const DIG = 20;

// Camera path in segments: number of pictures, rotation per picture (points), zoom per picture
// (below 0: closer).
const LEGS = [
  { count: 14, turn: [4, 1], wheel: -10 },
  { count: 32, turn: [4, 1], wheel: -6 },
  { count: 16, turn: [3, 0], wheel: 4 },
];

async function tour() {
  const { width, height, steps } = TOUR;
  const folder = path.join(FOLDER, "tour");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const page = await Page.open("webgpu", { size: { width, height } });
  const { mouse, keyboard } = page.tab;
  await run(page, false);
  for (const panel of ["button.inspector", "button.shelf"]) await page.click(panel);
  let number = 0;
  // Performs some steps and takes a picture.
  const shot = async () => {
    const { steps: before } = await page.status();
    for (let i = 0; i < steps; i += 1) await keyboard.press(".");
    await page.tab.waitForFunction((goal) => window.headwater.status().steps >= goal, before + steps);
    const [x, y, wide, high] = (await page.status()).rects.worlds;
    const clip = { x, y, width: wide, height: high };
    const name = `${String(number).padStart(4, "0")}.png`;
    await page.tab.screenshot({ path: path.join(folder, name), clip });
    number += 1;
  };
  // Dig is selected, and the hint points to the dam, 70 points below its centre.
  const [left, top, wide, high] = (await page.status()).rects.hint;
  const dam = [left + wide / 2, top + high / 2 + 70];
  await mouse.move(...dam);
  for (let i = 0; i < 4; i += 1) await shot();
  await mouse.down();
  for (let i = 0; i < DIG; i += 1) {
    // Dig back and forth across the crest.
    const way = Math.sin(i * 0.9) * 12;
    await mouse.move(dam[0] + way, dam[1] - 0.15 * way);
    await shot();
  }
  await mouse.up();
  await keyboard.press("Escape");
  // The camera zooms toward the mouth of the valley.
  const middle = [width * 0.64, height * 0.37];
  await mouse.move(...middle);
  let at = middle;
  await mouse.down({ button: "right" });
  for (const { count, turn, wheel } of LEGS) {
    for (let i = 0; i < count; i += 1) {
      at = [at[0] + turn[0], at[1] + turn[1]];
      await mouse.move(...at);
      await mouse.wheel(0, wheel);
      await shot();
    }
  }
  await mouse.up({ button: "right" });
  // Take a picture of the whole window as well.
  await mouse.move(1, 1);
  for (const panel of ["button.shelf", "button.inspector"]) await page.click(panel);
  await page.next();
  const png = await page.picture("playground-flood");
  await writeFile(path.join(FOLDER, "playground-flood.jpg"), await small(page.tab, png, 1, 0.85));
  console.log(`tour: ${number} pictures in ${folder}`);
  await page.end();
}

if (!ONLY || Number(ONLY)) await tabs();
if (!ONLY || ONLY === "tour") await tour();
