// Filters on duplicates need content digests. Adds a note when some are missing (S-17).
import type { FileFilter } from "../../contract/files.ts";
import { DUPLICATE_BYTES_MIN } from "../digest/candidates.ts";
import { comparesContents } from "../read/filter.ts";
import type { ConnectedRoot } from "./connected-roots.ts";
import type { FileCall } from "./file-call.ts";

interface SearchedIndex {
  indexId: string;
  root: ConnectedRoot;
  filter: FileFilter | undefined;
}

/** `make` tells a caller that has the `index` power how to compute the missing digests. */
export async function digestsOf(
  call: FileCall,
  { indexId, root, filter }: SearchedIndex,
  make: string,
): Promise<{ digests?: string }> {
  if (filter === undefined || !comparesContents(filter)) return {};
  const { candidates, missing } = await call.lens.files.digestsMissing(indexId);
  if (missing === 0) return {};
  const how = call.may(root, "index")
    ? `${make} computes them.`
    : `The owner can compute them: pdpp files dupes ${root.path}`;
  const which = `${missing} of ${candidates} files of at least ${DUPLICATE_BYTES_MIN} bytes that have the same size as another file`;
  return { digests: `Digests are missing for ${which}, so some duplicates may not be found. ${how}` };
}

export const digestsCall = ({ path }: ConnectedRoot): string =>
  `index(${JSON.stringify({ root: path, digests: true })})`;
