// pdpp connect: gets a grant for this terminal once the owner has approved it in a browser, and stores it for later
// commands.
import { hostname } from "node:os";
import { z } from "zod";
import type { StreamSummary } from "../../../contract/answers.ts";
import type { RecordFilter } from "../../../contract/record-filter.ts";
import { filterWords, recordWords, spanWords } from "../../../core/grant-words.ts";
import { engineClient } from "../../../engine/host.ts";
import { httpHost } from "../../rest/http-host.ts";
import { type Command, type CommandContext, text, UsageError } from "../command.ts";
import {
  type CredentialPlace,
  credentialFile,
  credentialFolder,
  credentialIn,
  lockedCredentials,
  putCredential,
} from "../credentials.ts";
import { nextCommand } from "../next-command.ts";
import { hasBrowser } from "../oauth/browser.ts";
import type { GrantedDetail, OAuthConnection } from "../oauth/client.ts";
import { connectByCode } from "../oauth/code-flow.ts";
import { connectByDevice } from "../oauth/device-flow.ts";
import { type Discovered, discover, originOf } from "../oauth/discover.ts";
import { ask } from "../oauth/exchange.ts";
import { refusedBy } from "../oauth/refusals.ts";
import { revokeStored } from "../oauth/revoke-stored.ts";
import { plainJson, printable } from "../printable.ts";
import { keptTokens } from "../stored-token.ts";
import { count } from "../table.ts";

const LINE_MAX = 400;

export const connect: Command = {
  summary: "get a grant from a server: its owner approves in a browser",
  usage:
    "pdpp connect ORIGIN [--files] [--name NAME] [--device | --no-browser] [--global] [--insecure-http]\n" +
    "       The credential is stored in ./.pdpp, or in ~/.pdpp with --global. Commands with --server find it there.",
  examples: [
    "pdpp connect http://127.0.0.1:7887",
    "pdpp connect https://data.example.org --device --global",
    "pdpp connect https://data.example.org --name 'Nightly report' --json",
    "pdpp connect http://127.0.0.1:7887 --files --global",
  ],
  options: {
    files: { type: "boolean", about: "ask for access to disks (/files/mcp and /api) instead of records" },
    name: { type: "string", value: "NAME", about: "the name that the owner sees when approving" },
    device: {
      type: "boolean",
      about: "show a code to enter on another device; the default over SSH and without a display",
    },
    "no-browser": {
      type: "boolean",
      about: "print the address instead of opening a browser ($PDPP_BROWSER sets the program that opens it)",
    },
    global: { type: "boolean", about: "keep the credential in ~/.pdpp instead of ./.pdpp" },
    "insecure-http": { type: "boolean", about: "allow a server without https on a network that you trust" },
  },
  remote: true,
  async run(context) {
    const { positionals, values } = context;
    const [typed, ...rest] = positionals;
    if (typed === undefined || rest.length > 0) throw new UsageError("specify one server address");
    if (values.device === true && values["no-browser"] === true)
      throw new UsageError("specify either --device or --no-browser, not both");
    const lens = values.files === true ? "files" : "records";
    const insecureHttp = values["insecure-http"] === true;
    const server = await discover(originOf(typed), { insecureHttp, lens });
    const connection = await approved(server, context).catch((error: unknown) => {
      throw refusedBy(server.origin, error);
    });
    const place = { folder: credentialFolder(values.global === true), origin: server.origin, lens } as const;
    const { replaced } = await store(place, server, connection);
    await (lens === "files" ? tellOfFiles : tell)(context, place, connection);
    if (replaced !== undefined) context.note(`The previous grant, ${replaced}, was revoked.`);
    return 0;
  },
};

function approved(server: Discovered, { values, note }: CommandContext): Promise<OAuthConnection> {
  const name = text(values, "name") ?? `pdpp on ${hostname()}`;
  const printsOnly = values["no-browser"] === true;
  if (values.device === true || !(printsOnly || hasBrowser(process.env)))
    return connectByDevice(server, { name, note });
  return connectByCode(server, { name, note, open: !printsOnly });
}

/** Stores the grant before anything is tried with it, so that an approval is never lost. */
function store(
  place: CredentialPlace,
  { token_endpoint, revocation_endpoint }: Discovered,
  { clientId, tokens }: OAuthConnection,
): Promise<{ replaced: string | undefined }> {
  return lockedCredentials(place.folder, async () => {
    const before = credentialIn(place);
    putCredential(place, {
      client_id: clientId,
      token_endpoint,
      revocation_endpoint,
      ...keptTokens(tokens),
    });
    // There is one grant per server and lens. The previous one is revoked, because otherwise it would stay valid
    // without being used.
    const given = before && (await revokeStored(before));
    return { replaced: given?.revoked ? given.grant : undefined };
  });
}

interface ConnectedStream {
  stream: string;
  connection_id: string;
  connector_key?: string;
  display_name?: string;
  record_count?: number;
  fields: string[];
  time_range?: NonNullable<GrantedDetail["streams"]>[number]["time_range"];
  record_filter?: RecordFilter;
  resources?: number;
}

