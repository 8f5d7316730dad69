// The appearance card of Settings: theme, time zone and date language, stored in the home for every browser (V-13).
import { html } from "hono/html";
import { PdppError } from "../../../contract/errors.ts";
import { type Preferences, preferences, THEMES } from "../../../contract/preferences.ts";
import { attribute, type Html, hidden } from "../layout.ts";
import type { PageFrame } from "../owner-page.ts";
import { DATE_LANGUAGE, timesIn } from "../times.ts";

const THEME_WORDS = { system: "Same as system", light: "Light", dark: "Dark" };

const LANGUAGES = (
  "en-GB en-US ar bg bn ca cs cy da de de-AT de-CH el en-AU en-CA en-IE en-IN es es-MX et eu fa fi fr fr-CA ga gl he hi hr " +
  "hu id is it ja ko lt lv ms nb nl nl-BE pl pt pt-BR ro ru sk sl sr sv ta th tr uk ur vi zh-CN zh-TW"
).split(" ");

const languageNames = new Intl.DisplayNames("en", { type: "language" });

export function appearanceCard(
  chosen: Preferences,
  zone: string,
  action: string,
  { csrf, now, times }: PageFrame,
): Html {
  const { theme, time_zone, date_language = DATE_LANGUAGE } = chosen;
  return html`<section class="card" id="look" aria-labelledby="look-title"><h2 id="look-title">Appearance and dates</h2>
<form class="stack" method="post" action="${action}">${hidden({ csrf, do: "look" })}
<fieldset class="choices"><legend>Theme</legend>${THEMES.map(
    (one) =>
      html`<label><input type="radio" name="theme" value="${one}"${attribute("checked", one === theme)}>${THEME_WORDS[one]}</label>`,
  )}</fieldset>
<label>Time zone<select name="time_zone"><option value="">Same as the browser</option>${zones(time_zone)}</select></label>
<label>Date language<select name="date_language">${languages(date_language, zone, now)}</select></label>
<p class="note">It is now ${times.instant(new Date(now).toISOString())}. These settings apply to every browser that you sign in with.</p>
<p><button class="button">Save</button></p></form></section>`;
}

/** Groups time zones by region. Names without a region, such as UTC, are under "Other". */
function zones(chosen: string | undefined): Html {
  const names = [...new Set(["UTC", ...(chosen === undefined ? [] : [chosen]), ...Intl.supportedValuesOf("timeZone")])];
  const regions = Map.groupBy(names.sort(), (name) =>
    name.includes("/") ? name.slice(0, name.indexOf("/")) : "Other",
  );
  const option = (name: string): Html =>
    html`<option value="${name}"${attribute("selected", name === chosen)}>${name.slice(name.indexOf("/") + 1).replaceAll("_", " ")}</option>`;
  return html`${[...regions].map(([region, held]) => html`<optgroup label="${region}">${held.map(option)}</optgroup>`)}`;
}

/** Shows each language with today's date, so that people see the format without saving. */
function languages(chosen: string, zone: string, now: number): Html {
  const tags = LANGUAGES.includes(chosen) ? LANGUAGES : [chosen, ...LANGUAGES];
  const today = new Date(now).toISOString();
  const option = (tag: string): Html =>
    html`<option value="${tag}"${attribute("selected", tag === chosen)}>${languageNames.of(tag)}: ${timesIn(zone, now, tag).day(today)}</option>`;
  return html`${tags.map(option)}`;
}

export function chosenPreferences(form: URLSearchParams): Preferences {
  const given = (name: string): string | undefined => form.get(name) || undefined;
  const parsed = preferences.safeParse({
    theme: given("theme"),
    time_zone: given("time_zone"),
    date_language: given("date_language"),
  });
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [(typeof parsed.error.issues)[number]];
  const name = String(path[0]);
  throw new PdppError("invalid_request", `${JSON.stringify(form.get(name) ?? "")} ${message}`, { param: name });
}
