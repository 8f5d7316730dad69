// /dashboard/files/roots/{rootId}: the settings of one folder, its records, and its removal.
import { PdppError } from "../../../../contract/errors.ts";
import type { OwnerRoot } from "../../../../contract/owner-file-lens.ts";
import { ownerPage } from "../../owner-page.ts";
import { readersOf } from "../connection.ts";
import type { ConnectionReader } from "../connection-view.ts";
import { holdings } from "../holdings.ts";
import { FILES, indexAddress, rootAddress } from "./addresses.ts";
import { showFolder } from "./folder-view.ts";

export interface FolderView {
  folder: OwnerRoot;
  /** The number of records in the folder's streams. */
  records: { files: number; text: number };
  /** The number of selections and saved searches. */
  sets: number;
  queries: number;
  apps: readonly ConnectionReader[];
  done?: string;
}

export const folderPage = ownerPage<FolderView>({
  path: `${FILES}/roots/{rootId}`,
  under: "files",
  async load(visit) {
    const ownerLens = await visit.files();
    const folder = await ownerLens.root(visit.params.rootId!);
    const indexId = folder.index?.indexId;
    const [held, apps, sets, queries] = await Promise.all([
      holdings(visit, folder.connectionId),
      readersOf(visit, folder.connectionId),
      indexId === undefined ? [] : ownerLens.sets(indexId),
      indexId === undefined ? [] : ownerLens.queries(indexId),
    ]);
    const count = (name: string): number => held[0]?.streams.find((stream) => stream.name === name)?.records ?? 0;
    const done = visit.search.get("done");
    return {
      folder,
      records: { files: count("files"), text: count("file_text") },
      sets: sets.length,
      queries: queries.length,
      apps,
      ...(done === null ? {} : { done: done.slice(0, 40) }),
    };
  },
  show: showFolder,
  async post(visit, form) {
    const rootId = visit.params.rootId!;
    const ownerLens = await visit.files();
    const here = rootAddress(rootId);
    switch (form.get("do")) {
      case "text":
        await ownerLens.setText(rootId, form.get("text") === "photos" ? "photos" : form.get("text") === "yes");
        return `${here}?done=${form.get("text") === "no" ? "no-text" : "text"}`;
      case "mounts":
        await ownerLens.setCrossMounts(rootId, form.get("mounts") === "yes");
        return `${here}?done=${form.get("mounts") === "yes" ? "mounts" : "no-mounts"}`;
      case "records":
        await ownerLens.syncRecords(rootId);
        return here;
      case "verify": {
        const { index } = await ownerLens.root(rootId);
        if (index === undefined) return indexAddress((await ownerLens.scan(rootId)).indexId);
        await ownerLens.rescan(index.indexId, { verify: true });
        return indexAddress(index.indexId);
      }
      case "pause":
      case "resume":
      case "cancel":
        await ownerLens.controlJob(form.get("id") ?? "", form.get("do") as "pause");
        return here;
      case "remove": {
        if (form.get("sure") !== "yes") {
          throw new PdppError("invalid_request", "nothing was removed: tick the box to confirm", {
            param: "sure",
          });
        }
        const { records } = await ownerLens.removeRoot(rootId);
        return `${FILES}?done=removed&records=${records}`;
      }
    }
    throw new PdppError("invalid_request", "the form has no action", { param: "do" });
  },
});
