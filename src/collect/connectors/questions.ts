// Questions from a running connector, answered from the sealed secrets if possible, otherwise by the owner if present.
import type { CollectQuestion } from "../../contract/collect.ts";
import type { ConnectorManifest, Settings } from "../../contract/connector.ts";
import { COLLECT } from "../../contract/limits.ts";
import { formatInstant } from "../../core/instant.ts";
import type { Interaction } from "./message.ts";
import type { Redactor } from "./redact.ts";

export type QuestionReply =
  | { status: "success"; data: Record<string, string | number | boolean> }
  | { status: "cancelled" }
  | { status: "timeout" };

/**
 * Waits for the owner. Resolves to undefined if the owner refuses to answer, and rejects when the run stops waiting.
 */
export type AskOwner = (question: CollectQuestion, signal: AbortSignal) => Promise<Record<string, string> | undefined>;

export interface QuestionContext {
  manifest: ConnectorManifest;
  settings: Settings;
  secrets: Readonly<Record<string, string>>;
  /** Absent if there is no one to ask. */
  ask?: AskOwner;
  redact: Redactor;
  remark: (text: string) => void;
  now: () => number;
  /** Aborted when the run is over. */
  signal: AbortSignal;
}

export function questioning(options: QuestionContext): (asked: Interaction) => Promise<QuestionReply> {
  const { secrets, settings, ask, redact, remark, now, signal } = options;
  const given = new Set<string>();
  return async (asked) => {
    const question = questionOf(options, asked);
    const names = question.fields.map(({ name }) => name);
    // A secret that failed once would fail again, so the owner is asked.
    if (asked.kind === "credentials" && !given.has(names.join())) {
      const known: Record<string, string | number | boolean> = { ...settings, ...secrets };
      if (question.fields.every(({ name, required }) => known[name] !== undefined || !required)) {
        given.add(names.join());
        return { status: "success", data: pick(known, names) };
      }
    }
    if (ask === undefined) {
      remark(`it asked for ${names.join(", ") || "an action"}, but no one was there to answer`);
      return { status: "cancelled" };
    }
    const limit = Math.min((asked.timeout_seconds ?? COLLECT.answerMs / 1000) * 1000, COLLECT.answerMaxMs);
    const over = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.round(limit)))]);
    const at = now();
    const full = { ...question, asked_at: formatInstant(at), expires_at: formatInstant(at + limit) };
    const values = await ask(full, over).catch(() => "timeout" as const);
    if (values === "timeout") {
      remark(`nobody answered: ${question.message}`);
      return { status: "timeout" };
    }
    if (values === undefined) return { status: "cancelled" };
    for (const value of Object.values(values)) redact.add(value);
    return { status: "success", data: { ...values } };
  };
}

const pick = <T>(from: Record<string, T>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));

function questionOf(
  { manifest, redact }: QuestionContext,
  { request_id, kind, message, schema }: Interaction,
): Omit<CollectQuestion, "asked_at" | "expires_at"> {
  const defined = manifest.settings ?? [];
  const properties = schema?.properties ?? {};
  const named =
    schema?.properties === undefined
      ? kind === "credentials"
        ? defined.filter(({ secret }) => secret).map(({ name }) => name)
        : kind === "otp"
          ? ["code"]
          : []
      : Object.keys(properties);
  const required = schema?.required ?? named;
  return {
    request_id,
    kind,
    message: redact(message).slice(0, COLLECT.textMax),
    fields: named.slice(0, 20).map((name) => {
      const setting = defined.find((one) => one.name === name);
      return {
        name,
        title: redact(properties[name]?.title ?? setting?.title ?? name).slice(0, 200),
        required: required.includes(name),
        // Hide the answer while it is typed if it may be secret.
        secret: setting === undefined ? kind === "credentials" : setting.secret === true,
      };
    }),
  };
}
