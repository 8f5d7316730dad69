// Credentials that `pdpp connect` stored. They are in the nearest .pdpp/ folder, searching upwards from the working
// directory, or otherwise in the user's home directory.
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
  /** According to this machine's clock. */
  expires_at: z.string().optional(),
  /** Without a token endpoint, the credential expires with its token. */
  token_endpoint: z.string().optional(),
  revocation_endpoint: z.string().optional(),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  obtained_at: z.string().optional(),
});

const content = z.strictObject({ version: z.literal(1), servers: z.record(z.string(), credential) });

export type SavedCredential = z.infer<typeof credential>;

/** Identifies a stored credential. There is one for each server and lens. */
export interface CredentialPlace {
  folder: string;
  origin: string;
  lens: Audience;
}

export interface StoredCredential extends SavedCredential, CredentialPlace {}

const FOLDER = ".pdpp";
const FILE = "credentials.json";
const IGNORE = ".gitignore";

/** Allows for another process that is refreshing its token and waiting for the server. */
const LOCK_TIMEOUT_MS = 30_000;
const LOCK_POLL_MS = 40;

export const credentialFolder = (global: boolean): string => join(global ? homedir() : process.cwd(), FOLDER);
export const credentialFile = (folder: string): string => join(folder, FILE);

/**
 * Returns the credential for this origin. Without an origin, uses the nearest folder that has credentials, if they are
 * for only one server.
 */
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

/** Returns every server with a credential, nearest folder first. */
export function storedOrigins(lens: Audience, from = process.cwd()): string[] {
  return [...new Set(foldersFrom(from).flatMap((folder) => storedIn(folder, lens).map(({ origin }) => origin)))];
}

export function credentialIn({ folder, origin, lens }: CredentialPlace): StoredCredential | undefined {
  return storedIn(folder, lens).find((one) => one.origin === origin);
}

/** Stores a credential; undefined removes it. Call it while holding the lock. */
export function putCredential({ folder, origin, lens }: CredentialPlace, value: SavedCredential | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  // Keeps the credentials out of the project's git repository.
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
 * Only one process at a time writes credentials or uses a refresh token, because using a refresh token twice revokes
 * the whole grant. The operating system releases the lock when a process dies. Callers within one process already wait
 * for each other before this point.
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
        next_step: "Wait until the other `pdpp` command has finished, then try again.",
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

/** Files written before there were two lenses use only the server as the key. */
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
  // In a folder that others can write to, someone could plant their own credential for us to use.
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
