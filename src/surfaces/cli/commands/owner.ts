// pdpp owner: the owner's account and sessions, and tokens for tools that the owner trusts with everything.
import { answer, type Command, type CommandContext, duration, UsageError } from "../command.ts";
import { table } from "../table.ts";
import { reset, sessions, signOut } from "./owner-account.ts";
import { identify } from "./owner-me.ts";

export const owner: Command = {
  summary: "the owner: setup link, sessions, your names and addresses, and full-access tokens for your own tools",
  usage:
    "pdpp owner reset [--yes] [--public-url URL]\n       pdpp owner sessions | sign-out ID | sign-out all\n" +
    "       pdpp owner me [--add TEXT]… [--remove TEXT]…\n       pdpp owner token [--expires 1h]\n       pdpp owner list | revoke ID | revoke all",
  examples: [
    "pdpp owner reset",
    "pdpp owner sessions",
    "pdpp owner sign-out all",
    "pdpp owner me --add 'Nora Keane' --add nora@keane.example",
    "pdpp owner token",
    "pdpp owner token --expires 1h --json",
    "pdpp owner list",
    "pdpp owner revoke all",
  ],
  actions: ["reset", "sessions", "sign-out", "me", "token", "list", "revoke"],
  options: {
    expires: { type: "string", value: "DURATION", about: "token: expires after this time, such as 1h" },
    yes: { type: "boolean", about: "do not ask for confirmation" },
    "public-url": { type: "string", value: "URL", about: "reset: the base URL of the setup link" },
    add: {
      type: "string",
      multiple: true,
      value: "TEXT",
      about: "me: a name, address or number that is yours; can be repeated",
    },
    remove: {
      type: "string",
      multiple: true,
      value: "TEXT",
      about: "me: a name, address or number that is not yours; can be repeated",
    },
  },
  async run(context) {
    const [action, id, ...rest] = context.positionals;
    if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
    if (action === "token" && id === undefined) return issue(context);
    if (action === "list" && id === undefined) return list(context);
    if (action === "revoke" && id !== undefined) return revoke(context, id);
    if (action === "reset" && id === undefined) return reset(context);
    if (action === "sessions" && id === undefined) return sessions(context);
    if (action === "me" && id === undefined) return identify(context);
    if (action === "sign-out" && id !== undefined) return signOut(context, id);
    throw new UsageError("Choose a subcommand: reset, sessions, sign-out ID or all, me, token, list, revoke ID or all");
  },
};

async function issue(context: CommandContext): Promise<number> {
  const expires_in_seconds = duration(context.values, "expires");
  const body = await context.call("issueOwnerToken", { expires_in_seconds });
  answer(
    context,
    body,
    ({ access_token }) => access_token,
    ({ token_id, expires_at }) =>
      `${token_id}: everything, until ${expires_at ?? `you revoke it with \`pdpp owner revoke ${token_id}\``}.`,
  );
  return 0;
}

async function list(context: CommandContext): Promise<number> {
  const body = await context.call("ownerTokens", {});
  answer(context, body, ({ data }) =>
    data.length === 0
      ? "No owner tokens."
      : table(
          ["token", "status", "made", "expires"],
          data.map((row) => [row.token_id, row.status, row.created_at, row.expires_at ?? "when revoked"]),
        ),
  );
  return 0;
}

async function revoke(context: CommandContext, id: string): Promise<number> {
  const body = await context.call("revokeOwnerToken", { id });
  answer(context, body, ({ revoked }) =>
    revoked.length === 0
      ? "There was no token to revoke."
      : `Revoked ${revoked.join(", ")}. The next request is refused.`,
  );
  return 0;
}
