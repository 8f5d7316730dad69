// Operations on a server until it dies. Each is noted before it is sent, and again when it has been acknowledged.
import { createHash } from "node:crypto";
import type { IssuedGrant } from "../../src/contract/grant.ts";
import type { IngestReport } from "../../src/contract/record.ts";
import { applied, type Effect, type Item, type Model } from "./model.ts";
import { noteFor } from "./notes.ts";
import type { Random } from "./random.ts";
import type { Answer, Sent } from "./server-process.ts";
import { CONNECTOR, GROUPS, STREAM, WORDS } from "./world.ts";

export interface Session {
  model: Model;
  random: Random;
  /** Sends a request as the owner, or with another token. */
  ask(path: string, init?: Sent & { token?: string; read?: boolean }): Promise<Answer>;
}

export type Operation = (session: Session) => Promise<void>;

const EMITTED = "2025-01-01T00:00:00Z";

const addItems: Operation = (session) => {
  const { model, random } = session;
  const count = 1 + random.below(random.next() < 0.2 ? 400 : 40);
  return write(
    session,
    Array.from({ length: count }, () => freshItem(model, random)),
  );
};

const changeItems: Operation = (session) => {
  const { model, random } = session;
  const known = [...model.items.values()];
  if (known.length === 0) return addItems(session);
  const chosen = new Set(Array.from({ length: 1 + random.below(20) }, () => random.pick(known)));
  const changed = [...chosen].map((item) => {
    const revision = ++model.revision;
    return { ...item, amount: random.below(1000), revision, note: noteFor(revision, random) };
  });
  // Combines new, changed and deleted records in one batch, which must be stored completely or not at all.
  const gone = random.pick(known);
  const deletes = chosen.has(gone) ? [] : [gone.id];
  return write(session, [...changed, freshItem(model, random)], deletes);
};

const deleteItem: Operation = async (session) => {
  const { model, random } = session;
  const ids = [...model.items.keys()];
  if (ids.length === 0) return;
  const id = random.pick(ids);
  await certain(model, new Map([[id, null]]), async () => {
    const { status } = await session.ask(`/v1/streams/${STREAM}/records/${encodeURIComponent(id)}`, {
      method: "DELETE",
    });
    expectStatus(status, 204);
  });
};

const uploadPicture: Operation = async (session) => {
  const { model, random } = session;
  const bytes = new Uint8Array(1 + random.below(200_000)).fill(random.below(256));
  bytes[0] = random.below(256);
  const digest = createHash("sha256").update(bytes).digest("hex");
  const { status, body } = await session.ask(`/v1/blobs?stream=${STREAM}`, {
    method: "POST",
    body: bytes,
    type: "image/png",
  });
  expectStatus(status, 201);
  const { object: _object, ...picture } = JSON.parse(body) as Required<Item>["picture"] & { object: string };
  if (picture.sha256 !== digest) throw new Error(`uploaded ${digest}, acknowledged ${picture.sha256}`);
  await write(session, [{ ...freshItem(model, random), picture }]);
  model.blobs.set(picture.blob_id, digest);
};

const putState: Operation = async (session) => {
  const { model } = session;
  const next = Math.max(...model.states) + 1;
  model.states.push(next);
  const { status } = await session.ask(`/v1/state/${CONNECTOR}`, {
    method: "PUT",
    body: JSON.stringify({ state: { [STREAM]: { page: next } } }),
    type: "application/json",
  });
  expectStatus(status, 200);
  model.states = [next];
};

const issueGrant: Operation = async ({ model, ask }) => {
  const { status, body } = await ask("/v1/grants", { method: "POST", body: '{"all":true}', type: "application/json" });
  expectStatus(status, 201);
  const { access_token, grant_id, grant_package_id } = JSON.parse(body) as IssuedGrant;
  model.grants.push({ token: access_token, id: (grant_id ?? grant_package_id)!, revoked: false });
};

const revokeGrant: Operation = async ({ model, random, ask }) => {
  const open = model.grants.filter(({ revoked }) => revoked === false);
  if (open.length < 2) return;
  const grant = random.pick(open);
  grant.revoked = undefined;
  const { status, body } = await ask(`/v1/grants/${grant.id}/revoke`, { method: "POST" });
  if (status !== 200) throw new Error(`revoking ${grant.id} returned ${status}: ${body}`);
  grant.revoked = true;
};

const readPoint: Operation = async ({ model, random, ask }) => {
  const ids = [...model.items.keys()];
  if (ids.length === 0) return;
  const grant = model.grants.find(({ revoked }) => revoked === false);
  const id = random.pick(ids);
  const path = `/v1/streams/${STREAM}/records/${encodeURIComponent(id)}`;
  const { status } = await ask(path, { token: grant?.token, read: true });
  // Another client may have deleted the record or revoked the grant in the meantime.
  if (status === 404 && (!model.items.has(id) || model.uncertain?.get(id) === null)) return;
  if (status === 403 && grant?.revoked !== false) return;
  expectStatus(status, 200);
};

const readPage: Operation = async ({ random, ask }) => {
  const query = random.pick(["limit=20", `filter[group]=${random.pick(GROUPS)}`, "sort=-amount&count=exact"]);
  const { status } = await ask(`/v1/streams/${STREAM}/records?${query}`, { read: true });
  expectStatus(status, 200);
};

const readSums: Operation = async ({ ask }) => {
  const { status } = await ask(`/v1/streams/${STREAM}/aggregate?metric=sum&field=amount&group_by=group`, {
    read: true,
  });
  expectStatus(status, 200);
};

const search: Operation = async ({ random, ask }) => {
  const { status } = await ask(`/v1/search?q=${random.pick(WORDS)}`, { read: true });
  expectStatus(status, 200);
};

/** Three concurrent clients. Each sends its requests one after another, and only the first changes records. */
export const CLIENTS: readonly (readonly Operation[])[] = [
  [addItems, addItems, changeItems, changeItems, deleteItem, uploadPicture],
  [putState, putState, issueGrant, revokeGrant],
  [readPoint, readPoint, readPage, readSums, search],
];

function freshItem(model: Model, random: Random): Item {
  const revision = ++model.revision;
  return {
    id: `item/${revision} ü`,
    group: random.pick(GROUPS),
    amount: random.below(1000),
    revision,
    note: noteFor(revision, random),
  };
}

async function write(session: Session, items: readonly Item[], deletes: readonly string[] = []): Promise<void> {
  const effect: Effect = new Map([
    ...items.map((item): [string, Item] => [item.id, item]),
    ...deletes.map((id): [string, null] => [id, null]),
  ]);
  const lines = [
    ...items.map((data) => JSON.stringify({ key: data.id, data, emitted_at: EMITTED })),
    ...deletes.map((key) => JSON.stringify({ key, op: "delete", emitted_at: EMITTED })),
  ];
  await certain(session.model, effect, async () => {
    const { status, body } = await session.ask(`/v1/ingest/${STREAM}`, { method: "POST", body: lines.join("\n") });
    expectStatus(status, 200);
    const { records_changed } = JSON.parse(body) as IngestReport;
    if (records_changed !== lines.length) throw new Error(`${lines.length} lines changed ${records_changed} records`);
  });
}

async function certain(model: Model, effect: Effect, work: () => Promise<void>): Promise<void> {
  if (model.uncertain !== undefined) throw new Error("a write begins while the previous one is unacknowledged");
  model.uncertain = effect;
  await work();
  model.items = applied(model.items, effect);
  model.uncertain = undefined;
}

function expectStatus(found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`the server returned ${found}, not ${wanted}`);
}
