// Parses a ChatGPT conversation, a tree of messages. The branch that ends at `current_node` is the visible one.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { flagIn, idIn, instantOf, isObject, objectIn, objectsIn, present, textIn, textsIn } from "../json-fields.ts";
import { keptText, paragraphs } from "../kept-text.ts";
import type { ChatConversation } from "./conversation.ts";

const ROLES = ["user", "assistant", "system", "tool"];

export function chatgptConversation(value: JsonObject): ChatConversation | undefined {
  const id = textIn(value, "conversation_id") ?? textIn(value, "id");
  if (id === undefined) return undefined;
  const title = textIn(value, "title");
  const mapping = objectIn(value, "mapping");
  const shown = activeBranch(mapping, textIn(value, "current_node"));
  const created = timeIn(value, "create_time");
  const messages: JsonObject[] = [];
  let empty = 0;
  let position = 0;
  const isShown = new Set(shown);
  const others = Object.keys(mapping).filter((node) => !isShown.has(node));
  for (const node of [...shown, ...others]) {
    const message = objectIn(objectIn(mapping, node), "message");
    const own = contentOf(message);
    if (own === undefined) {
      empty++;
      continue;
    }
    const metadata = objectIn(message, "metadata");
    const author = objectIn(message, "author");
    const role = textIn(author, "role") ?? "";
    const isHidden = flagIn(metadata, "is_visually_hidden_from_conversation");
    messages.push({
      id: `${id}/${textIn(message, "id") ?? node}`,
      conversation_id: id,
      service: "chatgpt",
      role: ROLES.includes(role) ? role : "system",
      ...own,
      ...present({
        conversation_title: title,
        author: role === "tool" ? textIn(author, "name") : undefined,
        model: textIn(metadata, "model_slug"),
        sent_at: timeIn(message, "create_time") ?? created,
        position: isShown.has(node) && !isHidden ? position++ : undefined,
        is_replaced: isShown.has(node) ? undefined : true,
        is_hidden: isHidden ? true : undefined,
        attachments: namesOf(metadata),
      }),
    });
  }
  const data = present({
    id,
    service: "chatgpt",
    title,
    model: textIn(value, "default_model_slug"),
    project: textIn(value, "gizmo_id"),
    created_at: created,
    updated_at: timeIn(value, "update_time") ?? created,
    message_count: position,
    is_archived: flagIn(value, "is_archived") ? true : undefined,
    is_starred: flagIn(value, "is_starred") ? true : undefined,
  });
  return { data, messages, empty };
}

const timeIn = (object: JsonObject, name: string): string | undefined => instantOf(idIn(object, name));

/** Returns the branch from the first message to the last visible one. A damaged tree can contain a cycle. */
function activeBranch(mapping: JsonObject, current: string | undefined): string[] {
  const seen = new Set<string>();
  let node = current !== undefined && Object.hasOwn(mapping, current) ? current : latestLeaf(mapping);
  while (node !== undefined && Object.hasOwn(mapping, node) && !seen.has(node)) {
    seen.add(node);
    node = textIn(objectIn(mapping, node), "parent");
  }
  return [...seen].reverse();
}

function latestLeaf(mapping: JsonObject): string | undefined {
  const time = (node: string): number => Number(objectIn(objectIn(mapping, node), "message").create_time) || 0;
  const leaves = Object.keys(mapping).filter((node) => textsIn(objectIn(mapping, node), "children").length === 0);
  return leaves.reduce<string | undefined>(
    (best, node) => (best === undefined || time(node) > time(best) ? node : best),
    undefined,
  );
}

/** Returns undefined if the message contains nothing that someone wrote. */
function contentOf(message: JsonObject): JsonObject | undefined {
  const content = objectIn(message, "content");
  if (content.content_type === "thoughts") {
    const thoughts = objectsIn(content, "thoughts").map((one) =>
      paragraphs([textIn(one, "summary"), textIn(one, "content")]),
    );
    const thinking = paragraphs(thoughts);
    return thinking === "" ? undefined : keptText("thinking", thinking);
  }
  const parts: JsonValue[] = Array.isArray(content.parts) ? content.parts : [];
  const images = parts.filter((part) => isObject(part) && part.content_type === "image_asset_pointer").length;
  const words = paragraphs([
    ...parts.map((part) => (typeof part === "string" ? part : isObject(part) ? textIn(part, "text") : undefined)),
    textIn(content, "title"),
    textIn(content, "text"),
    textIn(content, "result"),
    textIn(content, "content"),
    textIn(content, "user_profile"),
    textIn(content, "user_instructions"),
    textIn(content, "url"),
  ]);
  if (words === "" && images === 0) return undefined;
  return { ...keptText("text", words), ...(images === 0 ? {} : { images }) };
}

function namesOf(metadata: JsonObject): string[] | undefined {
  const names = objectsIn(metadata, "attachments").flatMap((one) => textIn(one, "name") ?? []);
  return names.length === 0 ? undefined : names;
}
