
// --- Guards around the calls of the module. ---
//
// An exception that is thrown inside a function of the module skips its cleanup: the stack pointer
// is not reset, and the world stays borrowed. So no code of the caller runs inside the module:
// arguments are checked and objects copied before the call, which triggers getters, proxies and
// detached arrays outside. Exceptions that still occur inside (out of memory, stack overflow) mark
// that world as broken; other worlds go on.

/** Largest allowed nesting depth of lists and objects. No scene needs more. */
const DEEPEST = 64;

/** Numeric parameters of each method, by position. */
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

const makeError = (fault, key, found, allowed, cause) => {
  const message = `${key}: found ${found}, allowed is ${allowed}`;
  return Object.assign(new Error(message, { cause }), { name: "HeadwaterError", fault, key, found, allowed });
};

const ARRAYS = Object.fromEntries([Float32Array, Float64Array, Uint8Array].map((kind) => [kind.name, kind]));
const partOfArray = (name) => {
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name);
  return (array) => get.call(array);
};
const [kindOf, bufferOf, offsetOf, lengthOf] = [Symbol.toStringTag, "buffer", "byteOffset", "length"].map(partOfArray);

/** Returns a typed array of this realm on the same memory, without methods that the caller overrode. */
function array(given) {
  const kind = ARRAYS[kindOf(given)];
  if (kind === undefined) return given;
  try {
    return new kind(bufferOf(given), offsetOf(given), lengthOf(given));
  } catch {
    throw makeError("input", "an array", "a detached one", "one with its buffer");
  }
}

/** Returns a plain copy of an argument, without getters or proxies. */
function plainCopy(given, depth = 0) {
  if (typeof given !== "object" || given === null) return given;
  if (depth > DEEPEST) throw makeError("input", "a value", `lists or objects more than ${DEEPEST} deep`, "fewer");
  if (ArrayBuffer.isView(given)) return array(given);
  if (given instanceof Number || given instanceof String || given instanceof Boolean) return given.valueOf();
  if (Array.isArray(given)) return Array.from({ length: given.length }, (_, i) => plainCopy(given[i], depth + 1));
  if (typeof given.toJSON === "function") return plainCopy(given.toJSON(), depth + 1);
  const entries = given instanceof Map ? [...given] : Object.entries(given);
  return Object.fromEntries(entries.map(([name, value]) => [name, plainCopy(value, depth + 1)]));
}

/** Returns the checked arguments of a call. */
function parameters(name, given) {
  const all = given.map((value) => plainCopy(value));
  for (const [place, what] of Object.entries(NUMBERS[name] ?? {})) {
    if (typeof all[place] === "number") continue;
    const found = all[place] === null ? "null" : typeof all[place];
    throw makeError("input", what, found, "a number");
  }
  return all;
}

/** State of the calls of each world. */
const states = new WeakMap();
/** Number of active calls of the module, and its initial stack pointer. */
let activeCalls = 0;
let stack;

function guarded(name, call) {
  return function (...given) {
    if (wasm === undefined) throw makeError("input", "the module", "one that is not initialised", "one after `await init()`");
    let state;
    if (call.ofWorld) {
      state = states.get(this);
      if (state?.broken) {
        if (name === "destroy") return undefined;
        throw makeError("broken", "world", `broken by an earlier call: ${state.broken}`, "an intact world", state.broken);
      }
      if (!(this instanceof World) || !this.__wbg_ptr) throw makeError("input", "world", "something else", "a result of `World.create`");
      if (state === undefined) states.set(this, (state = {}));
    }
    const all = parameters(name, given);
    // Exceptions of the caller's callback leave the module in an orderly way, and are rethrown
    // unchanged.
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
    if (activeCalls === 0) {
      stack ??= wasm.__stack_pointer.value;
      wasm.__stack_pointer.value = stack;
    }
    activeCalls += 1;
    try {
      return call.does.apply(this, all);
    } catch (error) {
      if (error?.name === "HeadwaterError" || (thrown !== undefined && thrown.error === error)) throw error;
      if (state !== undefined) {
        state.broken = error;
        // The memory of the world may be inconsistent, so the world is never used again.
        this.__destroy_into_raw();
      }
      throw makeError("broken", call.ofWorld ? "world" : "the module", `${error}`, "a call that completes", error);
    } finally {
      activeCalls -= 1;
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
// `destroy` is the only way to free a world.
World.prototype.free = World.prototype.destroy;
if (Symbol.dispose) World.prototype[Symbol.dispose] = World.prototype.destroy;
World.create = guarded("create", { does: World.create });
check = guarded("check", { does: check });
sceneText = guarded("sceneText", { does: sceneText });
scenes = guarded("scenes", { does: scenes });
