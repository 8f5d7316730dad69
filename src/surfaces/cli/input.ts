// Command input: a file or standard input.
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { JsonValue } from "../../contract/record.ts";
import { InputNeeded, UsageError } from "./command.ts";

/** Reads FILE, or stdin for `-` and by default. Rejects before the first byte if FILE cannot be opened. */
export async function inputBytes(file: string | undefined, hint: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === undefined || file === "-") {
    if (file === undefined && process.stdin.isTTY) throw new InputNeeded("there is nothing on standard input", hint);
    return process.stdin;
  }
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
  await new Promise((resolve, reject) => {
    stream.once("open", resolve);
    stream.once("error", reject);
  });
  return stream;
}

export async function jsonFile(file: string): Promise<JsonValue> {
  const content = await readFile(file, "utf8");
  try {
    return JSON.parse(content) as JsonValue;
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
