// The calls of node:fs that a scanner process makes. Importing node:fs would also load its streams, which takes a
// third of a scanner's startup time.
export const { closeSync, constants, lstatSync, openSync, readdirSync, readSync, realpathSync, statSync, writeSync } =
  process.getBuiltinModule("node:fs");
