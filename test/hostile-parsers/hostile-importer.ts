// An importer that has been taken over. Each line of its file specifies an action. The importer is started like the
// real ones.
import { wholeEntry } from "../../src/collect/entry.ts";
import { entriesFrom, type Importer } from "../../src/collect/importer.ts";
import { declareSource, field, recordSchema } from "../../src/core/declare.ts";
import { ATTACKS, fill, spin, type Targets } from "./attacks.ts";

const AT = "2024-01-01T00:00:00.000Z";
const declaration = declareSource("hostile", "Hostile", [
  {
    name: "lines",
    description: "Lines of a file.",
    display: { label: "Lines", detail: "Lines of a file" },
    schema: recordSchema("Line", {
      id: field.text("Id", "It"),
      text: field.text("Text", "What"),
      at: field.instant("At", "When"),
    }),
    time: "at",
  },
]);

/** Returns the outcome of an attack: the error that stopped it, or `got through`. */
async function outcomeOf(name: string, targets: Targets): Promise<string> {
  try {
    await ATTACKS[name]!(targets);
    return "got through";
  } catch (error) {
    return `${(error as NodeJS.ErrnoException).code ?? ""} ${(error as Error).message}`;
  }
}

const hostile: Importer = {
  name: "hostile",
  title: "Hostile",
  from: [],
  recognise: ({ path }) => (path.endsWith(".hostile") ? { score: 50, reason: "hostile" } : undefined),
  async plan({ entries }) {
    for (const entry of entries) if ((await wholeEntry(entry, 1e6)).toString().startsWith("plan-spin")) spin();
    return {
      account: { key: "h", name: "H" },
      declaration,
      streams: [{ stream: "lines" }],
      questions: [],
      warnings: [],
    };
  },
  async *run(input, context) {
    for (const { entry } of entriesFrom(input, context)) {
      const [verb, ...rest] = (await wholeEntry(entry, 1e6)).toString().split("\n");
      if (verb === "spin") spin();
      if (verb === "fill") fill();
      const found: [string, string][] = [["plain", verb!]];
      if (verb === "attack") {
        for (const name of Object.keys(ATTACKS))
          found.push([name, await outcomeOf(name, JSON.parse(rest[0]!) as Targets)]);
      }
      for (const [name, outcome] of found) {
        const id = `${entry.path} ${name}`;
        yield { kind: "record", stream: "lines", key: id, data: { id, text: outcome, at: AT }, entry };
      }
      yield { kind: "checkpoint", entry };
    }
  },
};

export const IMPORTERS: readonly Importer[] = [hostile];
