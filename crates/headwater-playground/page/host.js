// Functions that the page provides: file transfer, storage, and a description of the canvas.
// The program calls them as `headwaterHost` (src/host.rs).

const canvas = () => document.getElementById("playground");

// A key-value store in the browser. If the browser provides no storage, as in some private windows,
// nothing is saved.
const STORE = "worlds";
function store(mode, work) {
  return new Promise((resolve) => {
    let opening;
    try {
      opening = indexedDB.open("headwater", 1);
    } catch {
      return resolve(null);
    }
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => resolve(null);
    opening.onsuccess = () => {
      const base = opening.result;
      const act = base.transaction(STORE, mode);
      const asked = work(act.objectStore(STORE));
      act.oncomplete = () => { base.close(); resolve(asked.result ?? null); };
      act.onerror = act.onabort = () => { base.close(); resolve(null); };
    };
  });
}

// Returns the bytes stored under a name, or null.
export const kept = (name) => store("readonly", (all) => all.get(name));

// Session storage key under which the reason for a reload is saved.
export const LOST = "headwater-lost";

// Invisible elements at the positions of the program's widgets, for screen readers and keyboard
// navigation. Activating an element clicks its widget.
const shadows = new Map();
const ROLES = { tab: "tab", button: "button", switch: "checkbox", slider: "slider", label: "note", window: "group" };

async function press(id) {
  const { press } = await import("./headwater-playground.js");
  press(id);
}

window.headwaterHost = {
  download(name, bytes) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes.slice()]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    canvas().focus();
  },

  // Records the canvas as an animation and downloads it. Returns the file name.
  record(name, seconds) {
    return new Promise((resolve, reject) => {
      const types = { webm: "video/webm", mp4: "video/mp4" };
      const kind = Object.keys(types).find((one) => window.MediaRecorder?.isTypeSupported(types[one]));
      if (!kind || !canvas().captureStream) return reject("This browser cannot record a canvas.");
      const recorder = new MediaRecorder(canvas().captureStream(30), { mimeType: types[kind], videoBitsPerSecond: 8e6 });
      const parts = [];
      recorder.ondataavailable = ({ data }) => parts.push(data);
      recorder.onerror = () => reject("The browser has stopped recording.");
      recorder.onstop = async () => {
        const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
        window.headwaterHost.download(`${name}.${kind}`, bytes);
        resolve(`${name}.${kind}`);
      };
      recorder.start();
      setTimeout(() => recorder.stop(), seconds * 1000);
    });
  },

  pick(accept) {
    return new Promise((resolve, reject) => {
      const input = document.createElement("input");
      input.type = "file";
      input.accept = accept;
      const done = (answer) => { canvas().focus(); resolve(answer); };
      input.addEventListener("cancel", () => done(null));
      input.addEventListener("change", async () => {
        const file = input.files[0];
        if (!file) return done(null);
        try {
          done({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
        } catch (error) {
          reject(String(error));
        }
      });
      input.click();
    });
  },

  keep(name, bytes) {
    const copy = bytes.slice();
    store("readwrite", (all) => all.put(copy, name));
  },

  async restart(bytes, words) {
    const copy = bytes.slice();
    await store("readwrite", (all) => all.put(copy, "last"));
    sessionStorage.setItem(LOST, words);
    location.reload();
  },

  // Returns the state of the first gamepad: the values of four axes, then of sixteen buttons.
  pad() {
    let pads = [];
    try {
      pads = [...navigator.getGamepads()];
    } catch {
      // An embedded page may lack the permission to read gamepads.
    }
    const pad = pads.find((one) => one?.connected && one.mapping === "standard");
    if (!pad) return undefined;
    return Float32Array.from([...pad.axes.slice(0, 4), ...pad.buttons.slice(0, 16).map(({ value }) => value)]);
  },

  address(fragment) {
    const url = new URL(location.href);
    url.search = "";
    url.hash = fragment;
    history.replaceState(null, "", url);
    return url.href;
  },

  describe(text) {
    const tree = document.getElementById("tree");
    const widgets = JSON.parse(text);
    const seen = new Set();
    for (const { id, role, label, value, rect, on, off } of widgets) {
      seen.add(id);
      let element = shadows.get(id);
      if (!element) {
        element = document.createElement("div");
        if (role !== "label") {
          element.tabIndex = 0;
          element.addEventListener("click", () => press(id));
          element.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            press(id);
          });
        }
        shadows.set(id, element);
        tree.append(element);
      }
      const set = (name, what) => {
        if (what === undefined || what === null) element.removeAttribute(name);
        else if (element.getAttribute(name) !== String(what)) element.setAttribute(name, what);
      };
      set("role", ROLES[role] ?? "note");
      set("aria-label", value ? `${label}: ${value}` : label);
      set(role === "tab" ? "aria-selected" : "aria-pressed", on);
      set("aria-disabled", off ? true : null);
      const [left, top, width, height] = rect;
      element.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    }
    for (const [id, element] of shadows) {
      if (seen.has(id)) continue;
      element.remove();
      shadows.delete(id);
    }
  },
};
