// Reads the users and conversations of a Slack export from the lists at its root.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { ImportInput } from "../../importer.ts";
import { nameOf } from "../attached-file.ts";
import { countIn, flagIn, idIn, instantOf, isObject, objectIn, present, textIn, textsIn } from "../json-fields.ts";
import { jsonItems } from "../json-items.ts";
import type { SlackChannel } from "./message.ts";

/** The lists at the root of an export, and their content. */
export const LISTS: Readonly<Record<string, "user" | "public" | "private" | "direct" | "group">> = {
  "users.json": "user",
  "org_users.json": "user",
  "channels.json": "public",
  "groups.json": "private",
  "dms.json": "direct",
  "mpims.json": "group",
};

export interface Workspace {
  /** The workspace's team id, if its users have one. */
  team?: string;
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
  /** Returns the conversation whose messages are in this folder. */
  conversation(folder: string): SlackChannel;
}

/**
 * Reads only names, which take a few megabytes for a hundred thousand users. If a list is truncated, the readable part
 * is used.
 */
export async function readWorkspace({ entries }: ImportInput): Promise<Workspace> {
  const users = new Map<string, string>();
  const channels = new Map<string, string>();
  const folders = new Map<string, SlackChannel>();
  const direct: { id: string; members: string[] }[] = [];
  let team: string | undefined;
  for (const entry of entries) {
    const list = LISTS[nameOf(entry.path)];
    if (list === undefined) continue;
    for await (const item of listed(entry)) {
      const id = textIn(item, "id");
      if (id === undefined) continue;
      if (list === "user") {
        team ??= textIn(item, "team_id");
        users.set(id, userName(item) ?? id);
      } else if (list === "direct") direct.push({ id, members: textsIn(item, "members") });
      else {
        const name = textIn(item, "name") ?? id;
        channels.set(id, name);
        folders.set(name.normalize("NFC"), { id, name });
      }
    }
  }
  const user = (id: string): string | undefined => users.get(id);
  for (const { id, members } of direct) folders.set(id, { id, name: directName(members, user) });
  return {
    ...(team === undefined ? {} : { team }),
    user,
    channel: (id) => channels.get(id),
    conversation: (folder) => folders.get(folder.normalize("NFC")) ?? { id: folder, name: folder },
  };
}

async function* listed(entry: Entry): AsyncGenerator<JsonObject> {
  try {
    for await (const item of jsonItems(entry, (path) => path.length === 1)) {
      if ("value" in item && isObject(item.value)) yield item.value;
    }
  } catch {
    // The run reads the list again and reports what is wrong with it.
  }
}

const directName = (members: readonly string[], user: (id: string) => string | undefined): string =>
  [...new Set(members)].map((id) => user(id) ?? id).join(", ");

function userName(user: JsonObject): string | undefined {
  const profile = objectIn(user, "profile");
  return (
    textIn(profile, "display_name") ?? textIn(profile, "real_name") ?? textIn(user, "real_name") ?? textIn(user, "name")
  );
}

export function userData(user: JsonObject): JsonObject | undefined {
  const id = textIn(user, "id");
  if (id === undefined) return undefined;
  const profile = objectIn(user, "profile");
  return present({
    id,
    name: textIn(profile, "real_name") ?? textIn(user, "real_name") ?? textIn(user, "name"),
    display_name: textIn(profile, "display_name"),
    handle: textIn(user, "name"),
    email: textIn(profile, "email"),
    phone: textIn(profile, "phone"),
    title: textIn(profile, "title"),
    time_zone: textIn(user, "tz"),
    is_bot: flagIn(user, "is_bot"),
    is_deleted: flagIn(user, "deleted"),
    updated_at: instantOf(countIn(user, "updated")),
  });
}

export function conversationData(item: JsonObject, kind: string, workspace: Workspace): JsonObject | undefined {
  const id = textIn(item, "id");
  if (id === undefined) return undefined;
  const members = [...new Set(textsIn(item, "members"))];
  return present({
    id,
    name: textIn(item, "name") ?? directName(members, workspace.user),
    kind,
    topic: textIn(objectIn(item, "topic"), "value"),
    purpose: textIn(objectIn(item, "purpose"), "value"),
    is_archived: flagIn(item, "is_archived"),
    creator_id: textIn(item, "creator"),
    member_ids: members,
    created_at: instantOf(idIn(item, "created")),
  });
}
