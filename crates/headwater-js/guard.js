
// --- What stands between those who call and the module. ---
//
// What is thrown while a function of the module is at work goes through it without being noticed: its stack stays as long as it was, and the
// world stays taken. So nothing of the caller's is run in there: numbers are looked at and objects are copied before, by which getters, proxies
// and arrays whose memory is gone tell of themselves outside. What is thrown inside all the same (memory or stack that is full) breaks that
// world, which says so from then on, and no other.

/** How deep lists and objects may lie in one another: no scene has more. */
const DEEPEST = 64;

/** Which parameters are numbers, by their places. */
const NUMBERS = {
  advance: { 0: "time" },
  step: { 0: "count" },
  center: { 0: "column", 1: "row" },
  at: { 0: "x", 1: "y" },
  edit: { 2: "amount" },
  addSpring: { 1: "rate" },
  setSpring: { 0: "id", 2: "rate" },
  removeSpring: { 0: "id" },
  addDrain: { 1: "rate" },
  setDrain: { 0: "id", 2: "rate" },
  removeDrain: { 0: "id" },
  setBody: { 0: "id" },
  removeBody: { 0: "id" },
};

const told = (fault, key, found, allowed, cause) => {
  const message = `${key}: found ${found}, allowed is ${allowed}`;
  return Object.assign(new Error(message, { cause }), { name: "HeadwaterError", fault, key, found, allowed });
};

const ARRAYS = Object.fromEntries([Float32Array, Float64Array, Uint8Array].map((kind) => [kind.name, kind]));
const partOfArray = (name) => {
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name);
  return (array) => get.call(array);
};
const [kindOf, bufferOf, offsetOf, lengthOf] = [Symbol.toStringTag, "buffer", "byteOffset", "length"].map(partOfArray);

/** A typed array of this realm on the same memory, with methods of its own. */
function array(given) {
  const kind = ARRAYS[kindOf(given)];
  if (kind === undefined) return given;
  try {
    return new kind(bufferOf(given), offsetOf(given), lengthOf(given));
  } catch {
    throw told("input", "an array", "one whose memory was handed on", "one that has its memory");
  }
}

/** What was given, without anything that runs when it is looked at. */
function taken(given, depth = 0) {
  if (typeof given !== "object" || given === null) return given;
  if (depth > DEEPEST) throw told("input", "a value", `lists or objects more than ${DEEPEST} deep`, "fewer");
  if (ArrayBuffer.isView(given)) return array(given);
  if (given instanceof Number || given instanceof String || given instanceof Boolean) return given.valueOf();
  if (Array.isArray(given)) return Array.from({ length: given.length }, (_, i) => taken(given[i], depth + 1));
  if (typeof given.toJSON === "function") return taken(given.toJSON(), depth + 1);
  const entries = given instanceof Map ? [...given] : Object.entries(given);
  return Object.fromEntries(entries.map(([name, value]) => [name, taken(value, depth + 1)]));
}

/** The parameters of a call. */
function parameters(name, given) {
  const all = given.map((value) => taken(value));
  for (const [place, what] of Object.entries(NUMBERS[name] ?? {})) {
    if (typeof all[place] === "number") continue;
    const found = all[place] === null ? "null" : typeof all[place];
    throw told("input", what, found, "a number");
  }
  return all;
}

/** What worlds have gone through. */
const states = new WeakMap();
/** How many calls are at work in the module, and where its stack begins. */
let atWork = 0;
let stack;

function guarded(name, call) {
  return function (...given) {
    if (wasm === undefined) throw told("input", "the module", "one that is not loaded", "one that `await init()` has loaded");
    let state;
    if (call.ofWorld) {
      state = states.get(this);
      if (state?.broken) {
        if (name === "destroy") return undefined;
        throw told("broken", "world", `what an earlier call broke: ${state.broken}`, "one that is whole", state.broken);
      }
      if (!(this instanceof World) || !this.__wbg_ptr) throw told("input", "world", "something else", "what `World.create` gave");
      if (state === undefined) states.set(this, (state = {}));
    }
    const all = parameters(name, given);
    // What a caller's function throws comes out as it is, and its way through the module is an orderly one.
    let thrown;
    const last = all.length - 1;
    if (typeof all[last] === "function") {
      const ask = all[last];
      all[last] = (at) => {
        try {
          return ask(at);
        } catch (error) {
          thrown = { error };
          throw error;
        }
      };
    }
    if (atWork === 0) {
      stack ??= wasm.__stack_pointer.value;
      wasm.__stack_pointer.value = stack;
    }
    atWork += 1;
    try {
      return call.does.apply(this, all);
    } catch (error) {
      if (error?.name === "HeadwaterError" || (thrown !== undefined && thrown.error === error)) throw error;
      if (state !== undefined) {
        state.broken = error;
        // Nobody knows what it is like inside: it is never looked at again.
        this.__destroy_into_raw();
      }
      throw told("broken", call.ofWorld ? "world" : "the module", `${error}`, "a call that comes to its end", error);
    } finally {
      atWork -= 1;
    }
  };
}

for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(World.prototype))) {
  if (["constructor", "__destroy_into_raw", "free"].includes(name)) continue;
  for (const kind of ["get", "value"]) {
    if (typeof own[kind] === "function") own[kind] = guarded(name, { does: own[kind], ofWorld: true });
  }
  Object.defineProperty(World.prototype, name, own);
}
// There is one way to give a world back.
World.prototype.free = World.prototype.destroy;
if (Symbol.dispose) World.prototype[Symbol.dispose] = World.prototype.destroy;
World.create = guarded("create", { does: World.create });
check = guarded("check", { does: check });
sceneText = guarded("sceneText", { does: sceneText });
scenes = guarded("scenes", { does: scenes });
