// Chooses which folders of a mailbox are read, and the label for each.
import type { ImapFlow, ListResponse } from "imapflow";
import { CollectFailure } from "../common/failure.ts";
import { inboxFirst } from "./ledger.ts";

export interface ChosenFolder {
  path: string;
  /** Empty if Gmail's labels describe the folder better. */
  label: string;
}

export interface Choice {
  chosen: ChosenFolder[];
  /** Junk and trash, where deleted messages can be found. */
  aside: string[];
  /** Every folder that can be opened. */
  present: Set<string>;
  /** Names that the owner gave but that the server does not have. */
  missing: string[];
}

const JUNK_AND_TRASH = new Set(["\\Junk", "\\Trash"]);

export async function chooseFolders(client: ImapFlow, wanted: readonly string[], gmail: boolean): Promise<Choice> {
  const listed = (await client.list()).filter(
    ({ flags }) => ![...flags].some((flag) => /^\\(?:noselect|nonexistent)$/i.test(flag)),
  );
  // Every mailbox has an inbox. If it is missing, the list cannot be trusted, so nothing counts as deleted.
  if (!listed.some(({ path }) => path.toUpperCase() === "INBOX"))
    throw new CollectFailure("the server listed no inbox; nothing was changed");
  const prefix = client.namespace?.prefix ?? "";
  const labelOf = ({ path, delimiter }: ListResponse): string => {
    const own =
      prefix !== "" && path.startsWith(prefix) && path.length > prefix.length ? path.slice(prefix.length) : path;
    return delimiter ? own.replaceAll(delimiter, "/") : own;
  };
  const all = gmail ? listed.find(({ specialUse }) => specialUse === "\\All") : undefined;
  const named = wanted.map((name) => ({
    name,
    folder:
      listed.find(({ path }) => path === name || (isInbox(name) && isInbox(path))) ??
      listed.find((folder) => labelOf(folder) === name),
  }));
  const folders =
    wanted.length > 0
      ? named.flatMap(({ folder }) => folder ?? [])
      : all !== undefined
        ? [all]
        : listed.filter((folder) => !JUNK_AND_TRASH.has(folder.specialUse ?? "") && !isView(folder));
  if (folders.length === 0) throw new CollectFailure(`none of the folders ${wanted.join(", ")} is in this mailbox`);
  const chosen = [...new Set(folders)].map((folder) => ({
    path: folder.path,
    label: folder === all ? "" : labelOf(folder),
  }));
  return {
    chosen: chosen.sort((one, other) => inboxFirst(one.label, other.label)),
    aside: listed
      .filter(
        ({ path, specialUse }) => JUNK_AND_TRASH.has(specialUse ?? "") && !chosen.some((one) => one.path === path),
      )
      .map(({ path }) => path),
    present: new Set(listed.map(({ path }) => path)),
    missing: named.filter(({ folder }) => folder === undefined).map(({ name }) => name),
  };
}

/** A folder that the server derives from all others. */
const isView = ({ specialUse, specialUseSource }: ListResponse): boolean =>
  specialUse === "\\All" && specialUseSource === "extension";

const isInbox = (name: string): boolean => name.toUpperCase() === "INBOX";
