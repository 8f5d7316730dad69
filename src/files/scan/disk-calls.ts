// The calls of node:fs that a scanner process makes. An import of node:fs would also load its streams, which takes a
// third of the time in which a scanner starts.
export const { closeSync, constants, lstatSync, openSync, readdirSync, readSync, realpathSync, statSync, writeSync } =
  process.getBuiltinModule("node:fs");
