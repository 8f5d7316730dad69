// Parses a conversation of a Claude export: messages in order, each made of blocks.
import type { JsonObject } from "../../../contract/json.ts";
import { isoInstant } from "../iso-instant.ts";
import { flagIn, objectIn, objectsIn, present, textIn } from "../json-fields.ts";
import { keptText, paragraphs } from "../kept-text.ts";
import type { ChatConversation } from "./conversation.ts";

const ROLES: Record<string, string> = { human: "user", assistant: "assistant" };

export function claudeConversation(value: JsonObject): ChatConversation | undefined {
  const id = textIn(value, "uuid");
  if (id === undefined) return undefined;
  const title = textIn(value, "name");
  const created = isoInstant(textIn(value, "created_at"));
  const all = objectsIn(value, "chat_messages");
  const replaced = replacedAmong(all);
  const messages: JsonObject[] = [];
  let empty = 0;
  let position = 0;
  for (const message of all) {
    const own = textIn(message, "uuid");
    const blocks = objectsIn(message, "content");
    const of = (type: string, field: string): string =>
      paragraphs(blocks.filter((block) => block.type === type).map((block) => textIn(block, field)));
    const attachments = [...objectsIn(message, "attachments"), ...objectsIn(message, "files")];
    const names = attachments.flatMap((one) => textIn(one, "file_name") ?? []);
    // Pasted text appears only in the attachment.
    const pasted = attachments.map((one) => textIn(one, "extracted_content"));
    const words = paragraphs([
      blocks.length === 0 ? textIn(message, "text") : of("text", "text") || textIn(message, "text"),
      ...pasted,
    ]);
    const thinking = of("thinking", "thinking");
    if (own === undefined || (words === "" && thinking === "" && names.length === 0)) {
      empty++;
      continue;
    }
    const isReplaced = replaced.has(own);
    messages.push({
      id: `${id}/${own}`,
      conversation_id: id,
      service: "claude",
      role: ROLES[textIn(message, "sender") ?? ""] ?? "system",
      ...keptText("text", words),
      ...keptText("thinking", thinking),
      ...present({
        conversation_title: title,
        sent_at: isoInstant(textIn(message, "created_at")) ?? created,
        position: isReplaced ? undefined : position++,
        is_replaced: isReplaced ? true : undefined,
        attachments: names.length === 0 ? undefined : names,
      }),
    });
  }
  const data = present({
    id,
    service: "claude",
    title,
    summary: textIn(value, "summary"),
    model: textIn(value, "model"),
    project: textIn(objectIn(value, "project"), "name") ?? textIn(objectIn(value, "project"), "uuid"),
    created_at: created,
    updated_at: isoInstant(textIn(value, "updated_at")) ?? created,
    message_count: position,
    is_starred: flagIn(value, "is_starred") ? true : undefined,
  });
  return { data, messages, empty };
}

/**
 * If each message names its parent, the export contains every branch. The branch with the last message is the visible
 * one.
 */
function replacedAmong(messages: readonly JsonObject[]): Set<string> {
  const parents = new Map(messages.map((message) => [textIn(message, "uuid"), textIn(message, "parent_message_uuid")]));
  if ([...parents.values()].every((parent) => parent === undefined)) return new Set();
  const shown = new Set<string>();
  let node = textIn(messages.at(-1) ?? {}, "uuid");
  while (node !== undefined && !shown.has(node)) {
    shown.add(node);
    node = parents.get(node);
  }
  return new Set([...parents.keys()].filter((own) => own !== undefined && !shown.has(own)) as string[]);
}
