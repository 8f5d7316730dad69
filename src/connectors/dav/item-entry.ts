// Presents a server's item in the form that importers read: a file in memory.
import type { Entry } from "../../collect/entry.ts";

export function entryOf(path: string, text: string): Entry {
  const bytes = Buffer.from(text, "utf8");
  return {
    path,
    size: bytes.length,
    async *open() {
      yield bytes;
    },
    file: () => Promise.reject(new Error("an item that was read from a server has no file to open")),
  };
}
