// Approved roots with their connections, and the choice of index for each root.

import type { FileIndex, FileRoot } from "../../contract/files.ts";
import type { TextChoice } from "../../contract/owner-file-lens.ts";
import type { Files } from "../files.ts";
import type { ShellStore } from "./shell-store.ts";

/** A root with the connection that grants refer to. */
export interface ConnectedRoot extends FileRoot {
  connectionId: string;
  /** Says whether the text of the root's files is also a record stream. */
  text: TextChoice;
}

export function connectedRoots(files: Files, store: ShellStore) {
  return {
    /** Lists all roots, including those that some callers may not see. */
    async list(): Promise<ConnectedRoot[]> {
      return (await files.roots()).flatMap((root) => {
        const connectionId = store.connectionOf(root.rootId);
        return connectionId === undefined ? [] : [{ ...root, connectionId, text: store.wantsText(root.rootId) }];
      });
    },

    /**
     * Returns the fullest index of a root (S-16): a complete one that skips nothing, otherwise the one with the most
     * nodes. The latest scan breaks ties.
     */
    async indexOf({ indexIds }: Pick<FileRoot, "indexIds">): Promise<FileIndex | undefined> {
      const found = await Promise.all(indexIds.map((indexId) => files.indexInfo(indexId)));
      const nodes = ({ totals }: FileIndex): number => (totals === undefined ? -1 : totals.files + totals.dirs);
      return found.sort(
        (one, other) =>
          Number(isWhole(other)) - Number(isWhole(one)) ||
          (isWhole(one) ? 0 : nodes(other) - nodes(one)) ||
          (other.scannedAt ?? "").localeCompare(one.scannedAt ?? ""),
      )[0];
    },
  };
}

const isWhole = ({ status, options: { depthLimit, ignore } }: FileIndex): boolean =>
  status === "complete" && depthLimit === undefined && ignore === undefined;
