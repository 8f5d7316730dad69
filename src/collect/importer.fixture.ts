// Runs one importer without the runner, for tests: entries in memory, all events in a list.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonSchema } from "../contract/declaration.ts";
import { compileSchema } from "../core/record-schema.ts";
import type { Entry } from "./entry.ts";
import {
  type Checkpoint,
  type FoundRecord,
  HEAD_BYTES,
  type ImportAnswers,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "./importer.ts";
import { idMaker } from "./record-ids.ts";

/** An odd chunk size, so that every parser sees a cut inside a line, a tag and a character. */
const PIECE = 1021;

export function memoryEntry(path: string, content: Uint8Array | string): Entry {
  const bytes = Buffer.from(content as string);
  return {
    path,
    size: bytes.length,
    async *open() {
      for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
    },
    async file() {
      const place = join(mkdtempSync(join(tmpdir(), "postern-test-")), "entry");
      writeFileSync(place, bytes);
      return place;
    },
  };
}

interface CollectOptions {
  resume?: Checkpoint;
  /** Absent for a connection that was created before keys existed. */
  idKey?: string;
  answers?: ImportAnswers;
}

/** Returns all events of a run. Blobs are named by their size, because storing them is up to the runner. */
export async function collect(
  importer: Importer,
  entries: readonly Entry[],
  { resume, idKey, answers = {} }: CollectOptions = {},
): Promise<ImportEvent[]> {
  const events: ImportEvent[] = [];
  const context = {
    answers,
    makeId: idMaker(idKey),
    ...(resume === undefined ? {} : { resume }),
    blob: async (bytes: Uint8Array, mimeType: string) => ({
      blob_id: `blob_${bytes.byteLength}`,
      mime_type: mimeType,
      size_bytes: bytes.byteLength,
      sha256: "0".repeat(64),
    }),
  };
  for await (const event of importer.run({ name: "test", entries }, context)) events.push(event);
  return events;
}

export const recordsOf = (events: readonly ImportEvent[], stream?: string): FoundRecord[] =>
  events
    .filter((event) => event.kind === "record")
    .filter((record) => stream === undefined || record.stream === stream);

/** `beside` lists other paths of the same root. */
export function recognised(
  importer: Importer,
  path: string,
  content: Uint8Array | string,
  beside: readonly string[] = [],
  root = "test",
): Recognition | undefined {
  const bytes = Buffer.from(content as string);
  const head = bytes.subarray(0, HEAD_BYTES);
  return importer.recognise({ path, root, size: bytes.length, head, has: (other) => beside.includes(other) });
}

/** Cached, because compiling a validator takes longer than a small import. */
const validators = new WeakMap<JsonSchema, ReturnType<typeof compileSchema>>();
function validatorOf(schema: JsonSchema): ReturnType<typeof compileSchema> {
  const known = validators.get(schema) ?? compileSchema(schema);
  validators.set(schema, known);
  return known;
}

/**
 * Returns the records of a run that the engine would refuse, because they do not match their declared schema or because
 * their key does not match their data.
 */
export async function refusals(
  importer: Importer,
  entries: readonly Entry[],
  answers: ImportAnswers = {},
): Promise<string[]> {
  const { declaration } = await importer.plan({ name: "test", entries }, answers);
  const streams = new Map(declaration.streams.map((one) => [one.name, { ...one, validate: validatorOf(one.schema) }]));
  return recordsOf(await collect(importer, entries, { answers })).flatMap(({ stream, key, data }) => {
    const declared = streams.get(stream);
    if (declared === undefined) return [`${stream} is not declared`];
    const own = declared.primary_key.map((name) => String(data[name]));
    if (JSON.stringify(own) !== JSON.stringify([key].flat()))
      return [`${stream} ${key}: the key is ${own} in the data`];
    const [error] = declared.validate(data) ? [] : (declared.validate.errors ?? []);
    return error === undefined ? [] : [`${stream} ${key}: ${error.instancePath} ${error.message}`];
  });
}
