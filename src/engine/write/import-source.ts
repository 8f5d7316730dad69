// Registers the source of an import together with the import, under a free short name.
import { createHmac } from "node:crypto";
import type { z } from "zod";
import type * as requests from "../../contract/import-request.ts";
import type { WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { idKeyOrNew } from "./id-keys.ts";
import { putConnector } from "./sources.ts";

/** Where the key for source ids is stored. No connection has this id. */
const SOURCES = "sources";
/** The length of the digest at the end of an id derived from a layout. */
const DIGEST_LENGTH = 8;

export async function registerSource(
  view: WriteView,
  caller: Caller,
  { importer, declaration, own_layout }: z.infer<typeof requests.importSource>,
  now: number,
): Promise<{ connector_key: string }> {
  const { sources } = caller.catalog;
  const known = (id: string) => sources.find(({ sourceId }) => sourceId === id);
  const { source } = declaration;
  // A source that predates keyed ids keeps its id.
  const isKeyed = own_layout === true && known(source.id) === undefined;
  const id = isKeyed ? keyedId(source.id, await sourceKey(view, caller, now)) : source.id;
  const name = isKeyed ? shortName(id) : importer;
  const connector_key =
    known(id)?.connectorKey ?? freeName(name, new Set(sources.map(({ connectorKey }) => connectorKey)));
  await putConnector(view, caller, { connector_key, declaration: { ...declaration, source: { ...source, id } } }, now);
  return { connector_key };
}

const sourceKey = async (view: WriteView, { subjectId }: Caller, now: number): Promise<string> =>
  (await idKeyOrNew(view, subjectId, SOURCES, now))!;

/**
 * Every app that reads a table sees the id of its source. A plain digest of the layout would let the app guess the
 * names of hidden columns, and a number at the end of the short name would reveal how many other tables there are
 * (G-01).
 */
const keyedId = (id: string, key: string): string =>
  id.slice(0, -DIGEST_LENGTH) + createHmac("sha256", key).update(id).digest("hex").slice(0, DIGEST_LENGTH);

/** The end of the source's id: the table name and the digest. A connector key has at most 63 characters. */
function shortName(id: string): string {
  const end = id.slice(id.lastIndexOf("/") + 1);
  return end.slice(0, -DIGEST_LENGTH - 1).slice(0, 50) + end.slice(-DIGEST_LENGTH - 1);
}

/** Another source, such as the demo's, may already have the short name. This one then gets the next free name. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let suffix = 2;
  while (taken.has(`${name}-${suffix}`)) suffix++;
  return `${name}-${suffix}`;
}
