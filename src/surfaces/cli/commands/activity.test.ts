// The output that a person sees while the audit log is verified.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CommandContext } from "../command.ts";
import { activity } from "./activity.ts";

const isTTY = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
let shown: string;
beforeEach(() => {
  shown = "";
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  vi.spyOn(process.stderr, "write").mockImplementation((part) => {
    shown += String(part);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  if (isTTY === undefined) Reflect.deleteProperty(process.stderr, "isTTY");
  else Object.defineProperty(process.stderr, "isTTY", isTTY);
});

/** Runs a verification that ends once its progress has been read, or immediately for JSON. */
async function verify(json: boolean): Promise<{ out: string; asked: string[] }> {
  const asked: string[] = [];
  const watched = Promise.withResolvers<void>();
  if (json) watched.resolve();
  const call = async (name: string): Promise<object> => {
    asked.push(name);
    if (name === "activityVerificationProgress") {
      setImmediate(watched.resolve);
      return { object: "activity_verification_progress", running: true, entries: 500, of: 2000 };
    }
    await watched.promise;
    return { object: "activity_verification", entries: 2000, intact: true };
  };
  let out = "";
  const context = {
    ...{ values: {}, positionals: ["verify"], json, home: "", note: () => undefined },
    out: (text: string) => {
      out += text;
    },
    call,
  } as unknown as CommandContext;
  expect(await activity.run(context)).toBe(0);
  return { out, asked };
}

test("T-07 shows progress on a terminal while the log is verified", async () => {
  const { out } = await verify(false);
  expect(shown).toMatch(/\[#{5}-{15}\] 500 of 2,?000 entries checked/);
  expect(out).toMatch(/The log is intact: 2,?000 entries/);
});

test("T-07 does not request progress with --json", async () => {
  const { out, asked } = await verify(true);
  expect([shown, asked]).toEqual(["", ["verifyActivity"]]);
  expect(JSON.parse(out)).toMatchObject({ intact: true });
});
