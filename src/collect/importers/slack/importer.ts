// Slack workspace exports: lists of users and conversations at the root, one folder per conversation, and one file per
// day.
import type { Entry } from "../../entry.ts";
import type {
  EntryPreview,
  FoundRecord,
  ImportEvent,
  Importer,
  ImportInput,
  PlannedStream,
  Recognition,
  SourceAccount,
} from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { folderOf, joinPath, nameOf } from "../attached-file.ts";
import { estimateItems } from "../estimates.ts";
import { isObject } from "../json-fields.ts";
import { jsonItems } from "../json-items.ts";
import { replayedRun } from "../replay.ts";
import { slackDeclaration } from "./declaration.ts";
import { messageData } from "./message.ts";
import { conversationData, LISTS, readWorkspace, userData, type Workspace } from "./workspace.ts";

/** Lists that are not about conversations. */
const OTHERS = /^(?:integration_logs|canvases|lists|huddle_transcripts|external_connections|file_conversations)\.json$/;
const DAY = /^\d{4}-\d{2}-\d{2}\.json$/;
const ONE = /"type"\s*:\s*"message"/g;

export const slackImporter: Importer = {
  name: "slack",
  title: "Slack (workspace export)",
  from: ["Slack: Settings & administration → Workspace settings → Import/Export data → Export"],
  recognise,
  async plan(input) {
    const workspace = await readWorkspace(input);
    return {
      account: await accountOf(input, workspace),
      declaration: slackDeclaration,
      streams: await plannedStreams(input),
      warnings: input.entries.some(({ path }) => nameOf(path) === "users.json")
        ? []
        : ["users.json is missing: people are shown by their ids"],
    };
  },
  async *run(input, context) {
    const workspace = await readWorkspace(input);
    yield* replayedRun(input, context, (entry) => eventsOf(entry, workspace, context.makeId));
  },
};

function recognise({ path, head, has }: EntryPreview): Recognition | undefined {
  if (!path.endsWith(".json")) return undefined;
  const name = nameOf(path);
  const folder = folderOf(path);
  const isDay = DAY.test(name) && folder !== "";
  const root = isDay ? folderOf(folder) : folder;
  const isExport = has(joinPath(root, "channels.json")) || has(joinPath(root, "dms.json"));
  const group = root === "" ? {} : { group: root };
  const start = Buffer.from(head).toString();
  if (isDay && isExport) return { score: 95, reason: "Slack export, one day of a conversation", ...group };
  if (LISTS[name] !== undefined && /^\s*\[\s*\{[^{]*"id"\s*:\s*"[UWCGD][A-Z0-9]{6,}"/.test(start)) {
    return { score: isExport ? 95 : 80, reason: `Slack export, ${name}`, ...group };
  }
  if ((OTHERS.test(name) || LISTS[name] !== undefined) && isExport) {
    return { score: 92, reason: `Slack export, ${name}`, ...group };
  }
  return undefined;
}

/** The workspace is the account, and every user record contains the id of the workspace. */
async function accountOf({ name, entries }: ImportInput, { team }: Workspace): Promise<SourceAccount> {
  const called = /^(.{1,100}?) Slack export/.exec(nameOf(name))?.[1];
  const key = team ?? (await firstChannel(entries)) ?? "slack";
  return { key, name: called ?? `Slack (${key})` };
}

async function firstChannel(entries: readonly Entry[]): Promise<string | undefined> {
  const ids: string[] = [];
  for (const entry of entries.filter(({ path }) => nameOf(path) === "channels.json")) {
    try {
      for await (const item of jsonItems(entry, (path) => path.length === 2 && path[1] === "id")) {
        if ("value" in item && typeof item.value === "string") ids.push(item.value);
      }
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return ids.sort()[0];
}

async function plannedStreams({ entries }: ImportInput): Promise<PlannedStream[]> {
  const days = entries.filter(({ path }) => isDayFile(path));
  const dates = days.map(({ path }) => nameOf(path).slice(0, 10)).sort();
  const span = dates.length === 0 ? {} : { since: dates[0]!, until: dates.at(-1)! };
  return [
    { stream: "messages", ...(await estimateItems(days, ONE)), ...span },
    { stream: "conversations" },
    { stream: "users" },
  ];
}

const isDayFile = (path: string): boolean => DAY.test(nameOf(path)) && folderOf(path) !== "";

async function* eventsOf(entry: Entry, workspace: Workspace, makeId: MakeId): AsyncGenerator<ImportEvent> {
  const list = LISTS[nameOf(entry.path)];
  if (list === undefined && !isDayFile(entry.path)) {
    yield { kind: "skip", entry, reason: "a log of the workspace, not a conversation" };
    return;
  }
  const conversation = workspace.conversation(nameOf(folderOf(entry.path)));
  for await (const item of jsonItems(entry, (path) => path.length === 1)) {
    const { offset } = item;
    if ("problem" in item || !isObject(item.value)) {
      yield { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it is not an object" };
      continue;
    }
    const found = (stream: string, data: FoundRecord["data"] | undefined): ImportEvent =>
      data === undefined
        ? { kind: "error", entry, offset, message: `it has no ${stream === "messages" ? "ts" : "id"}` }
        : {
            kind: "record",
            stream,
            key: data.id as string,
            data,
            entry,
            offset,
          };
    if (list === undefined) {
      yield found("messages", messageData(item.value, conversation, workspace, makeId));
    } else if (list === "user") yield found("users", userData(item.value));
    else yield found("conversations", conversationData(item.value, list, workspace));
  }
}
