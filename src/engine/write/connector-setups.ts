// Configured connectors: which program fills a connection, and with which settings. Secrets are stored separately,
// sealed.
import type { KeyObject } from "node:crypto";
import type { z } from "zod";
import type { ConnectorSetup, ConnectorSetupRemoved } from "../../contract/collect.ts";
import type * as requests from "../../contract/collect-request.ts";
import type { ConnectorManifest } from "../../contract/connector.ts";
import { PdppError } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/record.ts";
import { checkSecretNames, checkSettings, parseManifest } from "../../core/connector-check.ts";
import { openSecrets, sealSecrets } from "../../core/sealed-secrets.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { loadCatalog } from "../catalog.ts";
import { lastRun } from "./collect-runs.ts";
import { CONNECTOR, SCHEDULE, SECRET } from "./connection-items.ts";
import { draftSecrets, sameServer } from "./connector-drafts.ts";
import { idKeyOf } from "./id-keys.ts";
import { createConnection, putConnector, requireConnection } from "./sources.ts";
import { requireSetup, type StoredSetup, storedIn } from "./stored-setup.ts";

interface Keeping {
  view: WriteView;
  caller: Caller;
  key: KeyObject;
  now: number;
}

/** Registers the connector's declaration, creates its connection and stores how to run it, all in one transaction. */
export async function putSetup(
  { view, caller, key, now }: Keeping,
  query: z.infer<typeof requests.setupPut>,
): Promise<ConnectorSetup> {
  const { connection_id, display_name, place, manifest: given, settings } = query;
  const secrets = draftSecrets(key, query);
  const manifest = parseManifest(given);
  const defined = manifest.settings ?? [];
  checkSettings(defined, settings);
  checkSecretNames(defined, secrets);
  const { connector_key, declaration } = manifest;
  await putConnector(view, caller, { connector_key, declaration }, now);
  const known = { ...caller, catalog: await loadCatalog(view, caller.subjectId, await view.epoch()) };
  const connectionId = connection_id ?? (await newConnection(view, known, manifest, display_name, now));
  const fresh = { ...caller, catalog: await loadCatalog(view, caller.subjectId, await view.epoch()) };
  const { connectorKey } = requireConnection(fresh, connectionId);
  if (connectorKey !== connector_key)
    throw new PdppError(
      "invalid_request",
      `${connectionId} is a connection of ${connectorKey}, not of ${connector_key}`,
      {
        param: "connection_id",
      },
    );
  const before = await view.item(caller.subjectId, CONNECTOR, connectionId);
  const isSame = before !== undefined && sameServer(storedIn(before).settings, settings);
  const kept = isSame ? await secretsOf(view, caller, key, connectionId) : {};
  await putSecrets({ view, caller, key, now }, connectionId, { ...kept, ...secrets });
  const setup: StoredSetup = { place, manifest, settings, secrets: Object.keys({ ...kept, ...secrets }) };
  await put(view, caller, connectionId, setup, now);
  return setupRead(view, fresh, connectionId, setup);
}

async function newConnection(
  view: WriteView,
  caller: Caller,
  { connector_key, display_name }: ConnectorManifest,
  name: string | undefined,
  now: number,
): Promise<string> {
  const made = { connector_id: connector_key, display_name: name ?? display_name };
  return (await createConnection(view, caller, made, now)).connection_id;
}

/** Omitted values stay. Null removes a value. */
export async function putSettings(
  { view, caller, key, now }: Keeping,
  { connection_id, settings = {}, secrets = {} }: z.infer<typeof requests.settingsPut>,
): Promise<ConnectorSetup> {
  const setup = await requireSetup(view, caller, connection_id);
  const defined = setup.manifest.settings ?? [];
  const next = { ...setup.settings };
  for (const [name, value] of Object.entries(settings)) {
    if (value === null) delete next[name];
    else next[name] = value;
  }
  checkSettings(defined, next);
  checkSecretNames(defined, secrets);
  const before = await secretsOf(view, caller, key, connection_id);
  const kept = sameServer(setup.settings, next) ? before : {};
  for (const [name, value] of Object.entries(secrets)) {
    if (value === null) delete kept[name];
    else kept[name] = value;
  }
  await putSecrets({ view, caller, key, now }, connection_id, kept);
  const stored = { ...setup, settings: next, secrets: Object.keys(kept) };
  await put(view, caller, connection_id, stored, now);
  const discarded = Object.keys(before).filter((name) => !(name in kept) && secrets[name] !== null);
  return {
    ...(await setupRead(view, caller, connection_id, stored)),
    ...(discarded.length === 0 ? {} : { discarded_secrets: discarded }),
  };
}

/** Stores answers that the owner gave during a run and chose to keep. */
export async function keepSecrets(keeping: Keeping, { connection_id, secrets }: z.infer<typeof requests.secretsKeep>) {
  const { view, caller, key, now } = keeping;
  const setup = await requireSetup(view, caller, connection_id);
  const kept = { ...(await secretsOf(view, caller, key, connection_id)), ...secrets };
  await putSecrets(keeping, connection_id, kept);
  await put(view, caller, connection_id, { ...setup, secrets: Object.keys(kept) }, now);
  return {};
}

