// Files that no importer recognised: which ones, why, and what to do instead.
import { html } from "hono/html";
import { countOf, sentence } from "../format.ts";
import type { Html } from "../layout.ts";
import { IMPORT } from "./import-address.ts";
import type { OneImportView } from "./one-import-view.ts";

export function leftOutTable({ total, files }: OneImportView["leftOut"]): Html | "" {
  if (total === 0) return "";
  const more = total - files.length;
  return html`<section><h2>Not imported: ${countOf(total, "file")}</h2>
<div class="table-room listing" tabindex="0" role="region" aria-label="Not imported"><table>
<thead><tr><th scope="col">File</th><th scope="col">Why, and what you can do</th></tr></thead>
<tbody>${files.map(
    ({ path, reason, advice }) =>
      html`<tr><td><bdi>${path}</bdi></td><td><bdi>${sentence(reason)}</bdi>${advice === undefined ? "" : html`<p class="note"><bdi>${sentence(advice)}</bdi></p>`}</td></tr>`,
  )}</tbody></table></div>
${more === 0 ? "" : html`<p class="note">And ${countOf(more, "more file")}.</p>`}
<p class="note"><a href="${IMPORT}#formats">What can be imported, and where to get it</a></p></section>`;
}
