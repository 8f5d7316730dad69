// The `pdpp grants issue` that would allow what a grant does not.
import type { GrantedStream } from "../contract/grant.ts";
import { quote } from "./shell-quote.ts";

export interface IssueOptions {
  connectionId: string;
  streams: readonly string[];
  app?: string;
  /** Of one stream: which fields, of when, which records. Absent: all. */
  line?: Partial<Pick<GrantedStream, "fields" | "time_constraint" | "resources">>;
}

export function issueCommand({ connectionId, streams, app, line = {} }: IssueOptions): string {
  const { fields, time_constraint: time, resources } = line;
  const options: [string, string | undefined][] = [
    ["connection", connectionId],
    ...streams.map((stream): [string, string] => ["stream", stream]),
    ["fields", fields?.join(",")],
    ["since", time?.since],
    ["until", time?.until],
    ["resources", resources?.join(",")],
    ["client-name", app],
  ];
  const words = options.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${quote(value)}`]));
  return `pdpp grants issue ${words.join(" ")}`;
}
