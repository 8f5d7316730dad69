// The view for adding a source: the choices, then one form with plain labels and the test result.
import { html } from "hono/html";
import type { ConnectorManifest } from "../../../../contract/connector.ts";
import { sentence } from "../../format.ts";
import { attribute, type Html, hidden } from "../../layout.ts";
import type { PageContent, PageFrame } from "../../owner-page.ts";
import { command, curl } from "../../snippets.ts";
import { bindingList } from "../connectors/binding-list.ts";
import { type FieldSetting, settingField } from "../connectors/setting-fields.ts";
import { CONNECTIONS } from "../explore/addresses.ts";
import { IMPORT } from "../import-address.ts";
import { timingFields } from "../schedule-timing.ts";
import { ADD, CHOICES, type SourceChoice } from "./choices.ts";

/** A connector that is being set up. */
export interface SourceDraft {
  place: string;
  manifest: ConnectorManifest;
  /** The values that the owner entered, without secrets. */
  typed: Readonly<Record<string, string>>;
  every: string;
  name: string;
  /** Secrets entered for the test, sealed for this server. */
  sealed?: string;
  checked?: { status: "works" | "fails" | "not_checkable"; message: string };
}

export interface AddView {
  /** True if programs and folders on the server's machine may be used. */
  hasMachine: boolean;
  from?: SourceChoice["from"];
  draft?: SourceDraft;
}

export function showAdd(view: AddView, frame: PageFrame): PageContent {
  const choice = view.hasMachine ? CHOICES.find(({ from }) => from === view.from) : undefined;
  const snippets = [curl(frame.origin, "/v1/connector-setups"), command("connectors", "--server", frame.origin)];
  if (choice === undefined) return { title: "Add a source", body: chooser(view), snippets };
  const form =
    choice.from === "folder"
      ? folderForm(frame)
      : view.draft === undefined
        ? pathForm()
        : connectorForm(choice, view.draft, frame);
  return {
    title: `Add a source: ${choice.title}`,
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${CONNECTIONS}">Connections</a> <span aria-hidden="true">›</span> <a href="${ADD}">Add a source</a></nav>
<h1>${choice.title}</h1><p class="lead">${choice.about}</p>${form}`,
    snippets,
  };
}

const chooser = ({
  hasMachine,
}: AddView): Html => html`<nav class="crumbs" aria-label="Breadcrumb"><a href="${CONNECTIONS}">Connections</a></nav>
<h1>Add a source</h1>
<p class="lead">Import files once, or connect an account and keep it up to date.</p>
<ul class="source-choices">
<li class="card"><h2><a href="${IMPORT}">Upload files</a></h2><p>An export that you downloaded: mail, chats, photos, bank statements, notes and many more. You see what is in it before anything is imported.</p></li>
${hasMachine ? CHOICES.map(({ from, title, about }) => html`<li class="card"><h2><a href="${ADD}?from=${from}">${title}</a></h2><p>${about}</p></li>`) : ""}</ul>
${hasMachine ? "" : html`<p class="note">Mailboxes, calendars and folders are connected by the operator of this server.</p>`}`;

const folderForm = ({
  csrf,
}: PageFrame): Html => html`<form class="card stack add-form" method="post" action="${ADD}?from=folder">${hidden({ csrf, from: "folder" })}
<label>Folder on the server’s machine<input type="text" name="folder" placeholder="/home/nora/Exports" required maxlength="4096" autocomplete="off" autocapitalize="off" spellcheck="false"><span class="note">The full path. The folder has to exist.</span></label>
${timingFields("folder")}
<div><button class="button primary">Watch it</button></div></form>`;

const pathForm =
  (): Html => html`<form class="card stack add-form" method="get" action="${ADD}">${hidden({ from: "path" })}
<label>Connector folder<input type="text" name="place" placeholder="/home/nora/my-connector" required maxlength="4000" autocomplete="off" autocapitalize="off" spellcheck="false"><span class="note">The full path on the server’s machine. The folder contains a connector.json file.</span></label>
<div><button class="button primary">Show it</button></div></form>
<p class="note">Nothing runs yet. First you see what the connector is and what it can do.</p>`;

function connectorForm(choice: SourceChoice, draft: SourceDraft, frame: PageFrame): Html {
  const { place, manifest, typed, every, name, sealed, checked } = draft;
  const fields = (manifest.settings ?? []).map((setting): FieldSetting => {
    const value = typed[setting.name] ?? setting.default;
    return {
      ...setting,
      ...(value === undefined ? {} : { value }),
      set: setting.secret === true && sealed !== undefined,
    };
  });
  const [first] = fields.filter(({ secret }) => secret);
  const isMain = (field: FieldSetting): boolean => field.required === true || field === first;
  const more = fields.filter((field) => !isMain(field));
  const isChanged = more.some(
    ({ name: own, default: usual }) => (typed[own] ?? "") !== "" && typed[own] !== String(usual ?? ""),
  );
  const works = checked?.status === "works";
  const canCheck = manifest.check === true;
  const address = `${ADD}?from=${choice.from}${choice.from === "path" ? `&place=${encodeURIComponent(place)}` : ""}`;
  return html`${checked === undefined ? "" : outcome(checked)}
<div class="columns wide-first"><form class="card stack add-form" method="post" action="${address}">${hidden({ csrf: frame.csrf, from: choice.from, place, ...(sealed === undefined ? {} : { sealed }) })}
${choice.from === "path" ? approval(manifest, place) : ""}
${fields.filter(isMain).map((field) => settingField(field))}
${more.length === 0 ? "" : html`<details class="fold" id="more"${attribute("open", isChanged)}><summary class="button small">More options</summary><div class="fold-body stack">${more.map((field) => settingField(field))}</div></details>`}
<label>Name of the connection<input type="text" name="name" value="${name}" maxlength="200" autocomplete="off"><span class="note">Optional: a name to tell it apart from your other sources.</span></label>
${timingFields("source", { canWait: true, ...(every === "" ? {} : { chosen: every }) })}
<div class="row">${canCheck ? html`<button class="button${works ? "" : " primary"}" name="do" value="check">Test the connection</button>` : ""}<button class="button${works || !canCheck ? " primary" : ""}" name="do" value="add">${works || !canCheck ? "Add it" : "Add without testing"}</button></div></form>
${help(choice)}</div>`;
}

function outcome({ status, message }: NonNullable<SourceDraft["checked"]>): Html {
  const text = sentence(message);
  if (status === "works")
    return html`<div class="alert good" role="status"><p><strong>It works.</strong> ${text} Add it to start the first run.</p></div>`;
  if (status === "fails")
    return html`<div class="alert" role="alert"><p><strong>That did not work.</strong> ${text}</p></div>`;
  return html`<div class="alert warn" role="status"><p>${text}</p></div>`;
}

const approval = (
  { display_name, version, command: words, bindings }: ConnectorManifest,
  place: string,
): Html => html`<section class="stack" aria-labelledby="what"><h2 id="what"><bdi>${display_name}</bdi> ${version}</h2>
<p>It runs <code>${words.join(" ")}</code> from <code>${place}</code> on this machine, and can read everything that this server can read. Add only programs that you trust.</p>
${bindingList(bindings)}</section>`;

const help = ({ help: lines }: SourceChoice): Html | "" =>
  lines === undefined
    ? ""
    : html`<section class="card" aria-labelledby="where"><h2 id="where">Where to find this</h2><ul class="list">${lines.map((line) => html`<li>${line}</li>`)}</ul>
<p class="note">The password is stored encrypted on this server, and sent only to the server that you enter.</p></section>`;
