// A command: its usage, its options, and its context.
import type { ReadClient } from "../../contract/read-client.ts";
import type { Credential } from "../../engine/caller.ts";
import type { AnswerOf, CallName, QueryOf } from "../../engine/calls/calls.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ObjectPlace } from "../../engine/objects-place.ts";
import { plainJson } from "./printable.ts";

export interface OptionValues {
  [name: string]: string | boolean | (string | boolean)[] | undefined;
}

export interface ConnectOptions {
  /** Creates the home if it does not exist. For commands that import something. */
  create?: boolean;
  /** Runs the engine in a thread with limited memory. For commands that import large amounts of data. */
  bulk?: boolean;
  /** Set if the command only reads, so it can also open a read-only home. */
  readOnly?: boolean;
}

export interface Connected {
  host: EngineHost;
  credential: Credential;
  /** The home of a local engine. With a database, each owner has a folder in the configured home. */
  home?: string;
  /** Where a local engine stores blobs. */
  objects?: ObjectPlace;
}

/** Calls the engine with the command's credential. */
export interface Calls {
  call<C extends CallName>(name: C, query: QueryOf<C>): Promise<AnswerOf<C>>;
}

export interface CommandContext extends Calls {
  values: OptionValues;
  positionals: string[];
  json: boolean;
  home: string;
  out: (text: string) => void;
  /** Writes progress and notes to stderr, so that stdout contains only the result. */
  note: (text: string) => void;
  /**
   * Connects to the engine: in this process for a home, over HTTP for --server. The connection is opened on first use
   * and closed when the command ends.
   */
  connect(options?: ConnectOptions): Promise<Connected>;
  /** The same engine as a ReadClient, which every reading command uses. */
  reader(): Promise<ReadClient>;
}

/** An option, with the properties that node:util, the help, completion and the man page need. */
export interface CommandOption {
  type: "string" | "boolean";
  multiple?: boolean;
  short?: string;
  /** The placeholder for the value in help: `FILE`, `N`, or the allowed words, such as `asc|desc`. */
  value?: string;
  /** Says in one line what the option does. */
  about: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

export interface Command {
  summary: string;
  usage: string;
  /** Details beyond the usage; shown only by --help. */
  details?: string;
  examples: readonly string[];
  /** Allowed values of the first argument. */
  actions?: readonly string[];
  options: CommandOptions;
  /** Treats words with one leading dash as arguments: `pdpp search lisbon -flight`. */
  dashedWords?: true;
  /** The command works only on a home and accepts neither --server nor --token. */
  local?: true;
  /** The command takes the server as an argument, so it accepts none of --home, --server and --token. */
  remote?: true;
  /** Returns the exit code; undefined means 0. */
  run(context: CommandContext): Promise<number | undefined>;
}

/** Options that every command accepts. */
export const COMMON_OPTIONS: CommandOptions = {
  home: { type: "string", value: "DIR", about: "the home ($PDPP_HOME, otherwise ~/.postern)" },
  json: { type: "boolean", about: "machine-readable output" },
  help: { type: "boolean", short: "h", about: "show this help" },
};

/** Options of every command that also works on a running server. */
export const SERVER_OPTIONS: CommandOptions = {
  server: { type: "string", value: "URL", about: "use a running server instead of a home" },
  token: {
    type: "string",
    value: "TOKEN",
    about: "with --server: the token ($PDPP_ACCESS_TOKEN, otherwise the one that `pdpp connect` stored)",
  },
};

export class UsageError extends Error {}

/** A person has to decide or provide something: exit code 4. */
export class InputNeeded extends Error {
  readonly nextStep: string;
  constructor(message: string, nextStep: string) {
    super(message);
    this.nextStep = nextStep;
  }
}

/**
 * With --json, prints the response as it is sent over HTTP. Otherwise prints text for people, then a hint about the
 * next step.
 */
export function answer<T>(
  { json, out, note }: CommandContext,
  value: T,
  render: (answer: T) => string,
  next: (answer: T) => string | undefined = () => undefined,
): void {
  if (json) {
    out(plainJson(JSON.stringify(value)));
    return;
  }
  out(render(value));
  const hint = next(value);
  if (hint !== undefined) note(hint);
}

export function text(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

export function list(values: OptionValues, name: string): string[] | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const items = [value].flat().flatMap((item) => String(item).split(","));
  return items.filter((item) => item !== "");
}

export function oneOf<T extends string>(values: OptionValues, name: string, choices: readonly T[]): T | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined)
    throw new UsageError(`--${name} must be ${choices.join(" or ")}, not ${JSON.stringify(value)}`);
  return found;
}

export function wholeNumber(values: OptionValues, name: string, least = 0): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value) || Number(value) < least)
    throw new UsageError(`--${name} must be a whole number of at least ${least}, not ${JSON.stringify(value)}`);
  return Number(value);
}

/** Parses `1h`, `30m`, `7d` or `3600s` into seconds. */
export function duration(values: OptionValues, name: string): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const parts = /^(\d{1,9})(s|m|h|d)$/.exec(value);
  if (!parts || Number(parts[1]) === 0)
    throw new UsageError(`--${name} must be a duration such as 30m, 1h or 7d, not ${JSON.stringify(value)}`);
  return Number(parts[1]) * { s: 1, m: 60, h: 3600, d: 86_400 }[parts[2] as "s" | "m" | "h" | "d"];
}

/** Parses a time. A date without a time means midnight UTC. */
export function instant(values: OptionValues, name: string): string | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  const whole = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value;
  if (Number.isNaN(Date.parse(whole)))
    throw new UsageError(
      `--${name} must be a time such as 2024-05-31 or 2024-05-31T09:00:00Z, not ${JSON.stringify(value)}`,
    );
  return whole;
}
