// Finds the record with a file's text, if the owner chose to index texts (S-24).
import { FILE_TEXT_STREAM } from "../../contract/file-access.ts";
import { formatHandle } from "../../contract/handle.ts";
import type { ConnectedRoot } from "./connected-roots.ts";
import type { FileCall } from "./file-call.ts";

/** Handles that the records lens's `fetch` accepts, under a grant on the stream file_text. */
export interface TextRecord {
  record: string;
  window: string;
}

/** The presence of text reveals something about a file's content, so this needs `download`. */
export async function textRecordOf(
  call: FileCall,
  { rootId, connectionId, text }: ConnectedRoot,
  { indexId, nodeId }: { indexId: string; nodeId: string },
): Promise<TextRecord | undefined> {
  const { store, files } = call.lens;
  if (!text || !call.may({ connectionId }, "download")) return undefined;
  // Only one index of a root has records.
  if ((await store.asked(rootId))?.indexId !== indexId) return undefined;
  const id = await files.textRecordId(indexId, nodeId);
  if (id === undefined) return undefined;
  const at = { connection_id: connectionId, stream: FILE_TEXT_STREAM, id };
  return {
    record: formatHandle({ kind: "record", ...at }),
    window: formatHandle({ kind: "field-window", ...at, field: "text" }),
  };
}
