// Calls that read the disk itself: opening an indexed file, resolving a link, computing digests.
import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { idMaker } from "../../collect/record-ids.ts";
import { PdppError } from "../../contract/errors.ts";
import { parseNode } from "../handles.ts";
import { homeIdentities } from "../home-identities.ts";
import { MAGIC_BYTES, typeOfBytes } from "../mime.ts";
import { printable } from "../printable.ts";
import type { DiskPath } from "../read/read-calls.ts";
import { openBelow, readLinkBelow } from "../safe-open.ts";
import { type FilesContext, requireFiles, requireIndex, sentFile } from "./context.ts";

/** The caller closes the handle. Size and time come from the open file, not from the index. */
export interface OpenedFile {
  handle: FileHandle;
  name: string;
  size: number;
  modifiedAt: Date;
  mimeType: string;
}

export function contentCalls(context: FilesContext) {
  const { reads, catalogue, home, directory } = context;

  async function diskPath(indexId: string, nodeId: string): Promise<DiskPath & { root: Uint8Array }> {
    const index = requireFiles(context, indexId);
    const { root } = requireIndex(context, indexId);
    const found = await reads.call(index, "place", { ref: parseNode(index.no, nodeId) });
    return { ...found, root: catalogue.root(root)!.path };
  }

  return {
    async openFile(indexId: string, nodeId: string): Promise<OpenedFile> {
      const { root, names, kind } = await diskPath(indexId, nodeId);
      if (kind !== "file") {
        throw new PdppError("invalid_request", `${nodeId} is a ${kind}; only files can be read`, {
          param: "nodeId",
          next_step: kind === "dir" ? "List it instead." : "Choose a node of kind file.",
        });
      }
      const { handle, facts } = await openBelow(root, names, homeIdentities(home));
      try {
        const name = printable(names.at(-1)!);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0);
        const mimeType = typeOfBytes(buffer.subarray(0, bytesRead), name);
        return { handle, name, size: facts.size, modifiedAt: facts.mtime, mimeType };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    /** Returns the printable target, or undefined if the node is not a link or is no longer one. */
    async readLink(indexId: string, nodeId: string): Promise<string | undefined> {
      const { root, names, kind } = await diskPath(indexId, nodeId);
      if (kind !== "link") return undefined;
      try {
        return printable(await readLinkBelow(root, names, homeIdentities(home)));
      } catch (error) {
        if (error instanceof PdppError) return undefined;
        throw error;
      }
    },

    /**
     * Returns the id of the record that contains the file's text, or undefined if the file has no text or the text has
     * not been sent yet.
     */
    async textRecordId(indexId: string, nodeId: string): Promise<string | undefined> {
      const { no, root } = requireIndex(context, indexId);
      const { dir, number } = parseNode(no, nodeId);
      const path = sentFile(directory, root);
      if (number === undefined || !existsSync(path)) return undefined;
      const sent = new DatabaseSync(path, { readOnly: true });
      try {
        const row = sent
          .prepare(
            "SELECT value FROM meta WHERE key = 'id_key' AND EXISTS (SELECT 1 FROM text_sent WHERE dir = ? AND number = ? AND there = 1)",
          )
          .get(dir, number);
        return row === undefined ? undefined : idMaker(row.value as string)(nodeId);
      } finally {
        sent.close();
      }
    },

    /** Returns the SHA-256 in hex, if it was computed for the indexed version of the file. */
    async digest(indexId: string, nodeId: string): Promise<string | undefined> {
      const index = requireFiles(context, indexId);
      return reads.call(index, "digest", { ref: parseNode(index.no, nodeId) });
    },
  };
}
