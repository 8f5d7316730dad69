// GitHub account exports: an archive of JSON files, each with up to a hundred items of one kind.
import type { Entry } from "../../entry.ts";
import type { EntryPreview, ImportEvent, Importer, ImportInput, Recognition, SourceAccount } from "../../importer.ts";
import { folderOf, nameOf } from "../attached-file.ts";
import { isObject } from "../json-fields.ts";
import { jsonItems } from "../json-items.ts";
import { replayedRun } from "../replay.ts";
import { githubDeclaration } from "./declaration.ts";
import { KINDS, nameIn } from "./items.ts";

const FILE = /^([a-z_]{4,60})_\d{6}\.json$/;
/** The approximate size of an item. */
const ITEM_BYTES = 1200;
/** Descriptions of the files that are skipped, for the report. */
const SKIPPED: Record<string, string> = {
  attachments: "attached files, which are not imported",
  issue_events: "log of who labelled, closed or mentioned what",
  users: "profiles of people who took part",
  organizations: "profiles of organizations",
  teams: "teams of organizations",
  milestones: "milestones, which issues refer to",
  projects: "project boards",
  protected_branches: "settings of repositories",
  repository_files: "files of repositories",
  discussions: "discussions",
};

export const githubImporter: Importer = {
  name: "github",
  title: "GitHub (account export)",
  from: ["GitHub: Settings → Account → Export account data"],
  recognise,
  async plan(input) {
    const counts = new Map<string, number>();
    for (const entry of input.entries) {
      const stream = KINDS[kindOf(entry)]?.stream;
      if (stream !== undefined)
        counts.set(stream, (counts.get(stream) ?? 0) + Math.ceil(Math.max(0, entry.size) / ITEM_BYTES));
    }
    return {
      account: await accountOf(input),
      declaration: githubDeclaration,
      streams: [...counts].map(([stream, count]) => ({ stream, count })),
    };
  },
  run: (input, context) => replayedRun(input, context, (entry) => eventsOf(entry)),
};

const kindOf = ({ path }: Pick<Entry, "path">): string => FILE.exec(nameOf(path))?.[1] ?? "";

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  const start = Buffer.from(head).toString();
  const folder = folderOf(path);
  const group = folder === "" ? {} : { group: folder };
  const kind = kindOf({ path });
  if (nameOf(path) === "schema.json" && /"github_sha"\s*:/.test(start)) {
    return { score: 95, reason: "GitHub export, version file", ...group };
  }
  if (kind === "" || !/^\s*\[/.test(start)) return undefined;
  const isItem = /"type"\s*:\s*"[a-z_]+"/.test(start) && /"url"\s*:\s*"https?:\/\//.test(start);
  if ((KINDS[kind] !== undefined || SKIPPED[kind] !== undefined) && (isItem || /^\s*\[\s*\]/.test(start))) {
    return { score: 92, reason: `GitHub export, ${kind.replaceAll("_", " ")}`, ...group };
  }
  return undefined;
}

/** An export contains the repositories that the account owns, so the repositories identify the account. */
async function accountOf({ entries }: ImportInput): Promise<SourceAccount> {
  for (const entry of entries.filter((one) => kindOf(one) === "repositories")) {
    try {
      for await (const item of jsonItems(entry, (path) => path.length === 2 && path[1] === "owner")) {
        const login = "value" in item ? nameIn(item.value) : undefined;
        if (login !== undefined) return { key: login, name: `GitHub (${login})` };
      }
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return { key: "github", name: "GitHub" };
}

async function* eventsOf(entry: Entry): AsyncGenerator<ImportEvent> {
  const name = kindOf(entry);
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind === undefined) {
    yield { kind: "skip", entry, reason: SKIPPED[name] ?? "it contains only the version of the export" };
    return;
  }
  for await (const item of jsonItems(entry, (path) => path.length === 1)) {
    const { offset } = item;
    const url =
      "value" in item && isObject(item.value) && typeof item.value.url === "string" ? item.value.url : undefined;
    if ("problem" in item || url === undefined || !URL.canParse(url) || url.length > 1500) {
      yield { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it has no address" };
      continue;
    }
    const id = url.toWellFormed();
    const data = kind.data(item.value as Parameters<typeof kind.data>[0], id);
    yield { kind: "record", stream: kind.stream, key: id, data, entry, offset };
  }
}
