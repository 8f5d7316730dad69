// Chooses the stored credential for a command, with or without a server argument.
import { type CommandContext, InputNeeded, UsageError } from "./command.ts";
import { type StoredCredential, storedCredential, storedOrigins } from "./credentials.ts";
import { DEFAULT_ORIGIN } from "./default-address.ts";
import { nextCommand } from "./next-command.ts";
import { originOf } from "./oauth/discover.ts";
import { noCredential } from "./stored-token.ts";

/** `--files` selects the credential for the server's files lens. */
export function storedServer(context: CommandContext, command: string): StoredCredential {
  const lens = context.values.files === true ? "files" : "records";
  const [typed, ...rest] = context.positionals;
  if (rest.length > 0) throw new UsageError(`one server at a time: unexpected argument ${JSON.stringify(rest[0])}`);
  const origin = typed === undefined ? undefined : originOf(typed);
  const stored = storedCredential(origin, lens);
  if (stored !== undefined) return stored;
  const others = storedOrigins(lens);
  if (origin !== undefined || others.length === 0) throw noCredential(origin ?? DEFAULT_ORIGIN, lens);
  throw new InputNeeded(
    `there are credentials for ${others.length} servers`,
    [
      "Choose one:",
      ...others.map((other) => `  ${nextCommand(context, [command, other], lens === "files" ? { files: true } : {})}`),
    ].join("\n"),
  );
}
