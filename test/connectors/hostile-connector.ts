// Sets up the hostile connector in a home: one folder with a manifest for each kind of misbehaviour.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EngineHost } from "../../src/engine/host.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";

const SCRIPT = fileURLToPath(new URL("../hostile/connector.mjs", import.meta.url));
export const SECRET = 'hunter2 "very" secret/42';

const stream = (name: string) => ({
  name,
  semantics: "mutable_state",
  schema: {
    type: "object",
    properties: {
      id: { type: "string" },
      text: { type: "string" },
      at: { type: ["string", "null"], format: "date-time" },
    },
    required: ["id", "text"],
  },
  primary_key: ["id"],
});

export const hostileManifest = (mode: string, more: Loose = {}): Loose => ({
  manifest_version: 1,
  connector_key: "hostile",
  display_name: "Hostile",
  version: "1.0.0",
  command: ["node", SCRIPT, mode],
  declaration: {
    protocol_version: "0.1.0",
    source: { kind: "connector", id: "https://hostile.example.org" },
    declaration_version: "1",
    publisher: { id: "test" },
    display: { name: "Hostile" },
    streams: [stream("notes"), stream("tags")],
  },
  bindings: { network: { required: true, hosts: ["mail.example.org"] }, interactive: { required: false } },
  settings: [
    { name: "count", title: "How many", type: "integer" },
    { name: "pause_ms", title: "Between two", type: "integer" },
    { name: "wait", title: "How long", type: "integer" },
    { name: "pid_file", title: "The file for the child's process id", type: "string" },
    { name: "password", title: "Password", type: "string", secret: true },
  ],
  checkpoints: { tags: { after: ["notes"] } },
  ...more,
});

let room: string | undefined;
let made = 0;

/** Creates a folder with a connector.json. The folder is removed after the tests. */
export function hostileFolder(mode: string, more: Loose = {}): string {
  if (room === undefined) {
    const all = mkdtempSync(join(tmpdir(), "pdpp-hostile-"));
    room = all;
    process.once("exit", () => rmSync(all, { recursive: true, force: true }));
  }
  const folder = join(room, String(made++));
  mkdirSync(folder);
  writeFileSync(join(folder, "connector.json"), JSON.stringify(hostileManifest(mode, more)));
  return folder;
}

export interface Added {
  connectionId: string;
  folder: string;
}

export async function addHostile(
  host: EngineHost,
  mode: string,
  { settings = {}, secrets = {}, manifest = {} }: { settings?: Loose; secrets?: Loose; manifest?: Loose } = {},
): Promise<Added> {
  const folder = hostileFolder(mode, manifest);
  const query = { place: folder, manifest: hostileManifest(mode, manifest), settings, secrets, display_name: mode };
  const { connection_id } = await host.call("putSetup", query, HOME_OWNER);
  return { connectionId: connection_id, folder };
}

export async function stored(host: EngineHost, connectionId: string, streamName = "notes"): Promise<Loose[]> {
  const records: Loose[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = {
      stream: streamName,
      connection_id: connectionId,
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = await host.call("records", query, HOME_OWNER);
    records.push(...page.data);
    cursor = page.next_cursor;
    if (cursor === undefined) return records;
  }
}

export async function cursors(host: EngineHost, connectionId: string): Promise<Loose> {
  const body = await host.call("state", { connector: "hostile", connection_id: connectionId }, HOME_OWNER);
  return body.state;
}
