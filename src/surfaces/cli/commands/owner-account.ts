// The owner's account at a home: a new setup link, and the open sessions.
import { databaseUrl, ownerAsked } from "../../../engine/database.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import { answer, type CommandContext, text, UsageError } from "../command.ts";
import { DEFAULT_ORIGIN } from "../default-address.ts";
import { nextCommand } from "../next-command.ts";
import { agreed } from "../prompt.ts";
import { table } from "../table.ts";

/** Anyone who can read the home directory already controls it. These commands do not work over the network. */
function atHome({ values }: CommandContext): void {
  if (values.server === undefined && values.token === undefined) return;
  throw new UsageError("this works only on a home: run it on the server's machine, without --server and --token");
}

export async function reset(context: CommandContext): Promise<number> {
  atHome(context);
  const { json, out, note } = context;
  const { serving, unknown } = await addressOfOwner(context);
  const { host } = await context.connect();
  const { newSetupLink, ownerExists } = await import("../../web/sign-in.ts");
  const exists = await ownerExists(host);
  const question = (): string =>
    "There is already an owner. The link replaces the name and password, removes passkeys and second factors, and ends every session. Grants stay valid. Create the link?";
  if (exists && !(await agreed(context, ["owner", "reset"], question, "Nothing was changed."))) return 4;
  const link = await newSetupLink(host, serving === undefined ? DEFAULT_ORIGIN : new URL(serving).origin);
  out(json ? JSON.stringify({ object: "setup_link", url: link, serving: serving !== undefined }) : link);
  note("The link works once and expires after a day. The person who opens it becomes the owner.");
  if (serving === undefined) note(unknown(exists));
  return 0;
}

interface Answering {
  /** undefined if the address is unknown; the default is then used. */
  serving: string | undefined;
  unknown: (exists: boolean) => string;
}

async function addressOfOwner(context: CommandContext): Promise<Answering> {
  const url = databaseUrl();
  const said = text(context.values, "public-url");
  if (said !== undefined && !/^https?:$/.test(URL.parse(said)?.protocol ?? ""))
    throw new UsageError(`--public-url must be an http or https address, not ${JSON.stringify(said)}`);
  if (url === undefined) {
    const unknown = (exists: boolean): string =>
      `No server is running on this home. Start it: ${nextCommand(context, ["serve"])}${exists ? "; if it uses another port, change the port in the link." : ", which prints its own link."}`;
    return { serving: said ?? servingAddress(context.home), unknown };
  }
  const { ownerAddress } = await import("../../../engine/owners.ts");
  const { name, address } = await ownerAddress(url, ownerAsked());
  if (said?.includes("*") && name === undefined)
    throw new UsageError("this owner has no name to replace the wildcard in the address; `pdpp owners name` sets one");
  const serving = said?.replace("*", name ?? "") ?? address;
  // With many owners, the default address would be wrong.
  if (serving === undefined && name !== undefined)
    throw new UsageError(
      `the address of ${name} is unknown: start a server, or specify the address, such as --public-url 'https://*.data.example'`,
    );
  return {
    serving,
    unknown: () => "The server's address is unknown. If the address in the link is wrong, use --public-url.",
  };
}

export async function sessions(context: CommandContext): Promise<number> {
  atHome(context);
  answer(
    context,
    await context.call("sessions", {}),
    ({ data }) =>
      data.length === 0
        ? "Nobody is signed in."
        : table(
            ["session", "since", "until", "browser"],
            data.map((row) => [row.session_id, row.created_at, row.expires_at ?? "", row.opened_with]),
          ),
    ({ data }) => (data.length === 0 ? undefined : `Sign out: ${nextCommand(context, ["owner", "sign-out", "all"])}`),
  );
  return 0;
}

export async function signOut(context: CommandContext, id: string): Promise<number> {
  atHome(context);
  answer(context, await context.call("endSessions", { id }), ({ ended }) =>
    ended.length === 0 ? "Nobody was signed in." : `Signed out: ${ended.join(", ")}.`,
  );
  return 0;
}
