// Coding agents: session logs of Claude Code and Codex, in JSONL files that grow. A run continues at the byte where it
// stopped.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type Entry, headOf, linesOf } from "../../entry.ts";
import {
  type EntryPreview,
  entriesFrom,
  HEAD_BYTES,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { nameOf } from "../attached-file.ts";
import { estimateItems } from "../estimates.ts";
import { isObject } from "../json-fields.ts";
import { claudeCodeLine } from "./claude-code.ts";
import { type CodexState, codexLine } from "./codex.ts";
import { agentsDeclaration } from "./declaration.ts";
import type { LineFound } from "./line.ts";
import { type AgentName, createSessions, type Sessions } from "./sessions.ts";

const NAMES: Record<AgentName, string> = { "claude-code": "Claude Code", codex: "Codex" };
/** Matches message text, which tool calls and their results lack. */
const ONE = /"role"\s*:\s*"user"\s*,\s*"content"\s*:\s*"|"type"\s*:\s*"(?:text|input_text|output_text)"/g;
const CHECKPOINT_LINES = 1000;
const CHECKPOINT_BYTES = 1024 * 1024;

export const agentsImporter: Importer = {
  name: "agents",
  title: "Coding agents (Claude Code, Codex)",
  from: ["Claude Code: ~/.claude/projects", "Codex: ~/.codex/sessions"],
  recognise,
  async plan({ entries }) {
    const agent = await agentOf(entries);
    return {
      account: { key: agent, name: NAMES[agent] },
      declaration: agentsDeclaration,
      streams: [
        { stream: "sessions", count: entries.length },
        { stream: "messages", ...(await estimateItems(entries, ONE)) },
        { stream: "tool_calls" },
        { stream: "tool_results" },
      ],
      warnings: ["These logs contain everything that agents read and ran, including secrets."],
    };
  },
  async *run(input, context) {
    const agent = await agentOf(input.entries);
    const lastOf = await lastEntries(input.entries);
    let sessions: Sessions | undefined;
    for (const { entry, position } of entriesFrom(input, context)) {
      const at = isObject(position) ? position : {};
      sessions ??= createSessions(agent, at.sessions);
      const index = input.entries.indexOf(entry);
      // A session that has no log of its own is complete when the entry that contains it has been read.
      const isComplete = (id: string): boolean => (lastOf.get(id) ?? index) === index;
      try {
        yield* eventsOf(entry, {
          agent,
          sessions,
          isComplete,
          from: at,
          fileSession: sessionOf(await headOf(entry, HEAD_BYTES)),
          makeId: context.makeId,
        });
      } catch (error) {
        yield { kind: "error", entry, message: (error as Error).message };
        yield { kind: "checkpoint", entry };
      }
      sessions.forget((id) => (lastOf.get(id) ?? index) <= index);
    }
  },
};

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  const agent = agentIn(path, head);
  if (agent === undefined) return undefined;
  return { score: 95, reason: `${NAMES[agent]} session log`, group: NAMES[agent] };
}

function agentIn(path: string, head: Uint8Array): AgentName | undefined {
  const start = Buffer.from(head).toString();
  if (!/^\s*\{/.test(start)) return undefined;
  if (/"type"\s*:\s*"session_meta"/.test(start)) return "codex";
  if (/^rollout-.*\.jsonl$/.test(nameOf(path)) && /^\{"id"\s*:|"record_type"\s*:/.test(start)) return "codex";
  const isLine = /"sessionId"\s*:/.test(start) && /"(?:parentUuid|isSidechain|userType|queue-operation)"/.test(start);
  const isOther =
    /^\{[^\n]*"type"\s*:\s*"(?:summary|file-history-snapshot)"/.test(start) && /"(?:leafUuid|messageId)"/.test(start);
  return isLine || isOther ? "claude-code" : undefined;
}

async function agentOf(entries: readonly Entry[]): Promise<AgentName> {
  const [first] = entries;
  if (first === undefined) return "claude-code";
  try {
    return agentIn(first.path, await headOf(first, HEAD_BYTES)) ?? "claude-code";
  } catch {
    return "claude-code";
  }
}

const sessionOf = (head: Uint8Array): string | undefined =>
  /"sessionId"\s*:\s*"([^"\\]{1,200})"/.exec(Buffer.from(head).toString())?.[1];

/**
 * One session, including its subagents, can have several log files. The session is written after the last one has
 * been read.
 */
async function lastEntries(entries: readonly Entry[]): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    try {
      const id = sessionOf(await headOf(entry, HEAD_BYTES));
      if (id !== undefined) last.set(id, index);
    } catch {
      // The run reports what is wrong with the file.
    }
  }
  return last;
}

