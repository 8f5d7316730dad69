// Connector settings as form fields, and the values entered in them. Secrets are never shown.
import { html } from "hono/html";
import type { ConnectorSetting, SettingValue } from "../../../../contract/connector.ts";
import { settingFrom } from "../../../../core/connector-check.ts";
import { attribute, type Html } from "../../layout.ts";

const SET = "set:";
const SECRET = "secret:";
const FORGET = "forget:";

/** A setting with its known value. */
export interface FieldSetting extends ConnectorSetting {
  value?: SettingValue | undefined;
  /** True for a secret that is already stored. */
  set: boolean;
}

export function settingField(setting: FieldSetting, { canForget = false } = {}): Html {
  const { name, title, description, type, required, secret, set, value, choices, default: usual } = setting;
  const id = `about-${name}`;
  const help = description === undefined ? "" : html`<span class="note" id="${id}">${description}</span>`;
  // The title is the accessible name; the help text is read after it.
  const ariaAttributes = description === undefined ? "" : html` aria-label="${title}" aria-describedby="${id}"`;
  if (secret) {
    return html`<label>${title}<input type="password" name="${SECRET}${name}"${ariaAttributes} autocomplete="off" placeholder="${set ? "stored; leave empty to keep it" : ""}"${attribute("required", required === true && !set)}>${help}</label>
${set && canForget ? html`<label class="choice"><input type="checkbox" name="${FORGET}${name}" value="yes"><span>Forget ${title}</span></label>` : ""}`;
  }
  if (type === "boolean")
    return html`<label class="choice"><input type="checkbox" name="${SET}${name}" value="yes"${attribute("checked", value === true)}><span>${title} ${help}</span></label>`;
  const shown = value === undefined ? "" : String(value);
  if (choices !== undefined)
    return html`<label>${title}<select name="${SET}${name}"${ariaAttributes}>${required || usual !== undefined ? "" : html`<option value=""></option>`}${choices.map((one) => html`<option value="${one.value}"${attribute("selected", one.value === shown)}>${one.title}</option>`)}</select>${help}</label>`;
  if (name.endsWith("certificate"))
    return html`<label>${title}<textarea name="${SET}${name}"${ariaAttributes} rows="3" spellcheck="false" autocomplete="off">${shown}</textarea>${help}</label>`;
  return html`<label>${title}<input type="text" name="${SET}${name}"${ariaAttributes} value="${shown}" autocomplete="off" autocapitalize="off" spellcheck="false"${type === "integer" ? html` inputmode="numeric"` : ""}${attribute("required", required === true)}>${help}</label>`;
}

/** Returns the values that the owner entered, by setting name, for a form that is shown again. Secrets are omitted. */
export const typedIn = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => (name.startsWith(SET) ? [[name.slice(SET.length), value]] : [])),
  );

/**
 * An empty field removes a setting (null). An empty secret stays unchanged, because the form never shows it and so
 * cannot send it back.
 */
export function enteredIn(
  form: URLSearchParams,
  defined: readonly ConnectorSetting[],
): { settings: Record<string, SettingValue | null>; secrets: Record<string, string | null> } {
  const settings: Record<string, SettingValue | null> = {};
  const secrets: Record<string, string | null> = {};
  for (const setting of defined) {
    const { name, secret, type } = setting;
    if (secret) {
      const given = form.get(SECRET + name) ?? "";
      if (given !== "") secrets[name] = given;
      else if (form.get(FORGET + name) === "yes") secrets[name] = null;
    } else if (type === "boolean") settings[name] = form.get(SET + name) === "yes";
    else {
      const given = (form.get(SET + name) ?? "").trim();
      settings[name] = given === "" ? null : settingFrom(setting, given);
    }
  }
  return { settings, secrets };
}
