// Fills an empty home with the demo data, through the same engine calls an owner's tools would use.

import type { ConnectionRead } from "../contract/connection.ts";
import { PdppError } from "../contract/errors.ts";
import type { Credential } from "../engine/caller.ts";
import type { EngineHost } from "../engine/host.ts";
import { homeObjects, type ObjectPlace, type ObjectStorage, openObjects } from "../engine/objects-place.ts";
import { uploadBlob } from "../engine/upload-blob.ts";
import { type DemoConnection, demoWorld } from "./demo.ts";

const OWNER: Credential = { home: true };
const DONE = { demo: "complete" };

/** A step for the server's start: fills, or finds that an earlier start did. */
export function demoFiller(
  home: string,
  note: (text: string) => void,
  place: ObjectPlace = homeObjects(home),
): (host: EngineHost) => Promise<void> {
  const objects = openObjects(place);
  return async (host) => {
    const wanted = demoWorld().connections;
    const present = (await host.call("connections", {}, OWNER)).data;
    const foreign = present.find((row) => !wanted.some((connection) => matches(connection, row)));
    if (foreign) {
      throw new PdppError(
        "already_exists",
        `this home has data of its own (${foreign.display_name}); the demo wants an empty one`,
        {
          next_step: "Start with another --home, or leave --demo out.",
        },
      );
    }
    if (present.length === wanted.length && (await isDone(host, present.at(-1)!))) return;
    note("Filling the demo home …");
    const start = performance.now();
    for (const connection of wanted) {
      await host.call(
        "putConnector",
        { connector_key: connection.connector_key, declaration: connection.declaration },
        OWNER,
      );
      const found = present.find((row) => matches(connection, row));
      const connectionId = found?.connection_id ?? (await create(host, connection));
      await fillConnection(objects, host, connection, connectionId);
      note(`  ${connection.display_name}: ${connection.streams.map((stream) => stream.name).join(", ")}`);
      await host.call(
        "putState",
        { connector: connection.connector_key, connection_id: connectionId, state: DONE },
        OWNER,
      );
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    note(`${(await liveRecords(host)).toLocaleString("en-US")} records in ${seconds} s.`);
  };
}

/** What is there to read: lines that update or delete a record make no second one. */
async function liveRecords(host: EngineHost): Promise<number> {
  const { data } = await host.call("streams", {}, OWNER);
  return data.reduce((sum, stream) => sum + stream.record_count, 0);
}

const matches = (connection: DemoConnection, row: ConnectionRead): boolean =>
  row.connector_key === connection.connector_key && row.display_name === connection.display_name;

async function isDone(host: EngineHost, last: ConnectionRead): Promise<boolean> {
  const { state } = await host.call(
    "state",
    { connector: last.connector_key, connection_id: last.connection_id },
    OWNER,
  );
  return state.demo === DONE.demo;
}

async function create(host: EngineHost, connection: DemoConnection): Promise<string> {
  const { connection_id } = await host.call(
    "createConnection",
    { connector_id: connection.connector_key, display_name: connection.display_name },
    OWNER,
  );
  return connection_id;
}

async function fillConnection(
  objects: ObjectStorage,
  host: EngineHost,
  connection: DemoConnection,
  connectionId: string,
): Promise<void> {
  for (const stream of connection.streams) {
    for (const { ref, bytes } of stream.blobs()) {
      await uploadBlob({ objects, host, credential: OWNER }, oneChunk(bytes), ref.mime_type);
    }
    const target = { stream: stream.name, connection_id: connectionId };
    const { stream_no, began } = await host.call("ingestTarget", target, OWNER);
    for (const batch of stream.batches()) {
      const text = batch.map((line) => JSON.stringify(line)).join("\n");
      const result = await host.call("ingest", { ...target, text, began }, OWNER);
      if (result.rejected > 0)
        throw new Error(`the demo's ${stream.name} does not fit its declaration: ${result.rejections[0]!.message}`);
    }
    host.changed(stream_no);
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
