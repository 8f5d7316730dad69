// Ids of records that importers make: keyed with the connection's secret, so that an id cannot be used to guess what it was made from (G-01).
import { createHmac, createSecretKey } from "node:crypto";

/** Makes an id of what identifies a record. The same text gives the same id in every import of one connection. */
export type MakeId = (identity: string) => string;

/** 96 bits: a billion ids of one connection do not collide in practice. */
const ID_CHARACTERS = 16;

/** Whether the connection has a key; one from before there were keys does not. */
export const isKeyed = (makeId: MakeId): boolean => makeId("-") !== "-";

/** Without a key, which connections from before there were keys do not have, the id is the text itself: their records keep their ids. */
export function idMaker(idKey: string | undefined): MakeId {
  if (idKey === undefined) return (identity) => identity;
  const key = createSecretKey(idKey, "base64url");
  return (identity) => createHmac("sha256", key).update(identity).digest("base64url").slice(0, ID_CHARACTERS);
}
