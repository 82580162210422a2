// Downloads and starts the program, or shows which features the browser lacks. The program's status
// is available as `window.headwater`, for tests.

import { LOST, kept } from "./host.js";

const cover = document.getElementById("cover");
const message = document.getElementById("message");
const progress = document.getElementById("progress");
const errors = [];

addEventListener("error", (event) => fail(event.message));
addEventListener("unhandledrejection", (event) => fail(String(event.reason)));

window.headwater = {
  // Status of the last frame; null before the first frame.
  status: () => (window.headwaterProbe ? JSON.parse(window.headwaterProbe.json()) : null),
  // State hash of the world as hexadecimal digits. It is null until the frame after the first
  // request.
  hash() {
    window.headwaterProbe?.wantHash();
    return this.status()?.hash ?? null;
  },
  // Residual of the mass balance; null before the first frame.
  ledger: () => window.headwater.status()?.residual ?? null,
  tab: () => window.headwater.status()?.tab ?? null,
  scene: () => window.headwater.status()?.scene ?? null,
  // Number of drawn frames.
  frame: () => window.headwater.status()?.frames ?? 0,
  // Left, top, width and height of a widget in CSS pixels; null if the last frame did not show it.
  rect: (name) => window.headwater.status()?.rects[name] ?? null,
  // Errors of the page, then errors of the playground.
  errors: () => [...errors, ...(window.headwater.status()?.errors ?? [])],
  // Graphics API: "webgpu" or "webgl2"; null if neither is available.
  renderer: null,
};

function fail(reason) {
  errors.push(reason);
  cover.hidden = false;
  cover.classList.add("failed");
  message.textContent = reason;
}

// WebGPU is usable only if there is an adapter. Browsers without a suitable GPU still have the
// programming interface.
async function renderer() {
  try {
    if (await navigator.gpu?.requestAdapter()) return "webgpu";
  } catch {
    // If the request fails, WebGPU counts as unavailable.
  }
  return document.createElement("canvas").getContext("webgl2") ? "webgl2" : null;
}

// Downloads the program; `progress` is called with the downloaded fraction (0 to 1).
async function fetched(url, length, progress) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const parts = response.body.pipeThrough(new TransformStream({
    sum: 0,
    transform(part, out) {
      this.sum += part.byteLength;
      progress(this.sum / length);
      out.enqueue(part);
    },
  }));
  return new Response(parts, { headers: { "Content-Type": "application/wasm" } });
}

// Downloads and compiles the program. The size of the module is set when the page is built, because
// the length of a compressed transfer is that of the compressed data.
async function program() {
  const length = Number(document.documentElement.dataset.length) || Infinity;
  const bytes = await fetched("headwater-playground_bg.wasm", length, (part) => { progress.value = part; });
  const [glue, module] = await Promise.all([import("./headwater-playground.js"), WebAssembly.compileStreaming(bytes)]);
  await glue.default({ module_or_path: module });
  return glue;
}

async function main() {
  if (typeof WebAssembly !== "object") {
    return fail("This browser has no WebAssembly, which the playground is made of.");
  }
  window.headwater.renderer = await renderer();
  if (!window.headwater.renderer) {
    return fail(
      "This browser offers neither WebGPU nor WebGL2, and the playground draws with one of them.\n" +
      "Graphics may be switched off in its settings (“hardware acceleration”), or its version may be too old.",
    );
  }
  const glue = await program();
  message.textContent = "Filling the lakes …";
  // The address `?scene=pond` opens the scene `pond`, and a link opens the world that it contains.
  // Otherwise, the last world is restored.
  const scene = new URLSearchParams(location.search).get("scene") ?? undefined;
  const link = location.hash.length > 1 ? location.hash : undefined;
  // After a device loss the world is restored, regardless of the address.
  const lost = sessionStorage.getItem(LOST) ?? undefined;
  sessionStorage.removeItem(LOST);
  const world = (scene || link) && !lost ? undefined : (await kept("last")) ?? undefined;
  await (lost ? glue.play(undefined, undefined, world, lost) : glue.play(scene, link, world));
  const wait = () => {
    if (window.headwater.frame() > 0 && !cover.classList.contains("failed")) {
      cover.hidden = true;
      document.getElementById("playground").focus();
    } else if (!cover.classList.contains("failed")) {
      requestAnimationFrame(wait);
    }
  };
  wait();
}

// Another link in the same tab opens another world.
addEventListener("hashchange", () => location.reload());

main().catch((error) => fail(`The playground could not be started: ${error?.message ?? error}`));
