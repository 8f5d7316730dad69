// A word for a shell, so that a printed command can be copied.

/** Single quotes keep everything; a quote itself steps outside. */
export function quote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./~-]+$/.test(word) && !word.startsWith("~") ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
