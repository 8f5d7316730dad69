// The result of a run: its type, its file, and the tables in docs/build/clients.md.
import { readFileSync } from "node:fs";
import type { ClientName } from "./packages.ts";
import type { Shown, ShownResult } from "./shown.ts";

export const CHECKS = ["add", "OAuth", "five tools", "schema", "search", "next page", "after expiry"] as const;
export type CheckName = (typeof CHECKS)[number];
export type Outcome = "ok" | "failed" | "unsupported";

export interface Check {
  name: CheckName;
  outcome: Outcome;
  evidence: string;
  /** Set if part of the check was simulated. */
  with?: "copy";
}

export interface ClientResult {
  client: ClientName;
  packages: Record<string, string>;
  /** The documented lines that ran. */
  commands: string[];
  /** The first request to the server. */
  opens_with: string;
  checks: Check[];
  shown?: Shown;
  /** Hosts that the client tried to reach, other than the server. */
  outside: string[];
}

/** The client's list of servers after each step of `pdpp setup`. */
export interface SetupResult {
  client: ClientName;
  id: string;
  /** The command that lists the client's servers. */
  lists: string;
  steps: { step: string; code: number | null; lists: string[] }[];
}

/** The expected list after each step. */
export const SETUP_STEPS = [
  { step: "", code: 0, lists: ["pdpp"] },
  { step: "--files", code: 0, lists: ["pdpp", "pdpp-files"] },
  { step: "--undo --files", code: 0, lists: ["pdpp"] },
  { step: "--undo", code: 0, lists: [] },
];

export interface RunResult {
  date: string;
  node: string;
  platform: string;
  clients: ClientResult[];
  setups: SetupResult[];
}

export const RESULT_FILE = new URL("./result.json", import.meta.url);
export const DOCS_FILE = new URL("../../docs/build/clients.md", import.meta.url);
export const MARKERS = ["<!-- result: begin -->", "<!-- result: end -->"] as const;

export const readResult = (): RunResult => JSON.parse(readFileSync(RESULT_FILE, "utf8")) as RunResult;

/** Returns the text between the markers in docs/build/clients.md. */
export function resultText({ date, node, platform, clients, setups }: RunResult): string {
  const rows = clients.map(
    ({ client, packages, opens_with, checks }) =>
      `| ${client} | ${Object.values(packages).join(", ")} | ${opens_with} | ${CHECKS.map((name) => outcomeOf(checks, name)).join(" | ")} |`,
  );
  const shown = clients.flatMap(({ client, shown: one }) => (one === undefined ? [] : [shownRow(client, one)]));
  const outside = clients.map(
    ({ client, outside: hosts }) => `- ${client}: ${hosts.length === 0 ? "none" : hosts.join(", ")}`,
  );
  return [
    `Run on ${date}, ${platform}, Node ${node}.`,
    "",
    `| client | version | opens with | ${CHECKS.join(" | ")} |`,
    `|---|---|---|${"---|".repeat(CHECKS.length)}`,
    ...rows,
    "",
    "Characters that each client showed its model:",
    "",
    "| client | tools at first | instructions | descriptions | results |",
    "|---|---|---|---|---|",
    ...shown,
    "",
    "Other hosts that each client tried to reach; the proxy refused them:",
    "",
    ...outside,
    "",
    "The Postern servers that each client lists after `pdpp setup CLIENT` and after each later step:",
    "",
    `| client | lists with | ${SETUP_STEPS.map(({ step }) => (step === "" ? "setup" : `\`${step}\``)).join(" | ")} |`,
    `|---|---|${"---|".repeat(SETUP_STEPS.length)}`,
    ...setups.map(
      ({ client, lists, steps }) =>
        `| ${client} | \`${lists}\` | ${steps.map((step) => (step.lists.length === 0 ? "none" : step.lists.join(", "))).join(" | ")} |`,
    ),
  ].join("\n");
}

function outcomeOf(checks: readonly Check[], name: CheckName): string {
  const { outcome, with: instead } = checks.find((check) => check.name === name)!;
  return instead === undefined ? outcome : `${outcome}, ${instead}`;
}

function shownRow(client: string, { definitions_at_first, names_at_first, ...rest }: Shown): string {
  const { instructions, descriptions, results } = rest;
  const tools =
    definitions_at_first > 0
      ? `${definitions_at_first} definitions`
      : names_at_first > 0
        ? `${names_at_first} names`
        : "none: it searches for them";
  return `| ${client} | ${tools} | ${part(instructions)} | ${part(descriptions)} | ${results.map(resultWords).join("; ")} |`;
}

const number = (value: number): string => value.toLocaleString("en-US");
const part = ([some, all]: [number, number]): string =>
  some === all ? `all ${number(all)}` : some === 0 ? "none" : `${number(some)} of ${number(all)}`;
const resultWords = ({ tool, half, shown, all, records }: ShownResult): string =>
  `${tool}: ${half}, ${part([shown, all])}${shown === all || records === undefined ? "" : `, ${records[0]} of ${records[1]} records visible`}`;
