// Builds the `pdpp grants issue` command that would allow what a grant does not.
import type { FilePower } from "../contract/file-access.ts";
import type { GrantedStream } from "../contract/grant.ts";
import { quote } from "./shell-quote.ts";

export interface IssueOptions {
  connectionId: string;
  streams: readonly string[];
  app?: string;
  /** The limits for one stream: fields, times, values and records. A limit that is absent does not apply. */
  line?: Partial<Pick<GrantedStream, "fields" | "time_constraint" | "record_filter" | "resources">>;
}

export function issueCommand({ connectionId, streams, app, line = {} }: IssueOptions): string {
  const { fields, time_constraint: time, record_filter: filter, resources } = line;
  const options: [string, string | undefined][] = [
    ["connection", connectionId],
    ...streams.map((stream): [string, string] => ["stream", stream]),
    ["fields", fields?.join(",")],
    ["since", time?.since],
    ["until", time?.until],
    ...(filter?.values ?? []).map((value): [string, string] => ["filter", `${filter!.field}=${value}`]),
    ["resources", resources?.join(",")],
    ["client-name", app],
  ];
  return command(options);
}

/** Builds the same command for the files lens. */
export function issueFilesCommand(
  roots: readonly string[],
  may: readonly FilePower[],
  app: string | undefined,
): string {
  const named = roots.map((root): [string, string] => ["root", root]);
  return command([["files", ""], ...named, ["may", may.join(",")], ["client-name", app]]);
}

function command(options: readonly [name: string, value: string | undefined][]): string {
  const words = options.flatMap(([name, value]) =>
    value === undefined ? [] : [value === "" ? `--${name}` : `--${name} ${quote(value)}`],
  );
  return `pdpp grants issue ${words.join(" ")}`;
}
