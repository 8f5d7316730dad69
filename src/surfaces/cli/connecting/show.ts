// Shows connectors, their setups and their runs to people.
import type { CollectRun, ConnectorSetup } from "../../../contract/collect.ts";
import type { BindingName, ConnectorBindings, ConnectorManifest } from "../../../contract/connector.ts";
import { BINDING_WORDS } from "../../../core/binding-words.ts";
import { printable } from "../printable.ts";
import { count, table } from "../table.ts";

/** Lists the permissions that the owner agrees to. */
export function manifestText(
  { display_name, version, command, declaration, bindings }: ConnectorManifest,
  place: string,
): string {
  const streams = declaration.streams.map(({ name }) => name).join(", ");
  return [
    `${printable(display_name)} ${printable(version)}, from ${place}`,
    `  collects: ${printable(streams, 500)}`,
    `  runs: ${printable(command.join(" "), 500)}`,
    ...bindingLines(bindings),
    "  This is a program that runs on this machine with your permissions: add only programs that you trust.",
  ].join("\n");
}

function bindingLines(bindings: ConnectorBindings): string[] {
  const names = Object.keys(bindings) as BindingName[];
  if (names.length === 0) return ["  needs no permissions"];
  return names.map((name) => {
    const wanted = bindings[name]!;
    const what = "hosts" in wanted ? wanted.hosts : "paths" in wanted ? wanted.paths : undefined;
    const where = what === undefined || what.length === 0 ? "" : `: ${what.join(", ")}`;
    const why = wanted.reason === undefined ? "" : ` (${wanted.reason})`;
    return `  ${printable(`${wanted.required ? "will" : "may"} ${BINDING_WORDS[name]}${where}${why}`, 700)}`;
  });
}

export const setupTable = (setups: readonly ConnectorSetup[]): string =>
  table(
    ["connection", "name", "connector", "last run", "when", "new", "changed", ""],
    setups.map(({ connection_id, display_name, connector_key, version, last_run, needs_you }) => [
      connection_id,
      display_name,
      `${connector_key} ${version}`,
      last_run?.status ?? "never",
      last_run?.updated_at ?? "",
      last_run === undefined ? "" : String(last_run.counts.created),
      last_run === undefined ? "" : String(last_run.counts.changed),
      needs_you ? "needs an answer" : "",
    ]),
  );

export function setupText(setup: ConnectorSetup): string {
  const {
    connection_id,
    display_name,
    connector_key,
    version,
    place,
    bindings,
    settings,
    last_run,
    discarded_secrets,
  } = setup;
  const rows = settings.map(({ name, title, secret, set, value, required }) => [
    name,
    secret ? (set ? "(set)" : "(not set)") : value === undefined ? "" : String(value),
    `${title}${required ? "" : " (optional)"}`,
  ]);
  return [
    `${printable(display_name)} (${connection_id}): ${connector_key} ${printable(version)}, from ${place}`,
    ...bindingLines(bindings),
    ...(rows.length === 0 ? [] : ["", table(["setting", "value", ""], rows).trimEnd()]),
    ...(discarded_secrets === undefined
      ? []
      : [
          "",
          `The server changed, so these secrets were discarded: ${discarded_secrets.join(", ")}. Enter them again.`,
        ]),
    ...(last_run === undefined ? [] : ["", runText(last_run)]),
  ].join("\n");
}

export function runText(run: CollectRun): string {
  const { run_id, status, mode, counts, error, rejections, report, question } = run;
  const { received, created, changed, unchanged, deleted, rejected } = counts;
  const notes = [
    ...report.skipped.map(({ stream, text }) => `  skipped${of(stream)}: ${text}`),
    ...report.gaps.map(({ stream, text }) => `  missing${of(stream)}: ${text}`),
    ...report.coverage.map(({ stream, text }) => `  covered${of(stream)}: ${text}`),
    ...report.remarks.map((text) => `  ${text}`),
    ...rejections.slice(0, 5).map(({ line, stream, message }) => `  refused${of(stream)}, line ${line}: ${message}`),
  ];
  return [
    `${run_id}: ${status}${mode === "full_refresh" ? ", full refresh" : ""}, ${count(received, "record")} received`,
    `  ${created} new, ${changed} changed, ${unchanged} unchanged, ${deleted} deleted${rejected === 0 ? "" : `, ${rejected} refused`}`,
    ...(error === undefined ? [] : [`  ${printable(error.message, 500)}`]),
    ...(question === undefined ? [] : [`  needs an answer: ${printable(question.message, 500)}`]),
    ...notes.map((line) => printable(line, 500)),
  ].join("\n");
}

const of = (stream: string | undefined): string => (stream === undefined ? "" : ` of ${stream}`);
