// /dashboard/import/{id}/undo: how many records an undo would remove, and the button that does it.
import { html } from "hono/html";
import { countOf } from "../format.ts";
import { hidden } from "../layout.ts";
import { ownerPage, type PageContent, type PageFrame } from "../owner-page.ts";
import { commandAt } from "../snippets.ts";
import { IMPORT, importAddress } from "./import-address.ts";
import { fileLine } from "./import-row.ts";

interface UndoView {
  importId: string;
  name: string;
  /** The number of records that the import added and that have not changed since. */
  removes: number;
  /** The number of records that the import only changed, which are kept. */
  keeps: number;
  isAlone: boolean;
  home?: string;
}

export const importUndoPage = ownerPage<UndoView>({
  path: `${IMPORT}/{id}/undo`,
  under: "import",
  async load({ params, look, house }) {
    const id = params.id!;
    const [found, size] = await Promise.all([look("import", { id }), look("undoSize", { id })]);
    const isAlone = found.object === "import";
    const name = isAlone ? found.name : found.files.map((file) => file.name).join(", ");
    const { records_removed: removes, records_kept: keeps } = size;
    return { importId: id, name: fileLine(name), removes, keeps, isAlone, home: house.home };
  },
  show: showUndo,
  async post({ params, act }) {
    await act("undoImport", { id: params.id! });
    return importAddress(params.id!);
  },
});

function showUndo({ importId, name, removes, keeps, isAlone, home }: UndoView, frame: PageFrame): PageContent {
  const back = importAddress(importId);
  const records = countOf(removes, "record");
  return {
    title: "Undo an import",
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${IMPORT}">Import</a> <span aria-hidden="true">›</span> <a href="${back}"><bdi>${name}</bdi></a></nav>
<h1>Undo this import?</h1>
<section class="card stack"><h2><bdi>${name}</bdi></h2>
<ul class="list"><li><strong>${records}</strong> that it added will be removed.</li>
${keeps === 0 ? "" : html`<li><strong>${countOf(keeps, "record")}</strong> that it only changed will not be reverted, because no earlier version was kept.</li>`}
<li>Importing the same files again restores the records.</li></ul>
${
  removes === 0
    ? html`<p>There is nothing left to remove. <a href="${back}">Back</a></p>`
    : html`<form class="row" method="post" action="${back}/undo">${hidden({ csrf: frame.csrf })}<button class="button danger">Remove ${records}</button><a href="${back}">Keep them</a></form>`
}</section>`,
    snippets: isAlone ? commandAt(home, "import", "undo", importId) : [],
  };
}
