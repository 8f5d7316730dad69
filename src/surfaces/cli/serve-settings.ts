// What an operator sets for a server, by option or environment.
import { oneOf, UsageError, type Values } from "./command.ts";

export interface ServeSettings {
  log: "text" | "json";
  /** Absent: no metrics. */
  metrics?: { token?: string };
  /** How long it is served on after the first signal, not ready, so that whoever sends requests sees it. */
  drainSeconds: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DRAIN_MAX = 300;
/** Shorter ones can be guessed. */
const TOKEN_LEAST = 16;

export function serveSettings(values: Values, environment: Environment): ServeSettings {
  const log = oneOf(values, "log", ["text", "json"]) ?? chosen(environment, "PDPP_LOG", ["text", "json"]) ?? "text";
  const isMeasured = values.metrics === true || chosen(environment, "PDPP_METRICS", ["0", "1"]) === "1";
  const token = environment.PDPP_METRICS_TOKEN || undefined;
  if (token !== undefined && !new RegExp(`^[\\x21-\\x7e]{${TOKEN_LEAST},}$`).test(token))
    throw new UsageError(`PDPP_METRICS_TOKEN has at least ${TOKEN_LEAST} printable characters, without spaces`);
  const drain = environment.PDPP_DRAIN_SECONDS || "0";
  if (!/^\d{1,3}$/.test(drain) || Number(drain) > DRAIN_MAX)
    throw new UsageError(`PDPP_DRAIN_SECONDS is a whole number from 0 to ${DRAIN_MAX}, not ${JSON.stringify(drain)}`);
  return {
    log,
    ...(isMeasured ? { metrics: token === undefined ? {} : { token } } : {}),
    drainSeconds: Number(drain),
  };
}

function chosen<T extends string>(environment: Environment, name: string, choices: readonly T[]): T | undefined {
  const value = environment[name] || undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined && value !== undefined)
    throw new UsageError(`${name} is ${choices.join(" or ")}, not ${JSON.stringify(value)}`);
  return found;
}
