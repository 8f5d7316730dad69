// The backup passphrase, from a file, the environment or a prompt. It is never an argument, because others on the
// machine can see arguments.
import { readFile } from "node:fs/promises";
import { type CommandContext, InputNeeded, text, UsageError } from "./command.ts";
import { askHidden } from "./hidden-prompt.ts";

export const PASSPHRASE_OPTION = {
  "passphrase-file": {
    type: "string",
    value: "FILE",
    about: "read the passphrase from this file ($PDPP_BACKUP_PASSPHRASE)",
  },
} as const;

/** Returns undefined if no passphrase was given. */
export async function givenPassphrase({ values }: Pick<CommandContext, "values">): Promise<string | undefined> {
  const file = text(values, "passphrase-file");
  if (file === undefined) return process.env.PDPP_BACKUP_PASSPHRASE || undefined;
  const content = await readFile(file, "utf8").catch(() => {
    throw new UsageError(`--passphrase-file: ${JSON.stringify(file)} cannot be read`);
  });
  return content.replace(/\r?\n$/, "");
}

/** Asks for the passphrase if there is a terminal; `twice` is for a new passphrase. */
export async function askPassphrase({ twice }: { twice: boolean }): Promise<string> {
  if (!process.stdin.isTTY)
    throw new InputNeeded(
      "the passphrase is missing",
      "Pass it with --passphrase-file FILE or in PDPP_BACKUP_PASSPHRASE, or run this in a terminal.",
    );
  const passphrase = await askHidden(twice ? "New passphrase for these backups" : "Backup passphrase");
  if (twice && (await askHidden("Repeat the passphrase")) !== passphrase)
    throw new UsageError("the two passphrases differ");
  return passphrase;
}
