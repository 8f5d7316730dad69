// The plan of an import: what was recognised, where it goes, questions, what is skipped, and the button that starts it.
import { html, raw } from "hono/html";
import type { ImportPlanRead } from "../../../contract/import-upload.ts";
import { NAME_MAX } from "../../../contract/limits.ts";
import { formatBytes } from "../../../core/format-bytes.ts";
import { countOf, formatNumber, sentence } from "../format.ts";
import { alert, attribute, type Html, hidden } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { curl } from "../snippets.ts";
import { IMPORT, importAddress } from "./import-address.ts";
import { leftOutTable } from "./import-left-out.ts";
import { fileLine } from "./import-row.ts";
import { ANSWER, type OneImportView, type PlanQuestion } from "./one-import-view.ts";

type PlanGroup = ImportPlanRead["groups"][number];

/** With more choices than this, a drop-down list is used. */
const RADIOS_MAX = 4;

export function showPlan(view: OneImportView, frame: PageFrame): PageContent {
  const { importId, name, files, bytes } = view;
  return {
    title: "Import",
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${IMPORT}">Import</a></nav>
<h1><bdi>${name}</bdi></h1>
<p class="lead">${countOf(files, "file")}, ${formatBytes(bytes)}. Nothing is imported yet.</p>
<div id="plan"${view.isLooking ? raw(' data-live="1000"') : ""}>${content(view, frame)}</div>`,
    snippets: [curl(frame.origin, `/v1/imports/${encodeURIComponent(importId)}`)],
  };
}

function content(view: OneImportView, frame: PageFrame): Html {
  const { missing, isLooking, refused, plan = [], leftOut } = view;
  if (missing !== undefined) {
    return html`${alert([`${formatBytes(missing)} did not arrive, because the connection was interrupted.`], "warn")}
<p>Choose the same files again on <a href="${IMPORT}?to=${encodeURIComponent(view.importId)}">Import</a> to continue.</p>${discardOnly(view, frame)}`;
  }
  if (isLooking) {
    return html`<section class="card"><p class="waiting"><span class="pulse"></span>Checking the contents…</p>
<p class="note">Large archives take a while. <a href="${importAddress(view.importId)}">Refresh</a></p></section>`;
  }
  if (refused !== undefined) return html`${alert([sentence(refused)])}${discardOnly(view, frame)}`;
  if (plan.length === 0) {
    return html`<section class="empty"><h2>Nothing here can be imported</h2><p>The reason for each file is below.</p></section>
${leftOutTable(leftOut)}${discardOnly(view, frame)}`;
  }
  return html`<form method="post" action="${importAddress(view.importId)}" class="plan">${hidden({ csrf: frame.csrf })}
${groupsOf(view, frame)}
${startBox(view)}
</form>
${leftOutTable(leftOut)}`;
}

/** If two groups have the same question, it is asked once, and its answer applies to both. */
function groupsOf({ plan = [], answers = {} }: OneImportView, frame: PageFrame): Html[] {
  const asked = new Set<string>();
  return plan.map((group) => {
    const own = group.questions.filter(({ id }) => !asked.has(id));
    for (const { id } of own) asked.add(id);
    return groupCard(group, own, answers, frame);
  });
}

function groupCard(
  { reason, name, account, files, bytes, streams, warnings }: PlanGroup,
  questions: readonly PlanQuestion[],
  answers: Record<string, string>,
  { times }: PageFrame,
): Html {
  const facts = ({ count, since, until }: PlanGroup["streams"][number]): Html | "" => {
    const span = since === undefined || until === undefined ? undefined : times.span(since, until);
    const counts = [
      ...(count === undefined ? [] : [`about ${formatNumber(count)}`]),
      ...(span === undefined ? [] : [span]),
    ];
    return counts.length === 0 ? "" : html` <span class="number">${counts.join(", ")}</span>`;
  };
  return html`<section class="card">
<h2><bdi>${sentence(reason).slice(0, -1)}</bdi></h2>
<p class="note"><bdi>${name}</bdi> · ${countOf(files, "file")}, ${formatBytes(bytes)} · into “<bdi>${account.name}</bdi>”</p>
<ul class="pills">${streams.map((one) => html`<li><span><bdi>${one.stream}</bdi>${facts(one)}</span></li>`)}</ul>
${files > 1 ? streams.map((stream) => fileEstimates(stream, name)) : ""}
${alert(warnings.map(sentence), "warn")}
${questions.map((question) => questionField(question, answers[question.id]))}
</section>`;
}

/** The number of files in a plan that are listed individually. */
const FILES_SHOWN = 100;

/** Lists the largest files first. If every file has one item, the number of files is enough. */
function fileEstimates({ stream, files = [] }: PlanGroup["streams"][number], group: string): Html | "" {
  if (files.every(({ count }) => count === 1)) return "";
  const more = files.length - FILES_SHOWN;
  return html`<details><summary><bdi>How many ${stream} in each file</bdi></summary>
<div class="table-room listing" tabindex="0" role="region" aria-label="${stream} in each file: ${group}"><table>
<thead><tr><th scope="col">File</th><th scope="col" class="number">About</th></tr></thead>
<tbody>${files.slice(0, FILES_SHOWN).map(({ path, count }) => html`<tr><td><bdi>${fileLine(path)}</bdi></td><td class="number">${formatNumber(count)}</td></tr>`)}</tbody></table></div>
${more > 0 ? html`<p class="note">And ${countOf(more, "more file")}.</p>` : ""}</details>`;
}

function questionField(question: PlanQuestion, given: string | undefined): Html {
  const { id, text, options, default: usual, asks_for } = question;
  const name = `${ANSWER}${id}`;
  const chosen = given ?? usual;
  if (options === undefined) {
    return html`<label class="question"><span>${text}</span><input type="text" name="${name}" value="${chosen ?? ""}" maxlength="2000" autocomplete="off"${attribute("required", usual === undefined || asks_for === "time_zone")}></label>`;
  }
  if (options.length > RADIOS_MAX) {
    return html`<label class="question"><span>${text}</span><select name="${name}"${attribute("required", usual === undefined)}>${usual === undefined ? html`<option value="">Choose…</option>` : ""}${options.map(
      ({ value, label }) => html`<option value="${value}"${value === chosen ? raw(" selected") : ""}>${label}</option>`,
    )}</select></label>`;
  }
  return html`<fieldset class="question"><legend>${text}</legend>${options.map(
    ({ value, label }) =>
      html`<label class="choice"><input type="radio" name="${name}" value="${value}"${attribute("checked", value === chosen)}${attribute("required", usual === undefined)}><span><bdi>${label}</bdi></span></label>`,
  )}</fieldset>`;
}

function startBox({ plan = [], as, importId }: OneImportView): Html {
  const [only] = plan;
  const asks = plan.some(({ questions }) => questions.length > 0);
  return html`<section class="card stack start">
${
  plan.length === 1 && only !== undefined
    ? html`<label>Name of the connection<input type="text" name="as" value="${as ?? ""}" placeholder="${only.account.name}" maxlength="${NAME_MAX}" autocomplete="off"></label>
<p class="hint">If empty, records are added to the connection of earlier imports from the same account. Using the same name again adds to the same connection.</p>`
    : ""
}
<div class="row"><button class="button primary" name="do" value="start">Start the import</button>
${asks ? html`<button class="button" name="do" value="plan" formnovalidate>Plan again with these answers</button>` : ""}
<a href="${IMPORT}?to=${encodeURIComponent(importId)}">Add files</a>
<button class="link end" name="do" value="discard" formnovalidate>Discard</button></div>
</section>`;
}

const discardOnly = ({ importId }: OneImportView, { csrf }: PageFrame): Html =>
  html`<form class="plan" method="post" action="${importAddress(importId)}">${hidden({ csrf, do: "discard" })}<button class="button">Discard</button></form>`;
