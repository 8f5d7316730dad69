// The key of a home. It is created with the home and replaced only on the owner's request.
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PdppError } from "../../contract/errors.ts";
import { KEY_HEADER } from "../private-files.ts";

const KEY_BYTES = 32;
const KEY = "key";
/** If a home has one of these files, it was created with a key. */
const DATA = ["records.db", "audit.db"];

export function homeKey(home: string): KeyObject {
  const path = join(home, KEY);
  // Check this first, because another process that creates this home writes the key before the data.
  const hasData = DATA.some((name) => existsSync(join(home, name)));
  if (!existsSync(path)) {
    if (hasData) throw keyMissing("the key of this home is missing");
    makeKey(path);
  }
  const key = keyIn(path);
  if (key.length !== KEY_BYTES)
    throw keyMissing(`the key of this home is damaged: it has ${key.length} bytes, not ${KEY_BYTES}`);
  return createSecretKey(key);
}

/** Reads a key file. The header makes copies recognisable; keys of earlier versions have no header. */
export function keyIn(path: string): Buffer {
  const content = readFileSync(path);
  const hasHeader = content.subarray(0, KEY_HEADER.length).equals(KEY_HEADER);
  return hasHeader ? content.subarray(KEY_HEADER.length) : content;
}

/** The file's bytes, including the header. */
export const keyFile = (home: string): Buffer => readFileSync(join(home, KEY));

/** True if the home has a usable key. */
export function hasKey(home: string): boolean {
  const path = join(home, KEY);
  return existsSync(path) && keyIn(path).length === KEY_BYTES;
}

/** Writes a temporary file and links it into place, so that if two processes start at once, one complete key wins. */
function makeKey(path: string): void {
  const aside = writeKeyAside(path);
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** `use` must do everything that has to happen before the new key takes effect. */
export function replaceKey(home: string, use: (key: KeyObject) => void): void {
  const path = join(home, KEY);
  const aside = writeKeyAside(path);
  try {
    use(createSecretKey(keyIn(aside)));
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}

function writeKeyAside(path: string): string {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeKey(aside, randomBytes(KEY_BYTES));
  return aside;
}

export const writeKey = (path: string, key: Buffer): void =>
  writeFileSync(path, Buffer.concat([KEY_HEADER, key]), { mode: 0o600, flush: true });

const keyMissing = (message: string): PdppError => new PdppError("key_missing", message);
