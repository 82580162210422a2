// Fetches the program and starts it; says in words what a browser lacks. What the program tells of itself is read as
// `window.headwater`, by tests and by whoever is curious.

import { LOST, kept } from "./host.js";

const cover = document.getElementById("cover");
const message = document.getElementById("message");
const progress = document.getElementById("progress");
const errors = [];

addEventListener("error", (event) => fail(event.message));
addEventListener("unhandledrejection", (event) => fail(String(event.reason)));

window.headwater = {
  // What there is to know of the last frame, or null before the first.
  status: () => (window.headwaterProbe ? JSON.parse(window.headwaterProbe.json()) : null),
  // The world's state_hash as hexadecimal digits; null until the frame after the first time it is asked for.
  hash() {
    window.headwaterProbe?.wantHash();
    return this.status()?.hash ?? null;
  },
  // What the water's books are missing.
  ledger: () => window.headwater.status()?.residual ?? null,
  tab: () => window.headwater.status()?.tab ?? null,
  scene: () => window.headwater.status()?.scene ?? null,
  // How many frames were drawn.
  frame: () => window.headwater.status()?.frames ?? 0,
  // Left, top, width and height of a widget in CSS pixels, or null if the last frame did not show it.
  rect: (name) => window.headwater.status()?.rects[name] ?? null,
  // What went wrong: in the page, then what the playground showed.
  errors: () => [...errors, ...(window.headwater.status()?.errors ?? [])],
  // What draws: "webgpu" or "webgl2"; null where neither does.
  renderer: null,
};

function fail(reason) {
  errors.push(reason);
  cover.hidden = false;
  cover.classList.add("failed");
  message.textContent = reason;
}

// WebGPU only counts with an adapter: browsers without a suitable GPU have the interface all the same.
async function renderer() {
  try {
    if (await navigator.gpu?.requestAdapter()) return "webgpu";
  } catch {
    // As good as none.
  }
  return document.createElement("canvas").getContext("webgl2") ? "webgl2" : null;
}

// The program's bytes; `progress` is called with how much of it is there (0 to 1).
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

// The program, fetched and made, ready to play. How long its module is only the page's maker knows: compressed on the way,
// a file says the length of what travels.
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
  // `?scene=pond` opens that scene, a link its world; else it goes on where it was left.
  const scene = new URLSearchParams(location.search).get("scene") ?? undefined;
  const link = location.hash.length > 1 ? location.hash : undefined;
  // Where the GPU was lost, it goes on there whatever the address says.
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

// Another link in the same tab is another world.
addEventListener("hashchange", () => location.reload());

main().catch((error) => fail(`The playground could not be started: ${error?.message ?? error}`));
