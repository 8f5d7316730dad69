// /dashboard/connections/{id}/delete: says exactly what would be deleted, and deletes it after confirmation.

import { html } from "hono/html";
import { PdppError } from "../../../contract/errors.ts";
import { formatBytes } from "../../../core/format-bytes.ts";
import { quote } from "../../../core/shell-quote.ts";
import { copyable } from "../copyable.ts";
import { countOf } from "../format.ts";
import { hidden } from "../layout.ts";
import { ownerPage, type PageContent, type PageFrame } from "../owner-page.ts";
import { clientWords } from "../pages/client-identity.ts";
import { readersOf, requireHolding } from "./connection.ts";
import type { ConnectionReader } from "./connection-view.ts";
import { CONNECTIONS, connectionAddress } from "./explore/addresses.ts";

interface DeleteView {
  connectionId: string;
  name: string;
  records: number;
  streams: number;
  attachments: { count: number; bytes: number };
  apps: readonly ConnectionReader[];
  home?: string;
}

export const connectionDeletePage = ownerPage<DeleteView>({
  path: `${CONNECTIONS}/{id}/delete`,
  under: "connections",
  async load(visit) {
    const id = visit.params.id!;
    const [{ connectionId, name, records, streams }, apps, attachments] = await Promise.all([
      requireHolding(visit, id),
      readersOf(visit, id),
      visit.look("connectionBlobs", { connection_id: id }),
    ]);
    return { connectionId, name, records, streams: streams.length, attachments, apps, home: visit.house.home };
  },
  show: showDelete,
  async post({ params, act }, form) {
    if (form.get("sure") !== "yes") {
      throw new PdppError("invalid_request", "nothing was deleted: tick the box to confirm", {
        param: "sure",
      });
    }
    const { records_deleted } = await act("deleteConnection", {
      connection_id: params.id!,
    });
    return `${CONNECTIONS}?done=deleted&records=${records_deleted}`;
  },
});

function showDelete(view: DeleteView, frame: PageFrame): PageContent {
  const { connectionId, name, records, streams, attachments, apps, home } = view;
  const back = connectionAddress(connectionId);
  return {
    title: `Delete ${name}`,
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${CONNECTIONS}">Connections</a> <span aria-hidden="true">›</span> <a href="${back}"><bdi>${name}</bdi></a></nav>
<h1>Delete <bdi>${name}</bdi>?</h1>
<section class="card stack"><h2>What will be deleted</h2>
<ul class="list">
<li><strong>${countOf(records, "record")}</strong> in ${countOf(streams, "stream")}</li>
${attachments.count === 0 ? "" : html`<li><strong>${countOf(attachments.count, "attachment")}</strong>, ${formatBytes(attachments.bytes)}</li>`}
<li>${
      apps.length === 0
        ? "No app reads it."
        : html`Apps that read it: ${apps.map((app, index) => html`${index === 0 ? "" : ", "}<bdi>${clientWords(app.client)}</bdi>`)}. Their next request will not find it.`
    }</li>
</ul>
${
  home === undefined
    ? html`<p class="alert warn">This cannot be undone.</p>`
    : html`<p class="alert warn">This cannot be undone. <a href="/dashboard/settings#backups">Back up first</a>, or in a terminal:</p>
${copyable(`pdpp backup ~/postern-backup --home ${quote(home)}`, "backup-command")}`
}
<form class="stack" method="post" action="${back}/delete">${hidden({ csrf: frame.csrf })}
<label class="choice"><input type="checkbox" name="sure" value="yes" required><span>I am sure: delete <bdi>${name}</bdi> and the ${countOf(records, "record")} in it.</span></label>
<div class="row"><button class="button danger">Delete</button><a href="${back}">Keep it</a></div></form>
</section>`,
  };
}
