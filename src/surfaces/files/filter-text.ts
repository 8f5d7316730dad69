// A filter in a URL: the same object as in a body, written as JSON.
import { PdppError } from "../../contract/errors.ts";
import type { FileFilter } from "../../contract/files.ts";

export function filterOf(text: string | undefined): { filter?: FileFilter } {
  if (text === undefined) return {};
  try {
    return { filter: JSON.parse(text) as FileFilter };
  } catch (error) {
    throw new PdppError("invalid_filter", `filter is not JSON: ${(error as Error).message}`, {
      param: "filter",
      next_step: 'Write it like filter={"name":"*.pdf"}, percent-encoded, or send it as the body of POST …/find.',
    });
  }
}
