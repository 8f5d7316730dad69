// Quotes a word for a shell, so that a printed command can be copied.

/** Single quotes protect everything except a single quote, which is written outside them. */
export function quote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./~-]+$/.test(word) && !word.startsWith("~") ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
