// Formats message numbers in IMAP's set notation: 1:4,7,9:12.

/** `uids` must be ascending. */
export function uidRanges(uids: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < uids.length; ) {
    const first = uids[at]!;
    let last = first;
    while (uids[++at] === last + 1) last++;
    parts.push(first === last ? String(first) : `${first}:${last}`);
  }
  return parts.join(",");
}
