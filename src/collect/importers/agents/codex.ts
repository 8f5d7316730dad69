// Parses the lines of a Codex log ("rollout"). The first line identifies the session; the others are its messages and
// actions.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import type { MakeId } from "../../record-ids.ts";
import { isoInstant } from "../iso-instant.ts";
import { isObject, objectIn, objectsIn, present, textIn, textsIn } from "../json-fields.ts";
import { keptText, paragraphs } from "../kept-text.ts";
import type { LineFound } from "./line.ts";
import type { Sessions } from "./sessions.ts";

/** State from earlier lines that later lines need. Plain data, because it is stored in a checkpoint. */
export interface CodexState {
  session?: string;
  model?: string;
}

const CALLS = new Set(["function_call", "custom_tool_call", "local_shell_call", "web_search_call"]);
const OUTPUTS = new Set(["function_call_output", "custom_tool_call_output"]);
const INJECTED = /^(?:<(?:environment_context|user_instructions|turn_aborted|permissions|INSTRUCTIONS)|# AGENTS\.md)/;

/** `offset` identifies lines without an id, because a log only grows at its end. */
export function codexLine(
  line: JsonObject,
  sessions: Sessions,
  state: CodexState,
  place: { offset: number; makeId: MakeId },
): LineFound {
  const type = textIn(line, "type");
  const at = isoInstant(textIn(line, "timestamp"));
  if (type === "session_meta") return begun(objectIn(line, "payload"), at, sessions, state);
  // Until September 2025, lines had no envelope, and the first line was the session itself.
  if (type === undefined) {
    if (textIn(line, "record_type") !== undefined) return { skip: "an internal note of the program, not a message" };
    return textIn(line, "id") === undefined ? { error: "it has no type" } : begun(line, at, sessions, state);
  }
  if (type === "turn_context") {
    const model = textIn(objectIn(line, "payload"), "model");
    if (model !== undefined) state.model = model;
    if (model !== undefined && state.session !== undefined) sessions.note(state.session, { facts: { model } });
    return { skip: "settings of a turn" };
  }
  if (type === "event_msg") return { skip: "an event that is also in the log as a message or call" };
  if (type === "compacted") return { skip: "a summary that replaced earlier messages" };
  const item = type === "response_item" ? objectIn(line, "payload") : line;
  if (state.session === undefined) return { error: "no earlier line identifies the session" };
  return said(item, at, sessions, state, state.session, place);
}

function begun(meta: JsonObject, lineAt: string | undefined, sessions: Sessions, state: CodexState): LineFound {
  const id = textIn(meta, "id");
  if (id === undefined) return { error: "the session has no id" };
  const at = isoInstant(textIn(meta, "timestamp")) ?? lineAt;
  state.session = id;
  const facts = {
    project: textIn(meta, "cwd"),
    branch: textIn(objectIn(meta, "git"), "branch"),
    version: textIn(meta, "cli_version"),
  };
  sessions.note(id, { ...(at === undefined ? {} : { at }), facts });
  return {};
}

function said(
  item: JsonObject,
  at: string | undefined,
  sessions: Sessions,
  state: CodexState,
  session: string,
  { offset, makeId }: { offset: number; makeId: MakeId },
): LineFound {
  const type = textIn(item, "type") ?? "";
  const common = { session_id: session, agent: "codex" };
  const found = (stream: string, own: string | undefined, data: JsonObject): LineFound => {
    // The id is hashed, because the offset of a line reveals how long the lines before it are.
    const id = own === undefined ? makeId(`${session}/${offset}`) : `${session}/${own}`;
    return { records: [{ stream, key: id, data: { id, ...common, ...data } }] };
  };
  if (at !== undefined) sessions.note(session, { at });
  if (type === "message") {
    const role = textIn(item, "role") ?? "";
    const parts = objectsIn(item, "content");
    const words = paragraphs(parts.map((part) => textIn(part, "text")));
    const images = parts.filter((part) => part.type === "input_image").length;
    if (words === "" && images === 0) return { skip: "an empty message" };
    const isMeta = role !== "assistant" && (role !== "user" || INJECTED.test(words));
    if (role === "user" && !isMeta) sessions.note(session, { title: { from: "prompt", text: words.slice(0, 1000) } });
    return found("messages", undefined, {
      role: role === "assistant" || role === "user" ? role : "system",
      ...keptText("text", words),
      ...present({
        model: role === "assistant" ? state.model : undefined,
        sent_at: at,
        images: images === 0 ? undefined : images,
        is_meta: isMeta ? true : undefined,
      }),
    });
  }
  if (type === "reasoning") {
    const parts = [...objectsIn(item, "summary"), ...objectsIn(item, "content")];
    const thinking = paragraphs(parts.map((part) => textIn(part, "text")));
    if (thinking === "") return { skip: "reasoning that is encrypted in the log" };
    return found("messages", undefined, {
      role: "assistant",
      ...keptText("thinking", thinking),
      ...present({ model: state.model, sent_at: at }),
    });
  }
  if (CALLS.has(type)) {
    return found("tool_calls", textIn(item, "call_id") ?? textIn(item, "id"), {
      name: textIn(item, "name") ?? (type === "web_search_call" ? "web_search" : "shell"),
      ...keptText("input", inputOf(item)),
      ...present({ called_at: at }),
    });
  }
  if (OUTPUTS.has(type)) {
    const call = textIn(item, "call_id");
    if (call === undefined) return { error: "a tool result does not say which call it belongs to" };
    const { output, isError } = outputOf(item.output);
    return found("tool_results", call, {
      is_error: isError,
      ...keptText("output", output),
      ...present({ finished_at: at }),
    });
  }
  return { skip: "an internal note of the program, not a message" };
}

function inputOf(item: JsonObject): string | undefined {
  const action = objectIn(item, "action");
  const command = textsIn(action, "command");
  if (command.length > 0) return JSON.stringify({ command });
  return textIn(item, "arguments") ?? textIn(item, "input") ?? textIn(action, "query");
}

/** Accepts text, a list of parts, or JSON text with the output and the exit code. */
function outputOf(output: JsonValue | undefined): { output: string; isError: boolean } {
  if (Array.isArray(output)) {
    return { output: paragraphs(output.filter(isObject).map((part) => textIn(part, "text"))), isError: false };
  }
  if (isObject(output)) {
    return { output: textIn(output, "content") ?? textIn(output, "output") ?? "", isError: output.success === false };
  }
  if (typeof output !== "string") return { output: "", isError: false };
  try {
    const inner = JSON.parse(output) as JsonValue;
    if (isObject(inner) && typeof inner.output === "string") {
      const code = objectIn(inner, "metadata").exit_code;
      return { output: inner.output, isError: typeof code === "number" && code !== 0 };
    }
  } catch {
    // It is plain text.
  }
  return { output, isError: /^(?:Process exited with code|Exit code:) [1-9]/m.test(output.slice(0, 500)) };
}
