// Approved roots with their connections, and which of a root's indexes to look into.
import type { FileIndex, FileRoot } from "../../contract/files.ts";
import type { Files } from "../files.ts";
import type { ShellStore } from "./shell-store.ts";

/** A root with the connection that grants name it by. */
export interface ConnectedRoot extends FileRoot {
  connectionId: string;
  /** Whether what is in its files is a stream of records, too. */
  text: boolean;
}

export function connectedRoots(files: Files, store: ShellStore) {
  return {
    /** All of them, including those that some callers may not see. */
    async list(): Promise<ConnectedRoot[]> {
      return (await files.roots()).flatMap((root) => {
        const connectionId = store.connectionOf(root.rootId);
        return connectionId === undefined ? [] : [{ ...root, connectionId, text: store.wantsText(root.rootId) }];
      });
    },

    /** Of a root: complete before partial, all levels before some, then the latest. */
    async indexOf({ indexIds }: Pick<FileRoot, "indexIds">): Promise<FileIndex | undefined> {
      const rank = { complete: 2, partial: 1, empty: 0 };
      const found = await Promise.all(indexIds.map((indexId) => files.indexInfo(indexId)));
      return found.sort(
        (one, other) =>
          rank[other.status] - rank[one.status] ||
          Number(one.options.depthLimit !== undefined) - Number(other.options.depthLimit !== undefined) ||
          (other.scannedAt ?? "").localeCompare(one.scannedAt ?? ""),
      )[0];
    },
  };
}
