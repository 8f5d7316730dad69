// Credentials that `pdpp connect` stored: in the nearest .pdpp/ folder upwards, otherwise in the user's own.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Audience } from "../../contract/auth.ts";
import { PdppError } from "../../contract/errors.ts";
import { mcpResource } from "../../core/resources.ts";

const credential = z.object({
  client_id: z.string(),
  access_token: z.string(),
  refresh_token: z.string().optional(),
  /** By this machine's clock. */
  expires_at: z.string().optional(),
  /** Without one the credential ends with its token. */
  token_endpoint: z.string().optional(),
  revocation_endpoint: z.string().optional(),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  obtained_at: z.string().optional(),
});

const content = z.strictObject({ version: z.literal(1), servers: z.record(z.string(), credential) });

export type SavedCredential = z.infer<typeof credential>;

/** Where a credential is stored: one for each server and lens. */
export interface CredentialPlace {
  folder: string;
  origin: string;
  lens: Audience;
}

export interface StoredCredential extends SavedCredential, CredentialPlace {}

const FOLDER = ".pdpp";
const FILE = "credentials.json";
const IGNORE = ".gitignore";

/** Another process that refreshes takes as long as a server needs to answer. */
const LOCK_TIMEOUT_MS = 30_000;
const LOCK_POLL_MS = 40;

export const credentialFolder = (global: boolean): string => join(global ? homedir() : process.cwd(), FOLDER);
export const credentialFile = (folder: string): string => join(folder, FILE);

/** For this origin; without one, for the only server that the nearest folder has a credential for. */
export function storedCredential(
  origin?: string,
  lens: Audience = "records",
  from = process.cwd(),
): StoredCredential | undefined {
  for (const folder of foldersFrom(from)) {
    const found = storedIn(folder, lens);
    if (origin === undefined && found.length > 0) return found.length === 1 ? found[0] : undefined;
    const named = found.find((one) => one.origin === origin);
    if (named !== undefined) return named;
  }
  return undefined;
}

/** Every server with a credential, the nearest first. */
export function storedOrigins(lens: Audience, from = process.cwd()): string[] {
  return [...new Set(foldersFrom(from).flatMap((folder) => storedIn(folder, lens).map(({ origin }) => origin)))];
}

export function credentialIn({ folder, origin, lens }: CredentialPlace): StoredCredential | undefined {
  return storedIn(folder, lens).find((one) => one.origin === origin);
}

/** undefined removes it. Call it under the lock. */
export function putCredential({ folder, origin, lens }: CredentialPlace, value: SavedCredential | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  // A project must never commit this.
  if (!existsSync(join(folder, IGNORE))) writeFileSync(join(folder, IGNORE), "*\n", { mode: 0o600 });
  const key = keyOf(origin, lens);
  const { [key]: _old, ...others } = read(folder).servers;
  const servers = value === undefined ? others : { ...others, [key]: value };
  const path = credentialFile(folder);
  if (Object.keys(servers).length === 0) {
    rmSync(path, { force: true });
    return;
  }
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify({ version: 1, servers }, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(aside, path);
}

/**
 * One process at a time writes, and uses a refresh token: a second use of one ends the whole grant. The operating
 * system releases the lock when a process dies. Within a process, callers wait for each other before they get here.
 */
export async function lockedCredentials<T>(folder: string, work: () => Promise<T>): Promise<T> {
  process.umask(0o077);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { tryLockCredentials } = await import("../../engine/home-lock.ts");
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  let lock = tryLockCredentials(folder);
  while (lock === undefined) {
    if (Date.now() > deadline) {
      throw new PdppError("store_unavailable", `another command is using ${credentialFile(folder)}`, {
        next_step: "Wait until the other `pdpp` command is done, then try again.",
      });
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
    lock = tryLockCredentials(folder);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Files from before there were two lenses name only the server. */
const keyOf = (origin: string, lens: Audience): string => (lens === "records" ? origin : mcpResource(origin, lens));

function storedIn(folder: string, lens: Audience): StoredCredential[] {
  return Object.entries(read(folder).servers).flatMap(([key, stored]) => {
    const origin = URL.parse(key)?.origin ?? key;
    return key === keyOf(origin, lens) ? [{ ...stored, origin, lens, folder }] : [];
  });
}

function read(folder: string): z.infer<typeof content> {
  const path = credentialFile(folder);
  const stats = statSync(path, { throwIfNoEntry: false });
  // In a folder that others can write to, someone could plant a credential of theirs for us to use.
  if (stats === undefined || (process.getuid !== undefined && stats.uid !== process.getuid()))
    return { version: 1, servers: {} };
  try {
    return content.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new PdppError("store_unavailable", `${path} is damaged`, {
      next_step: "Delete it, then get a new grant: `pdpp connect ORIGIN`.",
    });
  }
}

function foldersFrom(from: string): string[] {
  return [...new Set([...placesUp(from), homedir()].map((place) => join(place, FOLDER)))];
}

function placesUp(from: string): string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...placesUp(above)];
}
