// Importers that fail in every way a parser can, for tests of the process they run in. Each handles one file extension.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { declareSource, field, recordSchema } from "../core/declare.ts";
import { wholeEntry } from "./entry.ts";
import { entriesFrom, type ImportEvent, type Importer } from "./importer.ts";

const declaration = declareSource("lines", "Lines", [
  {
    name: "lines",
    description: "Lines of a file.",
    display: { label: "Lines", detail: "Lines of a file" },
    schema: recordSchema("Line", {
      id: field.text("Id", "It"),
      text: field.text("Text", "What it says"),
      at: field.instant("At", "When"),
    }),
    time: "at",
  },
]);

/** A file in the scratch folder that marks a parser that waits forever. */
export const WAITS = "waits";

const AT = "2024-01-01T00:00:00.000Z";
const held: unknown[] = [];

/** Each line of a file tells its importer what to do: `id text` for a record, or `!` and the fault. */
async function* act(line: string, offset: number, entry: Parameters<Importer["run"]>[0]["entries"][number]) {
  const [verb, detail] = line.slice(1).split(" ");
  if (!line.startsWith("!")) {
    const [id, ...words] = line.split(" ");
    const data = { id: id!, text: words.join(" "), at: AT };
    const record: ImportEvent = { kind: "record", stream: "lines", key: id!, data, entry, offset };
    yield record;
  } else if (verb === "skip") yield { kind: "skip", entry, offset, reason: detail ?? "left out" } as ImportEvent;
  else if (verb === "error") yield { kind: "error", entry, offset, message: detail ?? "unreadable" } as ImportEvent;
  else if (verb === "checkpoint") yield { kind: "checkpoint", entry, position: offset } as ImportEvent;
  else if (verb === "invalid")
    yield {
      kind: "record",
      stream: "lines",
      key: "x",
      data: { id: "x", more: 1 },
      entry,
      offset,
    } as ImportEvent;
  else if (verb === "throw") throw new Error("the parser stumbled");
  else if (verb === "exit") process.exit(3);
  else if (verb === "hang") for (;;);
  else if (verb === "wait") {
    writeFileSync(join(process.env.TMPDIR!, WAITS), "");
    await new Promise(() => undefined);
  } else if (verb === "heap") for (;;) held.push(Array.from({ length: 10_000 }, (_, n) => ({ n })));
  else if (verb === "bytes") {
    for (;;) {
      held.push(Buffer.alloc(8 * 1024 * 1024, 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } else if (verb === "undeclared")
    yield { kind: "record", stream: "others", key: "x", data: { id: "x" }, entry } as ImportEvent;
  else if (verb === "wide") {
    // More than a batch, without a checkpoint.
    for (let n = 0; n < Number(detail); n++) {
      const data = { id: `${entry.path}-${n}`, text: "x".repeat(1000), at: AT };
      const record: ImportEvent = {
        kind: "record",
        stream: "lines",
        key: data.id,
        data,
        entry,
        offset: n,
      };
      yield record;
    }
  }
}

const linesImporter: Importer = {
  name: "lines",
  title: "Lines",
  from: [],
  recognise: ({ path }) => {
    if (path.endsWith(".stumble")) throw new Error("recognise stumbled");
    return /\.(?:lines|snapshot)$/.test(path) ? { score: 50, reason: "lines" } : undefined;
  },
  async plan(input) {
    if (input.entries.some(({ path }) => path.includes("unplannable"))) throw new Error("there is no plan");
    const estimate = /plan-(\d+)/.exec(input.entries[0]!.path)?.[1];
    const files = input.entries.flatMap(({ path }) => {
      const count = /^(\d+) planned/.exec(path)?.[1];
      return count === undefined ? [] : [{ path, count: Number(count) }];
    });
    return {
      account: { key: "lines", name: "Lines" },
      declaration,
      // The file name plan-133.lines sets the total estimate to 133, and "10 planned.lines" sets the estimate for that
      // file to 10.
      streams: [
        {
          stream: "lines",
          ...(estimate === undefined ? {} : { count: Number(estimate) }),
          ...(files.length === 0 ? {} : { files }),
        },
      ],
      questions: [],
      warnings: [],
    };
  },
  async *run(input, context) {
    for (const { entry, position } of entriesFrom(input, context)) {
      const lines = (await wholeEntry(entry, 1_000_000)).toString().split("\n");
      for (const [offset, line] of lines.entries()) {
        if (line === "" || offset <= Number(position ?? -1)) continue;
        yield* act(line, offset, entry);
      }
      yield { kind: "checkpoint", entry, position: lines.length };
    }
  },
};

const snapshotImporter: Importer = {
  ...linesImporter,
  recognise: ({ path }) => (path.endsWith(".snapshot") ? { score: 60, reason: "all lines", group: "all" } : undefined),
  snapshotOf: ["lines"],
};

export const IMPORTERS: readonly Importer[] = [linesImporter, snapshotImporter];
