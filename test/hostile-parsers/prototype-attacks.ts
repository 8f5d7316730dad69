// Attacks that modify built-in objects before they import a module. The list of allowed modules must not depend on
// those objects.
import Module, { createRequire } from "node:module";
import type { Targets } from "./attacks.ts";

type Attack = (targets: Targets) => unknown;
type Members = Record<PropertyKey, unknown>;

const require = createRequire(import.meta.url);
const { defineProperty, getOwnPropertyDescriptor } = Object;
const load = (Module as unknown as { _load(...all: unknown[]): unknown })._load;

/** Tries every way to load a module. Returns the first result, and throws if no way works. */
async function reach(name: "net" | "sqlite" | "worker_threads"): Promise<unknown> {
  const ways = [
    () => process.getBuiltinModule(name),
    () => require(`node:${name}`),
    () => require(name),
    () => new Module("x").require(`node:${name}`),
    () => load(name, null, false),
    () => load(name, null, false, { shouldSkipModuleHooks: true }),
    () => load(`node:${name}`, null, false, { shouldSkipModuleHooks: true }),
    () => load("fs", null, false, { resolved: { url: "node:fs", format: "builtin", filename: name } }),
    () => load(`node:${name}`, null, false, { resolved: { url: `node:${name}`, format: "builtin", filename: name } }),
    () => import(/* @vite-ignore */ `node:${name}`),
    () => import(/* @vite-ignore */ name),
  ];
  for (const way of ways) {
    try {
      const found = (await way()) as Members;
      if (found.Socket ?? found.DatabaseSync ?? found.Worker) return found;
    } catch {
      // This way is blocked.
    }
  }
  throw new Error("every way is blocked");
}

/** Tries every way to load a module while `target[name]` is replaced. */
function changed(target: object, name: PropertyKey, change: PropertyDescriptor): Attack {
  return async () => {
    const before = getOwnPropertyDescriptor(target, name);
    defineProperty(target, name, { configurable: true, ...change });
    try {
      return await Promise.any([reach("net"), reach("sqlite"), reach("worker_threads")]);
    } finally {
      if (before === undefined) Reflect.deleteProperty(target, name);
      else defineProperty(target, name, before);
    }
  };
}

const answers = (value: unknown): PropertyDescriptor => ({ value: () => value, writable: true });

const CHANGES: Record<string, [object, PropertyKey, PropertyDescriptor]> = {
  "Set.prototype.has": [Set.prototype, "has", answers(true)],
  "Map.prototype.has": [Map.prototype, "has", answers(true)],
  "Map.prototype.get": [Map.prototype, "get", answers(true)],
  "String.prototype.startsWith": [String.prototype, "startsWith", answers(false)],
  "String.prototype.slice": [String.prototype, "slice", answers("fs")],
  "String.prototype.replace": [String.prototype, "replace", answers("node:fs")],
  "String.prototype.includes": [String.prototype, "includes", answers(true)],
  "String.prototype.indexOf": [String.prototype, "indexOf", answers(-1)],
  "Array.prototype.includes": [Array.prototype, "includes", answers(true)],
  "Array.prototype.some": [Array.prototype, "some", answers(true)],
  "Array.prototype.indexOf": [Array.prototype, "indexOf", answers(0)],
  "RegExp.prototype.test": [RegExp.prototype, "test", answers(true)],
  "RegExp.prototype.exec": [RegExp.prototype, "exec", answers(null)],
  "RegExp.prototype[Symbol.replace]": [RegExp.prototype, Symbol.replace, answers("node:fs")],
  "RegExp.prototype[Symbol.match]": [RegExp.prototype, Symbol.match, answers(null)],
  "Function.prototype.call": [Function.prototype, "call", answers(true)],
  "Function.prototype.apply": [Function.prototype, "apply", answers(true)],
  "Function.prototype.bind": [Function.prototype, "bind", answers(() => ({ url: "node:net", format: "builtin" }))],
  "Reflect.apply": [Reflect, "apply", answers(true)],
  "Reflect.has": [Reflect, "has", answers(true)],
  "Reflect.get": [Reflect, "get", answers(true)],
  "Object.hasOwn": [Object, "hasOwn", answers(true)],
  "Object.prototype.hasOwnProperty": [Object.prototype, "hasOwnProperty", answers(true)],
  "Object.prototype['node:net']": [Object.prototype, "node:net", { value: true }],
  "Object.prototype['node:sqlite']": [Object.prototype, "node:sqlite", { value: true }],
  "Object.prototype.shouldSkipModuleHooks": [Object.prototype, "shouldSkipModuleHooks", { value: true }],
  // Node keeps its hooks in a list. An attacker's value at the second index would be used as a hook.
  "Array.prototype[1]": [
    Array.prototype,
    1,
    { set: () => undefined, get: () => () => ({ __proto__: null, url: "node:net", format: "builtin" }) },
  ],
  "Object.prototype[1]": [
    Object.prototype,
    1,
    { set: () => undefined, get: () => () => ({ __proto__: null, url: "node:net", format: "builtin" }) },
  ],
  "Module._resolveFilename": [Module, "_resolveFilename", answers("net")],
  nothing: [{}, "x", answers(1)],
};

export const PROTOTYPE_ATTACKS: Record<string, Attack> = {
  ...Object.fromEntries(
    Object.entries(CHANGES).map(([name, change]) => [`load a module after changing ${name}`, changed(...change)]),
  ),
  "give Array.prototype another prototype": () => {
    Object.setPrototypeOf(Array.prototype, new Proxy({}, {}));
    Object.setPrototypeOf(Array.prototype, Object.prototype);
  },
  "say that everything is permitted, and open a database": async ({ database }) => {
    const { openReadOnly } = await import("../../src/sandbox/read-only-database.ts");
    const has = (): boolean => true;
    for (const [target, name] of [
      [process, "permission"],
      [globalThis, "process"],
    ] as const) {
      const before = getOwnPropertyDescriptor(target, name)!;
      try {
        defineProperty(target, name, { value: { permission: { has }, has }, configurable: true });
        return openReadOnly(database);
      } catch {
        // Other tests cover this error.
      } finally {
        defineProperty(target, name, before);
      }
    }
    throw new Error("held");
  },
  "name one file to the check and another to SQLite": async ({ database }) => {
    const { openReadOnly } = await import("../../src/sandbox/read-only-database.ts");
    const path = new URL(import.meta.url).pathname;
    let asked = 0;
    const shifty = { toString: () => (asked++ === 0 ? path : database), pathname: path, href: `file://${database}` };
    return openReadOnly(shifty as unknown as string);
  },
};
