// A connection's secret for the ids that its importers and connectors generate (0031). It is created, stored and
// deleted with the connection.
import { randomBytes } from "node:crypto";
import type { ReadView, WriteView } from "../../store/store.ts";
import { ID_KEY } from "./connection-items.ts";

const KEY_BYTES = 32;

interface StoredKey {
  /** Null if the connection predates these keys, so its records keep their ids. */
  key: string | null;
}

export const newIdKey = (): string => randomBytes(KEY_BYTES).toString("base64url");

export async function createIdKey(
  view: WriteView,
  subjectId: string,
  connectionId: string,
  now: number,
): Promise<string> {
  const key = newIdKey();
  await view.putItem(subjectId, {
    kind: ID_KEY,
    id: connectionId,
    holder: connectionId,
    createdAt: now,
    dueAt: null,
    body: { key } satisfies StoredKey,
  });
  return key;
}

/**
 * If damage destroyed a connection's key, it gets a new one. A new import then duplicates records, which is better than
 * giving them ids that can be guessed.
 */
export async function idKeyOrNew(
  view: WriteView,
  subjectId: string,
  connectionId: string,
  now: number,
): Promise<string | undefined> {
  const stored = await storedKey(view, subjectId, connectionId);
  return stored === undefined ? createIdKey(view, subjectId, connectionId, now) : (stored.key ?? undefined);
}

/** Undefined for a connection that predates these keys. */
export const idKeyOf = async (view: ReadView, subjectId: string, connectionId: string): Promise<string | undefined> =>
  (await storedKey(view, subjectId, connectionId))?.key ?? undefined;

async function storedKey(view: ReadView, subjectId: string, connectionId: string): Promise<StoredKey | undefined> {
  return (await view.item(subjectId, ID_KEY, connectionId))?.body as unknown as StoredKey | undefined;
}
