// /dashboard/connections/{id}: one connection in detail, with its imports, the apps that read it, and renaming.
import { PdppError } from "../../../contract/errors.ts";
import { NAME_MAX } from "../../../contract/limits.ts";
import { ownerPage, type Visit } from "../owner-page.ts";
import { clientOfAll } from "./app-grants.ts";
import { type ConnectionReader, type ConnectionView, showConnection } from "./connection-view.ts";
import { connectionAddress } from "./explore/addresses.ts";
import { type Holding, holdings } from "./holdings.ts";
import { importRow } from "./import-row.ts";

/** Messages shown after a redirect. */
const DONE = {
  renamed: "Renamed.",
  added: "Added. The first run has started; this page shows its progress.",
} as const;

export const connectionPage = ownerPage<ConnectionView>({
  path: "/dashboard/connections/{id}",
  under: "connections",
  async load(visit) {
    const id = visit.params.id!;
    const [connection, apps, imports, setups, schedules] = await Promise.all([
      requireHolding(visit, id),
      readersOf(visit, id),
      visit.look("imports", {}),
      visit.look("connectorSetups", {}),
      visit.look("schedules", {}),
    ]);
    const done = visit.search.get("done") ?? "";
    const setup = setups.data.find(({ connection_id }) => connection_id === id);
    const names = new Map([[id, connection.name]]);
    return {
      ...connection,
      ...(setup === undefined ? {} : { setup }),
      apps,
      imports: imports.data.filter(({ connection_id }) => connection_id === id).map((job) => importRow(job, names)),
      schedules: schedules.data,
      ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
    };
  },
  show: showConnection,
  async post({ params, look, act }, form) {
    const id = params.id!;
    const name = (form.get("name") ?? "").trim();
    if (name === "" || name.length > NAME_MAX) {
      throw new PdppError("invalid_request", `a name must have 1 to ${NAME_MAX} characters`, {
        param: "name",
        next_step: "Enter another name below.",
      });
    }
    const { data } = await look("connections", {});
    const before = data.find(({ connection_id }) => connection_id === id)?.display_name ?? name;
    await act("renameConnection", { connection_id: id, display_name: name });
    return { location: `${connectionAddress(id)}?done=renamed`, undo: [["name", before]] };
  },
});

export async function requireHolding(visit: Visit, id: string): Promise<Holding> {
  const { data } = await visit.look("connections", {});
  if (!data.some(({ connection_id }) => connection_id === id)) {
    throw new PdppError("connection_not_found", `there is no connection ${JSON.stringify(id)} here`, {
      next_step: "“Connections” lists them all.",
    });
  }
  return (await holdings(visit, id))[0]!;
}

/** Lists the apps that may currently read any part of the connection, each once. */
export async function readersOf({ look }: Pick<Visit, "look">, connectionId: string): Promise<ConnectionReader[]> {
  const { data } = await look("grants", { status: "active" });
  const readers = data.filter(({ words }) => words.reads.some(({ connection_id }) => connection_id === connectionId));
  const byClient = Map.groupBy(readers, ({ grant }) => grant.client.client_id);
  return [...byClient.keys()].map((clientId) => ({
    clientId,
    client: clientOfAll(data.filter(({ grant }) => grant.client.client_id === clientId)),
  }));
}
