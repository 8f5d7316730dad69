// The page for editing a grant: streams to tick, parts to choose, dates and expiry. It works without JavaScript.
import { html, raw } from "hono/html";
import { FILE_POWERS } from "../../../contract/file-access.ts";
import { mayWords } from "../../../core/grant-words.ts";
import { filedNouns } from "../../../core/kind-words.ts";
import { attribute, type Html, hidden } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { filingBoxes, isFiled } from "../pages/consent-sources.ts";
import type { ConsentFiling } from "../pages/consent-view.ts";
import { command } from "../snippets.ts";
import { APPS, grantAddress } from "./app-grants.ts";
import type { EditStream, GrantEditView } from "./grant-edit.ts";
import { AS_NOW, ENDS, everyName, filedName, partsName } from "./grant-edit-form.ts";
import { maySee, untilWords } from "./grant-words-view.ts";

export function showGrantEdit(view: GrantEditView, frame: PageFrame): PageContent {
  const { id, name, reads } = view;
  const back = grantAddress(id);
  return {
    title: `Edit what ${name} may see`,
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${APPS}">Apps</a> <span aria-hidden="true">›</span> <a href="${back}"><bdi>${name}</bdi></a> <span aria-hidden="true">›</span> <span>Edit</span></nav>
<h1>Edit what <bdi>${name}</bdi> may see</h1>
${maySee(reads, frame.times.zone)}
<p class="note">The app does not have to sign in again. If you let it see more than before, you have to enter your password.</p>
<form class="stack edit" method="post" action="${back}/edit">${hidden({ csrf: frame.csrf })}
${view.powers === undefined ? html`${connections(view)}${days(view)}` : powers(view.powers)}
${ends(view, frame)}
<p class="row"><button class="button primary">Save</button><a class="button" href="${back}">Cancel</a></p></form>`,
    snippets: [command("grants", "edit", id, "--expires", "30d", "--server", frame.origin)],
  };
}

function connections({ connections: all, isPackage }: GrantEditView): Html {
  const isRead = ({ streams }: (typeof all)[number]): boolean => streams.some(({ checked }) => checked);
  const more = all.filter((one) => !isRead(one));
  const list = (some: typeof all): Html => html`${some.map(connectionCard)}`;
  return html`${list(all.filter(isRead))}
${more.length === 0 ? "" : html`<details class="more-connections"><summary>Add another connection</summary>${list(more)}</details>`}
${isPackage ? "" : html`<p class="hint">This grant covers one connection. To add another, <a href="/dashboard/connect">connect the app again</a>.</p>`}`;
}

const connectionCard = ({ label, streams }: GrantEditView["connections"][number]): Html =>
  html`<fieldset class="card edit-connection"><legend><bdi>${label}</bdi></legend>${streams.map((stream) => streamLine(stream, label))}</fieldset>`;

/** A limited line can be extended to all values. The owner then has to enter the password. */
function filing(key: string, label: string, connection: string, given: ConsentFiling): Html {
  const { many } = filedNouns(given.role);
  const every = isFiled(given)
    ? html`<label class="choice"><input type="checkbox" name="${everyName(key)}" value="yes"><span>All ${many}</span></label>`
    : "";
  return html`<details class="fields filing"${attribute("open", isFiled(given))}><summary>Only some ${many}<span class="visually-hidden"> of ${label}, ${connection}</span></summary>
${hidden({ [filedName(key)]: given.field })}${every}${filingBoxes(key, given)}</details>`;
}

function streamLine({ key, label, checked, parts, filing: given }: EditStream, connection: string): Html {
  const choice =
    parts.length < 2
      ? ""
      : html`<select name="${partsName(key)}" aria-label="Details of ${label}, ${connection}">${parts.map(({ value, label: words }, index) => html`<option value="${value}"${index === 0 ? raw(" selected") : ""}>${words}</option>`)}</select>`;
  return html`<div class="edit-line"><label class="choice"><input type="checkbox" name="stream" value="${key}"${attribute("checked", checked)}><span>${label}</span></label>${choice}${given === undefined ? "" : filing(key, label, connection, given)}</div>`;
}

function days({ since = "", until = "", mixedTimes }: GrantEditView): Html {
  return html`<fieldset class="period"><legend>Time span</legend><div class="dates">
<label>From<input type="date" name="since" value="${since}"></label>
<label>Before<input type="date" name="until" value="${until}"></label></div>
<p class="hint">${mixedTimes ? "The lines have different time spans now. A date that you enter here applies to all of them." : "Leave empty for any time."} Kinds of data that have no dates are always included.</p></fieldset>`;
}

function powers(may: NonNullable<GrantEditView["powers"]>): Html {
  return html`<fieldset class="card edit-connection"><legend>What it may do</legend>${FILE_POWERS.map((power) => {
    const words = mayWords([power], "these folders");
    const box =
      power === "navigate"
        ? html`<input type="checkbox" checked disabled>`
        : html`<input type="checkbox" name="may" value="${power}"${attribute("checked", may.includes(power))}>`;
    return html`<label class="choice">${box}<span>${words.charAt(0).toUpperCase()}${words.slice(1)}</span></label>`;
  })}</fieldset>`;
}

function ends(view: GrantEditView, { times }: PageFrame): Html {
  const now = untilWords(view, times.zone);
  const choices: [string, string][] = [
    [AS_NOW, `As now: ${now.charAt(0).toLowerCase()}${now.slice(1)}`],
    ...ENDS.filter(([value]) => view.expiresAt !== undefined || value !== "forever").map(
      ([value, { label }]): [string, string] => [value, value === "forever" ? label : `${label} from now`],
    ),
  ];
  return html`<fieldset class="durations"><legend>Ends</legend>${choices.map(
    ([value, label], index) =>
      html`<label class="choice"><input type="radio" name="end" value="${value}"${attribute("checked", index === 0)}><span>${label}</span></label>`,
  )}</fieldset>`;
}
