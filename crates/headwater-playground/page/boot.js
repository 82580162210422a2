// Fetches the program and starts it; says in words what a browser lacks. What the program tells of itself is read as
// `window.headwater`, by tests and by whoever is curious.

const cover = document.getElementById("cover");
const message = document.getElementById("message");
const progress = document.getElementById("progress");
const errors = [];

addEventListener("error", (event) => fail(event.message));
addEventListener("unhandledrejection", (event) => fail(String(event.reason)));

window.headwater = {
  // All that the last frame told, or null before the first.
  told: () => (window.headwaterProbe ? JSON.parse(window.headwaterProbe.json()) : null),
  // The world's state_hash as hexadecimal digits; null until the frame after the first time it is asked for.
  hash() {
    window.headwaterProbe?.wantHash();
    return this.told()?.hash ?? null;
  },
  // What the water's books are missing.
  ledger: () => window.headwater.told()?.residual ?? null,
  tab: () => window.headwater.told()?.tab ?? null,
  scene: () => window.headwater.told()?.scene ?? null,
  // How many frames were drawn.
  frame: () => window.headwater.told()?.frames ?? 0,
  // Left, top, width and height of a widget in CSS pixels, or null if the last frame did not show it.
  rect: (name) => window.headwater.told()?.rects[name] ?? null,
  // What went wrong: in the page, then what the playground showed.
  errors: () => [...errors, ...(window.headwater.told()?.errors ?? [])],
  // What draws: "webgpu" or "webgl2"; null where neither does.
  renderer: null,
  // On how many threads worlds are stepped.
  threads: 1,
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

// The program's bytes; `told` is called with how much of it is there (0 to 1).
async function fetched(url, length, told) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const parts = response.body.pipeThrough(new TransformStream({
    sum: 0,
    transform(part, out) {
      this.sum += part.byteLength;
      told(this.sum / length);
      out.enqueue(part);
    },
  }));
  return new Response(parts, { headers: { "Content-Type": "application/wasm" } });
}

// The program, fetched and made. How long its module is only the page's maker knows: compressed on the way, a file says
// the length of what travels.
async function program(name, length) {
  const bytes = await fetched(`${name}_bg.wasm`, length || Infinity, (part) => { progress.value = part; });
  const [glue, module] = await Promise.all([import(`./${name}.js`), WebAssembly.compileStreaming(bytes)]);
  const { memory } = await glue.default({ module_or_path: module });
  return { glue, module, memory };
}

// How many threads worlds may be stepped on: those of the machine, few enough to be worth it, where the page is isolated
// from others and has a module for them. `?threads=N` asks for other than that.
function threads() {
  if (!("threads" in document.documentElement.dataset) || !window.crossOriginIsolated) return 1;
  const asked = Math.trunc(Number(new URLSearchParams(location.search).get("threads")));
  return Math.max(1, Math.min(asked || navigator.hardwareConcurrency || 1, 16));
}

// A thread of the program, as soon as it waits for work.
function worker(message) {
  return new Promise((ready, failed) => {
    const made = new Worker("worker.js", { type: "module" });
    made.onmessage = () => ready(made);
    made.onerror = (event) => {
      // Told here and not to the page, which can do without.
      event.preventDefault();
      failed(new Error(event.message ?? "a worker could not be started"));
    };
    made.postMessage(message);
  });
}

// The program on several threads.
async function together(count, length) {
  const { glue, module, memory } = await program("headwater-playground-threads", length);
  // Kept: browsers may end workers that nobody holds.
  window.headwater.workers = await Promise.all(Array.from({ length: count - 1 }, () => worker({ module, memory })));
  glue.gather(count - 1);
  window.headwater.threads = count;
  return glue;
}

// The program on one thread or several, ready to play.
async function ready() {
  const { length, threads: lengthTogether } = document.documentElement.dataset;
  const count = threads();
  if (count > 1) {
    try {
      return await together(count, Number(lengthTogether));
    } catch (error) {
      // A page may be allowed too little memory, or no workers.
      console.warn(`on one thread, for: ${error?.message ?? error}`);
    }
  }
  return (await program("headwater-playground", Number(length))).glue;
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
  const glue = await ready();
  message.textContent = "Filling the lakes …";
  await glue.play();
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

main().catch((error) => fail(`The playground could not be started: ${error?.message ?? error}`));
