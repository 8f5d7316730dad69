// /dashboard/files: the approved folders, their content, and approval of another.
import { PdppError } from "../../../../contract/errors.ts";
import type { OwnerRoot } from "../../../../contract/owner-file-lens.ts";
import { ownerPage } from "../../owner-page.ts";
import { wholeNumber } from "../words.ts";
import { FILES, indexAddress } from "./addresses.ts";
import { showFolders } from "./folders-view.ts";

export interface FoldersView {
  folders: readonly OwnerRoot[];
  /** The number of records just deleted with a folder. */
  removedRecords?: number;
  home?: string;
}

export const foldersPage = ownerPage<FoldersView>({
  path: FILES,
  under: "files",
  async load({ files, search, house }) {
    const ownerLens = await files();
    const removed = search.get("done") === "removed" ? wholeNumber(search.get("records")) : undefined;
    return {
      folders: await ownerLens.roots(),
      ...(removed === undefined ? {} : { removedRecords: removed }),
      home: house.home,
    };
  },
  show: showFolders,
  async post({ files }, form) {
    const ownerLens = await files();
    switch (form.get("do")) {
      case "add": {
        const path = (form.get("path") ?? "").trim();
        if (path === "") throw new PdppError("invalid_request", "enter a folder on this computer", { param: "path" });
        const { indexId } = await ownerLens.addRoot({ path, text: form.get("text") === "yes" });
        return indexAddress(indexId);
      }
      case "scan": {
        const { indexId } = await ownerLens.scan(form.get("id") ?? "");
        return indexAddress(indexId);
      }
      case "pause":
      case "resume":
      case "cancel":
        await ownerLens.controlJob(form.get("id") ?? "", form.get("do") as "pause");
        return FILES;
    }
    throw new PdppError("invalid_request", "the form has no action", { param: "do" });
  },
});
