// Facts from a message's location: the mailbox folder, and the flags in Maildir file names.

const FLAGS = /[:;!]2,([A-Za-z]*)$/;
const MAILDIR = /^(?:(.*)\/)?(cur|new)\/[^/]+$/;

/** Recognises a Maildir by its folder, or by the flags in a file name if that folder itself is the given path. */
export const isMaildir = (path: string): boolean => MAILDIR.test(path) || FLAGS.test(path);
/** Matches incomplete deliveries. */
export const isMaildirTmp = (path: string): boolean => /(?:^|\/)tmp\/\d+\.[^/]+$/.test(path);

export interface Flags {
  unread?: boolean;
  starred?: boolean;
  answered?: boolean;
  draft?: boolean;
  deleted?: boolean;
}

/**
 * "1204680122.27c448.host:2,FS" means seen and flagged. File names on Windows cannot contain a colon, so programs there
 * write another character.
 */
export function maildirFlags(path: string): Flags {
  const letters = FLAGS.exec(path)?.[1] ?? "";
  return {
    unread: !letters.includes("S"),
    ...(letters.includes("F") ? { starred: true } : {}),
    ...(letters.includes("R") ? { answered: true } : {}),
    ...(letters.includes("D") ? { draft: true } : {}),
    ...(letters.includes("T") ? { deleted: true } : {}),
  };
}

/** Returns the display name of a folder, from the path of a mailbox file, a Maildir or a message. */
export function folderOf(path: string, kind: "folder" | "maildir" | "message"): string | undefined {
  if (kind === "maildir") {
    const found = MAILDIR.exec(path);
    if (found === null) return undefined;
    const folder = found[1] ?? "";
    const last = folder.split("/").at(-1) ?? "";
    // Maildir++: ".Archive.2024" is next to the inbox's own cur and new.
    if (last.startsWith(".")) return last.slice(1).replaceAll(".", "/");
    return last === "" || /^\.?(?:maildir|mail)$/i.test(last) ? "INBOX" : last;
  }
  const parts = path.split("/");
  const file = parts.pop() ?? "";
  if (kind === "message")
    return parts
      .filter((part) => !/^(?:messages|data|\d+)$/i.test(part))
      .at(-1)
      ?.replace(/\.mbox$/i, "");
  // Apple Mail exports a folder "Inbox.mbox" with a file "mbox"; Thunderbird nests folders in "Inbox.sbd".
  const own = /^mbox$/i.test(file) && parts.length > 0 ? parts.pop()! : file;
  const above = parts.filter((part) => /\.sbd$/i.test(part)).map((part) => part.replace(/\.sbd$/i, ""));
  return [...above, own.replace(/\.(?:mbox|mbx|mail|mmdf)$/i, "")].join("/") || undefined;
}
