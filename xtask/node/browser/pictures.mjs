// Compares screenshots with reference pictures, which are those of the window tests
// (crates/headwater-playground/tests/pictures). The browser decodes the pictures. Only the mean
// colours of tiles are compared, because ripples and displayed numbers vary.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

// Size of a tile (pixels), and allowed mean and largest difference of the tile colours (of 255).
const TILE = 8;
const MEAN = 4;
const WORST = 140;

// Prints the difference between a screenshot (bytes of a PNG) and its reference picture, and fails
// if it is too large.
export async function compare(tab, png, name) {
  const path = new URL(`../../../crates/headwater-playground/tests/pictures/${name}.png`, import.meta.url);
  const pictures = [png, await readFile(path)].map((bytes) => bytes.toString("base64"));
  const [mean, worst] = await tab.evaluate(async ([[seen, kept], tile]) => {
    const pixels = async (text, scale) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const { width, height } = bitmap;
      const { data } = context.getImageData(0, 0, width, height);
      const [columns, rows] = [Math.floor(width / scale), Math.floor(height / scale)];
      const sums = new Float64Array(columns * rows * 3);
      for (let y = 0; y < rows * scale; y += 1) {
        for (let x = 0; x < columns * scale; x += 1) {
          const at = 3 * (Math.floor(y / scale) * columns + Math.floor(x / scale));
          for (let k = 0; k < 3; k += 1) sums[at + k] += data[4 * (y * width + x) + k] / scale ** 2;
        }
      }
      return sums;
    };
    const [one, other] = [await pixels(seen, tile), await pixels(kept, 1)];
    if (one.length !== other.length) return [NaN, NaN];
    let [sum, worst] = [0, 0];
    for (let i = 0; i < one.length; i += 3) {
      const apart = [0, 1, 2].reduce((all, k) => all + Math.abs(one[i + k] - other[i + k]), 0) / 3;
      sum += apart;
      worst = Math.max(worst, apart);
    }
    return [sum / (one.length / 3), worst];
  }, [pictures, TILE]);
  const words = `${name} differs by ${mean.toFixed(2)} on average, ${worst.toFixed(0)} in the worst tile`;
  assert.ok(mean <= MEAN && worst <= WORST, words);
  return words;
}

// Returns the number of distinct colours of a screenshot (bytes of a PNG), with five bits per
// channel.
export async function colours(tab, png) {
  return tab.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) {
      found.add(((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3));
    }
    return found.size;
  }, png.toString("base64"));
}