interface EntryContext {
  agent: AgentName;
  sessions: Sessions;
  isComplete: (id: string) => boolean;
  from: JsonObject;
  fileSession: string | undefined;
  makeId: MakeId;
}

async function* eventsOf(entry: Entry, context: EntryContext): AsyncGenerator<ImportEvent> {
  const { agent, sessions, isComplete, from, fileSession, makeId } = context;
  const codex: CodexState = isObject(from.codex) ? { ...from.codex } : {};
  let position = typeof from.offset === "number" ? from.offset : 0;
  const reportedCut = typeof from.cut === "number" ? from.cut : 0;
  let settled = position;
  let lines = 0;
  /** A line that is not JSON: either broken, or the last line of a log that is still being written. */
  let doubtful: { offset: number; bytes: number } | undefined;
  const checkpoint = (cut = 0): ImportEvent => ({
    kind: "checkpoint",
    entry,
    position: { offset: position, ...(cut === 0 ? {} : { cut }), codex: { ...codex }, sessions: sessions.carry() },
  });
  for await (const { bytes, offset, cut } of linesOf(entry, position)) {
    if (doubtful !== undefined) {
      yield { kind: "error", entry, offset: doubtful.offset, message: "it is not JSON" };
      doubtful = undefined;
    }
    position = offset;
    if (lines >= CHECKPOINT_LINES || offset - settled >= CHECKPOINT_BYTES) {
      yield checkpoint();
      lines = 0;
      settled = offset;
    }
    lines++;
    // Stop before the newline, which may not be written yet. The next run finds the next line wherever it begins.
    position = offset + bytes.length;
    if (cut) {
      yield { kind: "error", entry, offset, message: `its line is longer than ${bytes.length} bytes` };
      continue;
    }
    const value = parsed(bytes);
    if (value === undefined && bytes.length > 0) {
      doubtful = { offset, bytes: bytes.length };
      continue;
    }
    if (value === undefined) continue;
    const found = read(value, (line) =>
      agent === "codex"
        ? codexLine(line, sessions, codex, { offset, makeId })
        : claudeCodeLine(line, sessions, fileSession),
    );
    for (const record of found.records ?? []) yield { kind: "record", ...record, entry, offset };
    if (found.skip !== undefined) yield { kind: "skip", entry, offset, reason: found.skip };
    if (found.error !== undefined) yield { kind: "error", entry, offset, message: found.error };
  }
  if (doubtful !== undefined) {
    position = doubtful.offset;
    const { offset } = doubtful;
    if (doubtful.bytes !== reportedCut) {
      yield {
        kind: "skip",
        entry,
        offset,
        reason: "its last line is incomplete: it is still being written, or the file is truncated",
      };
    }
  }
  for (const data of sessions.take(isComplete)) {
    yield { kind: "record", stream: "sessions", key: data.id as string, data, entry };
  }
  yield checkpoint(doubtful?.bytes);
}

function parsed(bytes: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(bytes.toString()) as JsonValue;
  } catch {
    return undefined;
  }
}

function read(value: JsonValue, reader: (line: JsonObject) => LineFound): LineFound {
  if (!isObject(value)) return { error: "it is not an object" };
  try {
    return reader(value);
  } catch {
    // The value cannot be serialised again, for example because a tool input is nested too deeply.
    return { error: "it is nested too deeply" };
  }
}