/** Stores a newer manifest of the same connector. The runner has checked that it requests no further permissions. */
export async function renewSetup(
  { view, caller, now }: Keeping,
  { connection_id, manifest: given }: z.infer<typeof requests.setupRenew>,
) {
  const setup = await requireSetup(view, caller, connection_id);
  const manifest = parseManifest(given);
  await putConnector(view, caller, { connector_key: manifest.connector_key, declaration: manifest.declaration }, now);
  const defined = new Set((manifest.settings ?? []).map(({ name }) => name));
  const settings = Object.fromEntries(Object.entries(setup.settings).filter(([name]) => defined.has(name)));
  await put(view, caller, connection_id, { ...setup, manifest, settings }, now);
  return {};
}

/** The connection and its records stay, but there is nothing left to run. */
export async function removeSetup(
  view: WriteView,
  caller: Caller,
  { connection_id }: { connection_id: string },
): Promise<ConnectorSetupRemoved> {
  await requireSetup(view, caller, connection_id);
  for (const kind of [CONNECTOR, SECRET, SCHEDULE]) await view.deleteItem(caller.subjectId, kind, connection_id);
  return { object: "connector_setup", connection_id, deleted: true };
}

export async function listSetups(view: ReadView, caller: Caller): Promise<ConnectorSetup[]> {
  const setups: ConnectorSetup[] = [];
  for (const item of await view.items(caller.subjectId, CONNECTOR))
    setups.push(await setupRead(view, caller, item.id, storedIn(item)));
  return setups;
}

export async function readSetup(view: ReadView, caller: Caller, connectionId: string): Promise<ConnectorSetup> {
  return setupRead(view, caller, connectionId, await requireSetup(view, caller, connectionId));
}

/** The setup with its decrypted secrets, for the runner. No route returns it. */
export interface RunnableSetup extends StoredSetup {
  opened: Record<string, string>;
  /** The key for ids that the connector generates. Absent for a connection that predates these keys. */
  id_key?: string;
  state: Record<string, JsonValue>;
}

export async function runnableSetup(
  view: ReadView,
  caller: Caller,
  key: KeyObject,
  connectionId: string,
): Promise<RunnableSetup> {
  const setup = await requireSetup(view, caller, connectionId);
  const opened = await secretsOf(view, caller, key, connectionId);
  const id_key = await idKeyOf(view, caller.subjectId, connectionId);
  const { state } = await view.state(caller.subjectId, connectionId);
  return { ...setup, opened, ...(id_key === undefined ? {} : { id_key }), state };
}

async function put(
  view: WriteView,
  { subjectId }: Caller,
  connectionId: string,
  setup: StoredSetup,
  now: number,
): Promise<void> {
  const body = setup as unknown as JsonValue;
  await view.putItem(subjectId, {
    kind: CONNECTOR,
    id: connectionId,
    holder: connectionId,
    createdAt: now,
    dueAt: null,
    body,
  });
}

async function putSecrets(
  { view, caller, key, now }: Keeping,
  connectionId: string,
  secrets: Record<string, string>,
): Promise<void> {
  const body = { sealed: sealSecrets(key, connectionId, secrets) };
  await view.putItem(caller.subjectId, {
    kind: SECRET,
    id: connectionId,
    holder: connectionId,
    createdAt: now,
    dueAt: null,
    body,
  });
}

/** Secrets that were sealed with another key are lost, so the owner has to enter them again. */
async function secretsOf(
  view: ReadView,
  { subjectId }: Caller,
  key: KeyObject,
  connectionId: string,
): Promise<Record<string, string>> {
  const body = (await view.item(subjectId, SECRET, connectionId))?.body as { sealed: string } | undefined;
  return (body && openSecrets(key, connectionId, body.sealed)) ?? {};
}

async function setupRead(
  view: ReadView,
  caller: Caller,
  connectionId: string,
  { place, manifest, settings, secrets }: StoredSetup,
): Promise<ConnectorSetup> {
  const last = await lastRun(view, caller, connectionId);
  return {
    object: "connector_setup",
    connection_id: connectionId,
    display_name: requireConnection(caller, connectionId).displayName,
    connector_key: manifest.connector_key,
    version: manifest.version,
    place,
    bindings: manifest.bindings,
    settings: (manifest.settings ?? []).map((setting) => {
      const { name, secret, default: usual } = setting;
      const value = settings[name] ?? usual;
      if (secret) return { ...setting, set: secrets.includes(name) };
      return { ...setting, ...(value === undefined ? {} : { value }), set: value !== undefined };
    }),
    needs_you: last?.question !== undefined,
    ...(last === undefined ? {} : { last_run: last }),
  };
}
