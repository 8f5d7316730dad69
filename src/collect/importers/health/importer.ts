// Imports Apple Health data by streaming export.xml.
import type { Entry } from "../../entry.ts";
import type { ImportEvent, Importer } from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { textOf } from "../decode.ts";
import { estimateItems } from "../estimates.ts";
import { replayedRun } from "../replay.ts";
import { healthDeclaration } from "./declaration.ts";
import { healthElements } from "./elements.ts";
import { eventsOfElement } from "./records.ts";

async function* eventsOf(entry: Entry, makeId: MakeId): AsyncGenerator<ImportEvent> {
  for await (const item of healthElements(textOf(entry, "utf-8"))) {
    if ("problem" in item) yield { kind: "error", entry, offset: item.offset, message: item.problem };
    else yield* eventsOfElement(item.element, entry, item.offset, makeId);
  }
}

/** The other files next to export.xml, and the reason they are skipped. */
const BESIDE: readonly [RegExp, RegExp, string, string][] = [
  [
    /\.xml$/i,
    /<ClinicalDocument[\s\S]*(?:Apple|HealthKit|urn:hl7-org)/,
    "the same data as a clinical document",
    "nothing is lost: export.xml contains it",
  ],
  [/(?:^|\/)electrocardiograms\/[^/]+\.csv$/i, /(?:)/, "an electrocardiogram", "curves are not imported yet"],
];

export const healthImporter: Importer = {
  name: "health",
  title: "Apple Health (export.xml)",
  from: ["iPhone: Health → profile picture → Export All Health Data"],
  recognise({ path, head }) {
    const text = Buffer.from(head).toString("latin1");
    if (/<!DOCTYPE HealthData|<HealthData[\s>]/.test(text))
      return { score: 98, reason: "Apple Health export", group: "Apple Health" };
    const known = BESIDE.find(([name, content]) => name.test(path) && content.test(text));
    return known && { score: 85, reason: known[2], advice: known[3] };
  },
  async plan({ entries }) {
    return {
      account: { key: "apple-health", name: "Apple Health" },
      declaration: healthDeclaration,
      streams: [
        { stream: "records", ...(await estimateItems(entries, /<Record\s/g)) },
        ...["workouts", "correlations", "activity_days", "profile"].map((stream) => ({ stream })),
      ],
    };
  },
  run: (input, context) => replayedRun(input, context, (entry) => eventsOf(entry, context.makeId)),
};
