// Parses the lines of a Claude Code log. Each is a JSON object with an id and the session it belongs to.
import type { JsonObject } from "../../../contract/json.ts";
import { isoInstant } from "../iso-instant.ts";
import { flagIn, objectIn, objectsIn, present, textIn } from "../json-fields.ts";
import { keptText, paragraphs } from "../kept-text.ts";
import type { LineFound } from "./line.ts";
import type { Sessions } from "./sessions.ts";

/** Lines that the program writes only for itself. */
const INTERNAL_NOTE = "an internal note of the program, not a message";

export function claudeCodeLine(line: JsonObject, sessions: Sessions, fileSession: string | undefined): LineFound {
  const type = textIn(line, "type");
  const session = textIn(line, "sessionId");
  if (type === "summary") {
    const title = textIn(line, "summary");
    const named = session ?? fileSession;
    if (title !== undefined && named !== undefined) sessions.note(named, { title: { from: "summary", text: title } });
    return { skip: "the title of a session" };
  }
  if (type === "custom-title" || type === "ai-title") {
    const given = type === "custom-title";
    const title = textIn(line, given ? "customTitle" : "aiTitle");
    if (session !== undefined && title !== undefined) {
      sessions.note(session, { title: { from: given ? "given" : "summary", text: title } });
    }
    return { skip: "the title of a session" };
  }
  if (type === undefined) return { error: "it has no type" };
  if (type !== "user" && type !== "assistant" && type !== "system") return { skip: INTERNAL_NOTE };
  const uuid = textIn(line, "uuid");
  if (session === undefined || uuid === undefined) return { error: "it has no sessionId or no uuid" };
  return spoken(line, type, session, uuid, sessions);
}

function spoken(
  line: JsonObject,
  type: "user" | "assistant" | "system",
  session: string,
  uuid: string,
  sessions: Sessions,
): LineFound {
  const message = objectIn(line, "message");
  const content = type === "system" ? textIn(line, "content") : message.content;
  if (content === undefined && type === "system") return { skip: INTERNAL_NOTE };
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(message, "content");
  const isEmpty = Array.isArray(content) && content.length === 0;
  if (blocks.length === 0 && !isEmpty) return { error: "its message has no content" };

  const at = isoInstant(textIn(line, "timestamp"));
  const model = textIn(message, "model");
  const isMeta = flagIn(line, "isMeta") || flagIn(line, "isCompactSummary") || model === "<synthetic>";
  const words = joined(blocks, "text", "text");
  const isCommand =
    type === "user" && /^<(?:command-name|command-message|local-command-stdout|system-reminder)>/.test(words);
  const isSidechain = flagIn(line, "isSidechain");
  const common = { session_id: session, agent: "claude-code", ...(isSidechain ? { is_sidechain: true } : {}) };
  sessions.note(session, {
    ...(at === undefined ? {} : { at }),
    facts: {
      project: textIn(line, "cwd"),
      branch: textIn(line, "gitBranch"),
      version: textIn(line, "version"),
      ...(model === "<synthetic>" ? {} : { model }),
    },
    ...(type === "user" && words !== "" && !isMeta && !isCommand && !isSidechain
      ? { title: { from: "prompt", text: words.slice(0, 1000) } }
      : {}),
  });

  const records: NonNullable<LineFound["records"]> = [];
  const add = (stream: string, id: string, data: JsonObject): void =>
    void records.push({ stream, key: id, data: { id, ...common, ...data } });
  const thinking = joined(blocks, "thinking", "thinking");
  const images = blocks.filter((block) => block.type === "image").length;
  if (words !== "" || thinking !== "" || images > 0) {
    const parent = textIn(line, "parentUuid");
    add("messages", `${session}/${uuid}`, {
      role: type,
      ...keptText("text", words),
      ...keptText("thinking", thinking),
      ...present({
        model,
        sent_at: at,
        parent_id: parent === undefined ? undefined : `${session}/${parent}`,
        images: images === 0 ? undefined : images,
        is_meta: isMeta || isCommand ? true : undefined,
      }),
    });
  }
  for (const block of blocks) {
    if (block.type === "tool_use") {
      const id = textIn(block, "id");
      if (id === undefined) return { records, error: "a tool call has no id" };
      add("tool_calls", `${session}/${id}`, {
        ...present({ name: textIn(block, "name"), called_at: at }),
        ...keptText("input", block.input === undefined ? undefined : JSON.stringify(block.input)),
      });
    } else if (block.type === "tool_result") {
      const id = textIn(block, "tool_use_id");
      if (id === undefined) return { records, error: "a tool result does not say which call it belongs to" };
      const inner = objectsIn(block, "content");
      const output = typeof block.content === "string" ? block.content : joined(inner, "text", "text");
      const shown = inner.filter((one) => one.type === "image").length;
      add("tool_results", `${session}/${id}`, {
        is_error: flagIn(block, "is_error"),
        ...present({ finished_at: at, images: shown === 0 ? undefined : shown }),
        ...keptText("output", output),
      });
    }
  }
  return records.length > 0 ? { records } : { skip: "an empty message" };
}

const joined = (blocks: readonly JsonObject[], type: string, field: string): string =>
  paragraphs(blocks.filter((block) => block.type === type).map((block) => textIn(block, field)));
