// Says in words which parts of its root an index does not list (S-16).
import type { FileIndex } from "../../contract/files.ts";
import { counted } from "../../core/counted.ts";

/** Returns the description as a field of a response. The field is absent if the index lists its whole root. */
export function partialOf(index: FileIndex): { partial?: string } {
  const partial = partialWords(index);
  return partial === undefined ? {} : { partial };
}

function partialWords({ indexId, status, options, unread = 0 }: FileIndex): string | undefined {
  if (status !== "complete") return `The first scan of ${indexId} has not finished, so more may match.`;
  const { depthLimit, ignore = [] } = options;
  const reasons = [
    ...(unread === 0
      ? []
      : [
          `${counted(unread, "directory was", "directories were")} not scanned${depthLimit === undefined ? "" : ` (depthLimit ${depthLimit})`}`,
        ]),
    ...(ignore.length === 0 ? [] : [`${counted(ignore.length, "pattern excludes", "patterns exclude")} names`]),
  ];
  return reasons.length === 0 ? undefined : `${indexId} is partial: ${reasons.join(", and ")}, so more may match.`;
}
