// Assembles sessions from the lines of their logs. Logs get copied, so a fact that occurs twice is counted once.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { isObject } from "../json-fields.ts";

export type AgentName = "claude-code" | "codex";

/** The title with the highest rank is kept. */
const TITLE_RANK = { prompt: 1, summary: 2, given: 3 } as const;
const TITLE_CHARACTERS = 200;

interface SessionNote {
  at?: string;
  facts?: Record<string, string | undefined>;
  title?: { from: keyof typeof TITLE_RANK; text: string };
}

/** Plain data, because it is stored in a checkpoint. */
interface OpenSession {
  data: JsonObject;
  titleRank: number;
  told: boolean;
}

export function createSessions(agent: AgentName, carried: JsonValue | undefined) {
  const open = new Map<string, OpenSession>();
  for (const one of Array.isArray(carried) ? carried : []) {
    if (!isObject(one) || !isObject(one.data)) continue;
    const { data, titleRank, told } = one as unknown as OpenSession;
    open.set(data.id as string, { data: { ...data }, titleRank, told });
  }
  return {
    note(id: string, { at, facts = {}, title }: SessionNote): void {
      const session = open.get(id) ?? { data: { id, agent }, titleRank: 0, told: false };
      open.set(id, session);
      const { data } = session;
      const { started_at, ended_at } = data as { started_at?: string; ended_at?: string };
      const isEarlier = at !== undefined && (started_at === undefined || at < started_at);
      const set = (name: string, value: string | undefined): void => {
        if (value === undefined || data[name] === value) return;
        data[name] = value;
        session.told = false;
      };
      // Values of the earliest line win; other lines only add missing values.
      for (const name in facts)
        if (data[name] === undefined || (isEarlier && started_at !== undefined)) set(name, facts[name]);
      if (isEarlier) set("started_at", at);
      if (at !== undefined && (ended_at === undefined || at > ended_at)) set("ended_at", at);
      const rank = title === undefined ? 0 : TITLE_RANK[title.from];
      // A session's title is its first request, or the last title it was given.
      if (title !== undefined && (rank > session.titleRank || (rank > 1 && rank === session.titleRank))) {
        set("title", title.text.replace(/\s+/g, " ").trim().slice(0, TITLE_CHARACTERS).toWellFormed());
        session.titleRank = rank;
      }
    },
    /** Returns the complete sessions that have not been written in this form yet. */
    take(isComplete: (id: string) => boolean): JsonObject[] {
      const complete = [...open.entries()].filter(([id, { told }]) => !told && isComplete(id));
      for (const [, session] of complete) session.told = true;
      return complete.map(([, { data }]) => inOrder(data));
    },
    forget(isOver: (id: string) => boolean): void {
      for (const id of [...open.keys()]) if (isOver(id)) open.delete(id);
    },
    carry: (): JsonValue =>
      [...open.values()].map(({ data, titleRank, told }) => ({ data: { ...data }, titleRank, told })),
  };
}

/** A fixed order, whichever file came first, because records are compared including the order of their fields. */
const MEMBERS = ["id", "agent"];
const inOrder = (data: JsonObject): JsonObject =>
  Object.fromEntries(
    [
      ...MEMBERS,
      ...Object.keys(data)
        .filter((name) => !MEMBERS.includes(name))
        .sort(),
    ].map((name) => [name, data[name]!]),
  );

export type Sessions = ReturnType<typeof createSessions>;
