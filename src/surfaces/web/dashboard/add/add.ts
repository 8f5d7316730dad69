// /dashboard/add: the ways to add a source, with a form for each and a connection test before it is saved.
import type { ConnectorManifest, Settings, SettingValue } from "../../../../contract/connector.ts";
import { PdppError } from "../../../../contract/errors.ts";
import { NAME_MAX } from "../../../../contract/limits.ts";
import { withDefaults } from "../../../../core/connector-check.ts";
import { ownerPage, type Visit } from "../../owner-page.ts";
import { enteredIn, typedIn } from "../connectors/setting-fields.ts";
import { connectionAddress } from "../explore/addresses.ts";
import { timingIn } from "../schedule-timing.ts";
import { SCHEDULES } from "../schedules-view.ts";
import { type AddView, type SourceDraft, showAdd } from "./add-view.ts";
import { ADD, CHOICES, type SourceChoice } from "./choices.ts";

export const addPage = ownerPage<AddView>({
  path: ADD,
  under: "connections",
  load: async (visit) => viewOf(visit, visit.search),
  show: showAdd,
  async post(visit, form) {
    const from = form.get("from");
    if (from === "folder") return watch(visit, form);
    const view = await viewOf(visit, form);
    const { draft } = view;
    if (draft === undefined)
      throw new PdppError("invalid_request", "the form does not specify what to add", {
        next_step: "Choose one below.",
      });
    const typed = { ...draft, typed: typedIn(form), every: form.get("every") ?? "", name: form.get("name") ?? "" };
    try {
      return form.get("do") === "add"
        ? await add(visit, form, typed)
        : { ...view, draft: await tested(visit, form, typed) };
    } catch (error) {
      if (!(error instanceof PdppError) || error.status >= 500 || error.code === "password_required") throw error;
      const next = error.details.next_step;
      const message = `${error.message}.${next === undefined ? "" : ` ${next}`}`;
      return { ...view, draft: { ...typed, ...sealedIn(form), checked: { status: "fails", message } } };
    }
  },
});

async function viewOf({ look, house }: Visit, asked: URLSearchParams): Promise<AddView> {
  const hasMachine = house.home !== undefined;
  const from = CHOICES.find((one) => one.from === asked.get("from"))?.from;
  if (from === undefined || from === "folder" || !hasMachine) return { hasMachine, ...(from && { from }) };
  const named = from === "path" ? (asked.get("place") ?? "").trim() : from;
  if (named === "") return { hasMachine, from };
  if (from === "path" && !/^(?:\/|[A-Za-z]:\\)/.test(named))
    throw new PdppError("invalid_path", `${JSON.stringify(named)} is not the full path of a folder`, {
      next_step: "Enter the full path on the server’s machine, such as /home/nora/my-connector.",
    });
  const located = await look("locatedConnector", { named });
  if (located === null) throw new PdppError("not_found", "there is no such connector");
  return { hasMachine, from, draft: { ...located, typed: {}, every: "", name: "" } };
}

async function watch({ act, zone }: Visit, form: URLSearchParams): Promise<string> {
  const timing = timingIn(form, zone) ?? { every_seconds: 3600 };
  await act("watchFolder", { folder: (form.get("folder") ?? "").trim(), ...timing });
  return `${SCHEDULES}?done=set`;
}

interface Entered {
  settings: Settings;
  secrets: Record<string, string>;
}

const sealedIn = (form: URLSearchParams): { sealed?: string } => {
  const sealed = form.get("sealed") ?? "";
  return sealed === "" ? {} : { sealed };
};

function entered(form: URLSearchParams, { settings: defined = [] }: ConnectorManifest): Entered {
  const { settings, secrets } = enteredIn(form, defined);
  const given = Object.entries(settings).filter((one): one is [string, SettingValue] => one[1] !== null);
  const complete = withDefaults(defined, Object.fromEntries(given));
  const missing = defined.find(({ name, required, secret }) => required && !secret && complete[name] === undefined);
  if (missing !== undefined)
    throw new PdppError("invalid_request", `“${missing.title}” is empty`, { next_step: "Fill it in." });
  const kept = Object.entries(secrets).filter((one): one is [string, string] => one[1] !== null);
  return { settings: Object.fromEntries(given), secrets: Object.fromEntries(kept) };
}

async function tested({ act }: Visit, form: URLSearchParams, draft: SourceDraft): Promise<SourceDraft> {
  const { place, manifest } = draft;
  const query = { place, ...entered(form, manifest), ...sealedIn(form) };
  const { sealed, status, message } = await act("checkConnector", query);
  return { ...draft, sealed, checked: { status, message } };
}

/** Saves the source, schedules it or runs it at once, and opens its page, which shows the first run. */
async function add(visit: Visit, form: URLSearchParams, { place, manifest }: SourceDraft): Promise<string> {
  const given = entered(form, manifest);
  const name = (form.get("name") ?? "").trim().slice(0, NAME_MAX) || nameOf(form.get("from"), manifest, given.settings);
  const query = { place, manifest, ...given, ...sealedIn(form), display_name: name };
  const { connection_id } = await visit.act("putSetup", query);
  const timing = timingIn(form, visit.zone);
  if (timing === undefined) await visit.act("startCollect", { connection_id });
  else await visit.act("putSchedule", { connection_id, ...timing });
  return `${connectionAddress(connection_id)}?done=added`;
}

/** Adds the user name, so that two mailboxes do not get the same name. */
function nameOf(from: string | null, { display_name }: ConnectorManifest, { user }: Settings): string {
  const choice: SourceChoice | undefined = CHOICES.find((one) => one.from === from);
  const own = choice?.name ?? display_name;
  return (typeof user === "string" && user !== "" ? `${own}: ${user}` : own).slice(0, NAME_MAX);
}
