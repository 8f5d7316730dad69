// The secret of a connection that keys the ids its importers and connectors make (0031): made with it, kept with it, deleted with it.
import { randomBytes } from "node:crypto";
import type { ReadView, WriteView } from "../../store/store.ts";
import { ID_KEY } from "./connection-items.ts";

const KEY_BYTES = 32;

interface StoredKey {
  /** null: the connection was made before there were keys, and its records keep the ids that they have. */
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

/** Damage may cost a connection its key. Then it gets another: a new import repeats records rather than giving them ids that can be guessed. */
export async function idKeyOrNew(
  view: WriteView,
  subjectId: string,
  connectionId: string,
  now: number,
): Promise<string | undefined> {
  const stored = await storedKey(view, subjectId, connectionId);
  return stored === undefined ? createIdKey(view, subjectId, connectionId, now) : (stored.key ?? undefined);
}

/** Absent: a connection from before there were keys. */
export const idKeyOf = async (view: ReadView, subjectId: string, connectionId: string): Promise<string | undefined> =>
  (await storedKey(view, subjectId, connectionId))?.key ?? undefined;

async function storedKey(view: ReadView, subjectId: string, connectionId: string): Promise<StoredKey | undefined> {
  return (await view.item(subjectId, ID_KEY, connectionId))?.body as unknown as StoredKey | undefined;
}
