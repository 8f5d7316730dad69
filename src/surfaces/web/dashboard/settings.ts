// /dashboard/settings: the owner, appearance, sessions, the server's address, backups, health, and owner tokens.
import { hashPassword, PASSWORD_MIN } from "../../../auth/password.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { OwnerToken } from "../../../contract/owner-token.ts";
import type { Preferences } from "../../../contract/preferences.ts";
import type { SearchModelRead } from "../../../contract/search-model.ts";
import type { BackupReport } from "../../../engine/backup/backup.ts";
import type { KeptBackup } from "../../../engine/backup/kept-backups.ts";
import type { DoctorReport } from "../../../engine/doctor.ts";
import type { PlannedBackups } from "../../../engine/housekeeping.ts";
import { ownerPage, type SavedFile, type SentForm, type Visit } from "../owner-page.ts";
import type { PageJob } from "../page-jobs.ts";
import type { Undoable } from "../undo.ts";
import { chosenPreferences } from "./settings-appearance.ts";
import { modelOf } from "./settings-model.ts";
import { SETTINGS, showSettings } from "./settings-view.ts";

/** The delay before a restart, so that the page can be sent. */
const RESTART_MS = 1000;
const BACKUP = "backup";
const HEALTH = "health";

/** Messages shown after a redirect. */
const DONE = {
  look: "Saved.",
  password: "The password has been changed, and all other sessions have been signed out.",
  session: "That session has been signed out.",
  model: "The model has been set. It will read your records from now on.",
  modelRemoved: "The model has been removed. Search now matches words only.",
  others: "Signed out everywhere else.",
  token: "Revoked. The next request with that token is refused.",
  restored:
    "Restored the backup. The server is restarting; sign in with the password from that backup. The previous data is kept in a separate folder next to the restored data.",
} as const;

export interface SettingsView {
  owner: { name: string; passwordMin: number; secondFactor: boolean };
  preferences: Preferences;
  /** Settings for search by meaning. Absent if no model is configured. */
  searchModel?: SearchModelRead;
  sessions: readonly {
    sessionId: string;
    /** The browser's User-Agent. */
    openedWith: string;
    openedAt: string;
    expiresAt?: string;
    /** True for this visitor's session. */
    own: boolean;
  }[];
  address: { publicUrl?: string; origin: string };
  backups: {
    /** The time of the latest backup, wherever it is stored. */
    lastAt?: string;
    kept: readonly KeptBackup[];
    plan?: PlannedBackups;
    /** A backup started with a click. It is called `errand` in the JSON form. */
    errand?: PageJob<BackupReport>;
  };
  health?: PageJob<DoctorReport>;
  tokens: readonly OwnerToken[];
  home?: string;
  /** Present if the data is in a database. */
  ownerInDatabase?: string;
  version: string;
  done?: string;
}

export const settingsPage = ownerPage<SettingsView>({
  path: SETTINGS,
  under: "settings",
  async load(visit) {
    const { look, house, pageJobs, sessionId, publicUrl, origin, search } = visit;
    const [account, factors, searchModel, sessions, tokens, backedUp, kept, plan, version] = await Promise.all([
      look("ownerAccount", {}),
      look("secondFactors", {}),
      house.home === undefined ? undefined : modelOf(visit),
      look("sessions", {}),
      look("ownerTokens", {}),
      look("activity", { action: "backup", outcome: "ok", limit: 1 }),
      house.backups(),
      house.plan(),
      house.version(),
    ]);
    const lastAt = backedUp.data[0]?.at;
    const [errand, health] = await Promise.all([
      pageJobs.last<BackupReport>(BACKUP),
      pageJobs.last<DoctorReport>(HEALTH),
    ]);
    const done = search.get("done") ?? "";
    return {
      owner: { name: account.name ?? "", passwordMin: PASSWORD_MIN, secondFactor: factors.required },
      preferences: account.preferences ?? { theme: "system" },
      ...(searchModel === undefined ? {} : { searchModel }),
      sessions: sessions.data.map(({ session_id, opened_with, created_at, expires_at }) => ({
        sessionId: session_id,
        openedWith: opened_with,
        openedAt: created_at,
        ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
        own: session_id === sessionId,
      })),
      address: { ...(publicUrl === undefined ? {} : { publicUrl }), origin },
      backups: {
        ...(lastAt === undefined ? {} : { lastAt }),
        kept,
        ...(plan === undefined ? {} : { plan }),
        ...(errand === undefined ? {} : { errand }),
      },
      ...(health === undefined ? {} : { health }),
      tokens: tokens.data,
      home: house.home,
      ownerInDatabase: house.ownerInDatabase,
      version,
      ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
    };
  },
  show: showSettings,
  async post(visit, form) {
    const what = form.get("do") ?? "";
    if (!Object.hasOwn(FORMS, what)) throw new PdppError("invalid_request", "the form has no action", { param: "do" });
    return FORMS[what as keyof typeof FORMS](visit, form);
  },
  upload: restore,
});

