// The secret of a connection that keys the ids of its importers and connectors (0031): created, stored and deleted with
// it.
import { randomBytes } from "node:crypto";
import type { ReadView, WriteView } from "../../store/store.ts";
import { ID_KEY } from "./connection-items.ts";

const KEY_BYTES = 32;

interface StoredKey {
  /** null: the connection was created before there were keys, and its records keep their ids. */
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
 * Damage may destroy the key of a connection. Then it gets another: a new import duplicates records rather than giving
 * them ids that can be guessed.
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

/** Absent for a connection from before there were keys. */
export const idKeyOf = async (view: ReadView, subjectId: string, connectionId: string): Promise<string | undefined> =>
  (await storedKey(view, subjectId, connectionId))?.key ?? undefined;

async function storedKey(view: ReadView, subjectId: string, connectionId: string): Promise<StoredKey | undefined> {
  return (await view.item(subjectId, ID_KEY, connectionId))?.body as unknown as StoredKey | undefined;
}
