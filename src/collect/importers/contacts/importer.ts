// Imports address books (.vcf): one record per card.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type {
  EntryPreview,
  ImportContext,
  ImportEvent,
  Importer,
  ImportInput,
  ImportPlan,
  Recognition,
} from "../../importer.ts";
import { componentsOf } from "../components.ts";
import { estimateItems } from "../estimates.ts";
import { createKeptCopies } from "../kept-copy.ts";
import { replayedRun } from "../replay.ts";
import { propertiesOf } from "./card.ts";
import { contactOf } from "./contact.ts";
import { contactsDeclaration } from "./declaration.ts";

/** Larger pictures are not portraits. */
const PHOTO_BYTES_MAX = 8 * 1024 * 1024;

export const contactsImporter: Importer = {
  name: "contacts",
  title: "Contacts (vcf)",
  from: [
    "Google: contacts.google.com → Export → vCard",
    "iCloud and Apple Contacts: File → Export",
    "Android, Outlook, Thunderbird: export as .vcf",
  ],
  recognise,
  plan,
  run,
};

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  const text = Buffer.from(head).toString("latin1");
  if (/^(?:ï»¿)?\s*BEGIN[ \t]*:[ \t]*VCARD/i.test(text)) return { score: 95, reason: "address book (vCard)" };
  if (/\.(?:vcf|vcard)$/i.test(path) && /^BEGIN:/im.test(text))
    return { score: 70, reason: "address book, judging by its name" };
  return undefined;
}

async function plan(input: ImportInput): Promise<ImportPlan> {
  const estimate = await estimateItems(input.entries, /^BEGIN[ \t]*:[ \t]*VCARD/gim);
  return {
    account: { key: "contacts", name: "Contacts" },
    declaration: contactsDeclaration,
    streams: [{ stream: "contacts", ...estimate }],
  };
}

type KeptCopies = ReturnType<typeof createKeptCopies>;

async function* run(input: ImportInput, context: ImportContext): AsyncGenerator<ImportEvent> {
  const copies = await surveyed(input.entries);
  yield* replayedRun(input, context, (entry) => eventsOf(entry, input.entries.indexOf(entry), copies, context));
}

/** Takeout contains every card in "All contacts" and again in each group. The newest copy is kept. */
async function surveyed(entries: readonly Entry[]): Promise<KeptCopies> {
  const copies = createKeptCopies();
  for (const [index, entry] of entries.entries()) {
    try {
      for await (const component of componentsOf(entry)) {
        if (component.name !== "VCARD" || component.broken !== undefined) continue;
        try {
          const { id, updatedAt } = contactOf(propertiesOf(component));
          copies.note(id, updatedAt ?? "", index, component.offset);
        } catch {
          // The run reports the error.
        }
      }
      copies.settle(true);
    } catch {
      // The run reports the error.
      copies.settle(false);
    }
  }
  return copies;
}

async function* eventsOf(
  entry: Entry,
  index: number,
  copies: KeptCopies,
  context: ImportContext,
): AsyncGenerator<ImportEvent> {
  let cards = 0;
  for await (const component of componentsOf(entry)) {
    const { name, offset, broken } = component;
    if (name !== "VCARD") continue;
    cards++;
    if (broken !== undefined) {
      yield { kind: "error", entry, offset, message: broken };
      continue;
    }
    try {
      const { id: identity, isGiven, data, photo } = contactOf(propertiesOf(component));
      if (!copies.isKept(identity, index, offset)) {
        yield { kind: "skip", entry, offset, reason: "another copy of an imported card" };
        continue;
      }
      const tooLarge = photo !== undefined && photo.bytes.length > PHOTO_BYTES_MAX;
      if (tooLarge) yield { kind: "skip", entry, offset, reason: `a photo larger than ${PHOTO_BYTES_MAX} bytes` };
      const picture: JsonObject =
        photo === undefined || tooLarge ? {} : { photo: await context.blob(photo.bytes, photo.mimeType) };
      const id = isGiven ? identity : context.makeId(identity);
      yield {
        kind: "record",
        stream: "contacts",
        key: id,
        data: { id, ...data, ...picture },
        entry,
        offset,
      };
    } catch (error) {
      yield { kind: "error", entry, offset, message: (error as Error).message };
    }
  }
  if (cards === 0) yield { kind: "error", entry, offset: 0, message: "it contains no card" };
}