/** Restores an uploaded backup. The previous home is kept, and the server restarts with the restored one. */
async function restore(visit: Visit, { fields, files }: SentForm): Promise<string> {
  if (visit.house.ownerInDatabase !== undefined)
    throw new PdppError("invalid_request", "this data is in a database: restore it with `pdpp restore`");
  await visit.verifiedPassword(fields.get("present") ?? "");
  for await (const { bytes } of files) {
    await visit.house.restore(bytes, fields.get("passphrase") || undefined);
    // The response is sent before the restart.
    if (visit.house.restart !== undefined) setTimeout(visit.house.restart, RESTART_MS);
    return `${SETTINGS}?done=restored#backups`;
  }
  throw new PdppError("invalid_request", "no file was chosen", { param: "file" });
}

const FORMS = {
  async look({ look, act }: Visit, form: URLSearchParams): Promise<Undoable> {
    const { preferences = { theme: "system" } } = await look("ownerAccount", {});
    await act("setPreferences", chosenPreferences(form));
    return { location: `${SETTINGS}?done=look`, undo: [["do", "look"], ...Object.entries(preferences)] };
  },
  async password(visit: Visit, form: URLSearchParams) {
    const [next, again] = [form.get("password") ?? "", form.get("again") ?? ""];
    // Compared before the current password is checked, so that a typing error does not count as a guess.
    if (next !== again)
      throw new PdppError("invalid_request", "the two new passwords do not match", { param: "again" });
    const replaces = await visit.verifiedPassword(form.get("present") ?? "");
    await visit.act("changePassword", { password: await hashPassword(next, visit.origin), replaces });
    return `/login?return_to=${encodeURIComponent(`${SETTINGS}?done=password`)}`;
  },
  async model({ act }: Visit, form: URLSearchParams) {
    const [url, name] = [form.get("url") ?? "", form.get("name") ?? ""];
    await act("setSearchModel", { url, name, remote: form.get("remote") === "yes" });
    return `${SETTINGS}?done=model#search-model`;
  },
  async "model-remove"({ act }: Visit) {
    await act("removeSearchModel", {});
    return `${SETTINGS}?done=modelRemoved#search-model`;
  },
  async session({ act }: Visit, form: URLSearchParams) {
    await act("endSessions", { id: form.get("id") ?? "" });
    return `${SETTINGS}?done=session`;
  },
  async others({ act, sessionId }: Visit) {
    await act("endSessions", { id: "all", ...(sessionId === undefined ? {} : { except: sessionId }) });
    return `${SETTINGS}?done=others`;
  },
  async token({ act }: Visit, form: URLSearchParams) {
    await act("revokeOwnerToken", { id: form.get("id") ?? "" });
    return `${SETTINGS}?done=token#tokens`;
  },
  async backup({ pageJobs, house, look }: Visit) {
    // A backup contains everything, including the key.
    await look("recentPassword", {});
    await pageJobs.start(BACKUP, house.backUp);
    return `${SETTINGS}#backups`;
  },
  async download({ house, look, now }: Visit, form: URLSearchParams): Promise<SavedFile> {
    await look("recentPassword", {});
    const passphrase = form.get("passphrase") || undefined;
    const bytes = await house.archive(form.get("snapshot") ?? "", passphrase);
    const day = new Date(now).toISOString().slice(0, 10);
    return { name: `postern-backup-${day}.tar${passphrase === undefined ? "" : ".age"}`, bytes };
  },
  async health({ pageJobs, house }: Visit) {
    await pageJobs.start(HEALTH, house.examine);
    return `${SETTINGS}#health`;
  },
};
