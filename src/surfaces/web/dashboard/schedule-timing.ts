// How often something is updated: the form field that every page uses, and its description in words.
import { html, raw } from "hono/html";
import type { Timing } from "../../../contract/schedule.ts";
import type { Html } from "../layout.ts";

const INTERVALS = [
  [600, "every 10 minutes"],
  [3600, "every hour"],
  [21_600, "every 6 hours"],
  [86_400, "every day"],
  [604_800, "every week"],
] as const;
const USUAL = 3600;
const NEVER = "never";

/** `of` keeps the ids of several forms apart. `canWait` adds the choice to have no schedule. */
export const timingFields = (
  of: string,
  { canWait = false, chosen = String(USUAL) } = {},
): Html => html`<label>How often<select name="every">${INTERVALS.map(
  ([seconds, label]) =>
    html`<option value="${seconds}"${String(seconds) === chosen ? raw(" selected") : ""}>${label}</option>`,
)}${canWait ? html`<option value="${NEVER}"${chosen === NEVER ? raw(" selected") : ""}>only when I start it</option>` : ""}</select></label>
${
  canWait
    ? ""
    : html`<details class="fold" id="cron-${of}"><summary class="button small">At a time of day</summary><div class="fold-body"><label>Cron expression, in your time zone<input type="text" name="cron" placeholder="0 6 * * *" maxlength="200" autocomplete="off" spellcheck="false"></label><p class="hint">Minute, hour, day, month, weekday. If you fill this in, the interval above is ignored.</p></div></details>`
}`;

/**
 * Reads an interval from the list, or a cron expression in the owner's time zone. Returns undefined if the owner chose
 * to have no schedule.
 */
export function timingIn(form: URLSearchParams, zone: string): Timing | undefined {
  const cron = (form.get("cron") ?? "").trim();
  if (cron !== "") return { cron, time_zone: zone };
  const every = form.get("every") ?? "";
  return every === NEVER ? undefined : { every_seconds: Number(every) };
}

export function timingWords({ every_seconds, cron, time_zone }: Timing): string {
  if (every_seconds === undefined) return `on the schedule ${cron}${time_zone === undefined ? "" : ` (${time_zone})`}`;
  const known = INTERVALS.find(([seconds]) => seconds === every_seconds);
  if (known !== undefined) return known[1];
  const minutes = Math.round(every_seconds / 60);
  return minutes % 60 === 0 ? `every ${minutes / 60} hours` : `every ${minutes} minutes`;
}
