// Password managers' exports, as their programs write them, are detected, and no other file is.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HEAD_BYTES } from "../../src/collect/importer.ts";
import { secretsIn } from "../../src/collect/secrets.ts";
import { noSamples } from "./samples.ts";

const files = (folder: string): string[] =>
  readdirSync(join(process.env.PDPP_SAMPLES!, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
const told = (path: string) => secretsIn(path, readFileSync(path).subarray(0, HEAD_BYTES));

describe.skipIf(noSamples)("I-08 secrets", () => {
  it("every password manager's export is detected", () => {
    const exports = files("second-round/passwords");
    expect(exports).toHaveLength(25);
    expect(exports.filter((path) => told(path) === undefined)).toEqual([]);
  });

  it("no other sample is detected as a password manager's export", () => {
    const others = files(".").filter((path) => !path.includes("/passwords/"));
    expect(others.length).toBeGreaterThan(1000);
    expect(others.filter((path) => told(path) !== undefined)).toEqual([]);
  });
});