/** Shows the granted access, after testing it with `schema`. */
async function tell(
  { json, out, note }: CommandContext,
  { origin, folder }: CredentialPlace,
  { clientId, tokens }: OAuthConnection,
): Promise<void> {
  const reader = engineClient(httpHost(origin), { token: tokens.access_token });
  const { bearer } = await reader.schema({});
  const { data } = await reader.streams({});
  const streams = readable(tokens.authorization_details ?? [], data);
  const file = credentialFile(folder);
  const { grant, access_mode, expires_at, words: terms } = termsOf(tokens);
  if (json) {
    const facts = { server: origin, client_id: clientId, ...grant, access_mode, expires_at, credential_file: file };
    out(plainJson(JSON.stringify({ ...facts, bearer, streams })));
    return;
  }
  out(`Connected to ${origin}. ${terms}:`);
  for (const one of streams) out(`  ${printable(words(one), LINE_MAX)}`);
  const at = { values: { server: origin } };
  const first = streams[0];
  note(`Stored in ${file}, readable only by you.`);
  note(`Next: ${nextCommand(at, ["schema"])}`);
  if (first !== undefined)
    note(`      ${nextCommand(at, ["query", first.stream], { connection: first.connection_id })}`);
  note(`      ${nextCommand(at, ["mcp"])}        (the tools for an AI app)`);
  note(`Revoke it: pdpp disconnect ${origin}`);
}

const granted = z.looseObject({
  roots: z.array(z.looseObject({ path: z.string(), name: z.string(), may: z.array(z.string()) })),
});

/** Shows the granted roots and what the app may do with them, after testing the access. */
async function tellOfFiles(
  { json, out, note }: CommandContext,
  { origin, folder }: CredentialPlace,
  { clientId, tokens }: OAuthConnection,
): Promise<void> {
  const { roots } = await ask(`${origin}/api/roots`, granted, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  });
  const file = credentialFile(folder);
  const { grant, access_mode, expires_at, words: terms } = termsOf(tokens);
  if (json) {
    const facts = { server: origin, client_id: clientId, ...grant, access_mode, expires_at, credential_file: file };
    out(plainJson(JSON.stringify({ ...facts, roots: roots.map(({ name, path, may }) => ({ name, path, may })) })));
    return;
  }
  out(`Connected to the files on ${origin}. ${terms}:`);
  for (const { path, may } of roots) out(`  ${printable(`${path}: may ${may.join(", ")}`, LINE_MAX)}`);
  note(`Stored in ${file}, readable only by you.`);
  note(`Next: pdpp files mcp --server ${origin}        (the tools for an AI app)`);
  note(`      curl -H "Authorization: Bearer $(pdpp token ${origin} --files)" ${origin}/api/roots`);
  note(`Revoke it: pdpp disconnect ${origin} --files`);
}

/** Describes the grant and how long it is valid. */
function termsOf({ authorization_details: details = [], grant_id, grant_package_id }: OAuthConnection["tokens"]) {
  const ends = details.map(({ expires_at }) => expires_at ?? "");
  const expires_at = ends.length === 0 || ends.includes("") ? undefined : ends.sort().at(-1);
  const once = details.some(({ access_mode }) => access_mode === "single_use");
  const until = expires_at === undefined ? "until the owner revokes it" : `until ${expires_at}`;
  const id = printable(grant_id ?? grant_package_id ?? "The grant");
  return {
    grant: { grant_id, grant_package_id },
    access_mode: once ? "single_use" : "continuous",
    expires_at,
    words: `${id} reads, ${printable(until)}${once ? ", once" : ""}`,
  };
}

function readable(details: readonly GrantedDetail[], summaries: readonly StreamSummary[]): ConnectedStream[] {
  return details.flatMap((detail) =>
    (detail.streams ?? []).flatMap(({ name, instance_ids, fields, time_range, record_filter, resources }) =>
      instance_ids.map((connection_id) => {
        const found = summaries.find((row) => row.name === name && row.connection_id === connection_id);
        return {
          stream: name,
          connection_id,
          connector_key: found?.connector_key,
          display_name: found?.display_name,
          record_count: found?.record_count,
          fields,
          time_range,
          record_filter,
          resources: resources?.length,
        };
      }),
    ),
  );
}

function words({
  stream,
  connection_id,
  display_name,
  record_count,
  fields,
  time_range,
  record_filter,
  resources,
}: ConnectedStream): string {
  const limits = [
    ...(record_count === undefined ? [] : [count(record_count, "record")]),
    count(fields.length, "field"),
    ...(time_range?.since === undefined && time_range?.until === undefined ? [] : [spanWords(time_range)]),
    ...(record_filter === undefined ? [] : [filterWords(record_filter)]),
    ...(resources === undefined ? [] : [recordWords(resources)]),
  ];
  return `${stream} of ${display_name ?? connection_id}: ${limits.join(", ")}`;
}
