// The search-by-meaning card of Settings: the model's endpoint, its progress, and a warning that private text is sent
// there (R-06).
import { html, raw } from "hono/html";
import { NAME_MAX, SEARCH_MODEL } from "../../../contract/limits.ts";
import type { SearchModelRead } from "../../../contract/search-model.ts";
import { countOf, formatNumber, sentence } from "../format.ts";
import { type Html, hidden } from "../layout.ts";
import type { PageFrame, Visit } from "../owner-page.ts";

/** Most homes have no model, so the search index is not opened for this card. */
export async function modelOf({ look }: Pick<Visit, "look">): Promise<SearchModelRead | undefined> {
  return (await look("searchModelUsed", {})) === null ? undefined : look("searchModel", {});
}

export function modelCard(model: SearchModelRead | undefined, action: string, frame: PageFrame): Html {
  const { csrf } = frame;
  const isReading = model?.progress !== undefined && model.progress.status !== "ready";
  return html`<section class="card" id="search-model"${isReading ? raw(' data-live="2000"') : ""} aria-labelledby="search-model-title"><header class="row"><h2 id="search-model-title">Search by meaning</h2>${
    model === undefined
      ? ""
      : html`<form class="end" method="post" action="${action}">${hidden({ csrf, do: "model-remove" })}<button class="button danger">Remove<span class="visually-hidden"> the model</span></button></form>`
  }</header>${model === undefined ? setForm(action, csrf) : shown(model, frame)}</section>`;
}

function shown({ url, name, notice, progress }: SearchModelRead, { times }: PageFrame): Html {
  return html`<dl class="facts"><div><dt>Model</dt><dd><bdi>${name}</bdi></dd></div><div><dt>Endpoint</dt><dd><code>${url}</code></dd></div></dl>
<p class="alert warn">${notice}</p>${progress === undefined ? "" : progressWords(progress, times)}
<p class="note">If you remove the model, its vectors are deleted and search matches words only.</p>`;
}

function progressWords(
  { status, records, error, retry_at }: NonNullable<SearchModelRead["progress"]>,
  times: PageFrame["times"],
): Html {
  const read = `Read ${formatNumber(records.done)} of ${countOf(records.total, "record")} with text.`;
  if (status === "ready") return html`<p>Ready. ${read}</p>`;
  const bar = html`<progress aria-label="Records read" max="${records.total}" value="${records.done}"></progress>`;
  if (error === undefined) return html`<p role="status">Reading your records. ${read}</p>${bar}`;
  return html`<p class="alert" role="alert">The endpoint failed: <bdi>${sentence(error)}</bdi> ${read}${retry_at === undefined ? "" : html` The next attempt is at ${times.instant(retry_at)}.`} Until then search matches words only.</p>`;
}

const setForm = (action: string, csrf: string): Html =>
  html`<p class="note">Search matches words. With an embedding model it also finds text with the same meaning. The model runs where you choose, for example with Ollama on this machine.</p>
<details class="fold" id="set-model"><summary class="button small">Set a model</summary><form class="stack fold-body" method="post" action="${action}">${hidden({ csrf, do: "model" })}
<label>Endpoint<input type="text" inputmode="url" name="url" required maxlength="${SEARCH_MODEL.urlMax}" placeholder="http://127.0.0.1:11434/v1" spellcheck="false" autocapitalize="none"></label>
<label>Name of the model<input type="text" name="name" required maxlength="${NAME_MAX}" placeholder="nomic-embed-text" spellcheck="false" autocapitalize="none"></label>
<p class="alert warn">Passages from your records, and each search, are sent to this endpoint.</p>
<label class="tick"><input type="checkbox" name="remote" value="yes"> The endpoint is on another machine; I agree to send my private text there</label>
<p><button class="button primary">Set model</button></p></form></details>`;
