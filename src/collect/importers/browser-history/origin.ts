// Determines the browser and profile of a history from the folders that contain it.
import type { ImportAnswers } from "../../importer.ts";
import { folderOf, nameOf } from "../attached-file.ts";

export interface BrowserProfile {
  browser: string;
  profile?: string;
  /** The account key, which is the same in every copy of the profile. */
  key: string;
  name: string;
  /** True if a folder name identifies the profile. */
  isKnown: boolean;
}

/** More specific names first, because Chromium's folder may be inside one of Google's. */
const BROWSERS: readonly [RegExp, string][] = [
  [/brave/i, "Brave"],
  [/vivaldi/i, "Vivaldi"],
  [/(?:^|[^a-z])(?:ms)?edge/i, "Edge"],
  [/opera/i, "Opera"],
  [/(?:^|\/)arc(?:\/|$)/i, "Arc"],
  [/chromium/i, "Chromium"],
  [/chrome/i, "Chrome"],
  [/librewolf/i, "LibreWolf"],
  [/waterfox/i, "Waterfox"],
  [/(?:^|\/)\.?zen(?:\/|$)/i, "Zen"],
  [/tor.?browser/i, "Tor Browser"],
  [/fenix|(?:firefox|fennec)[^/]*(?:mobile|android)/i, "Firefox for Android"],
  [/firefox|mozilla/i, "Firefox"],
  [/safari/i, "Safari"],
  [/qutebrowser/i, "qutebrowser"],
];

/** `Default`, `Profile 2`, `x1y2z3.default-release`. */
const PROFILE = /^(?:Default|Guest Profile|Profile \d{1,3}|[a-z0-9]{8}\.[\w .-]{1,60})$/;

export function originOf(path: string, family: string, { profile: answered = "" }: ImportAnswers): BrowserProfile {
  const browser = BROWSERS.find(([pattern]) => pattern.test(path))?.[1] ?? family;
  const folder = nameOf(folderOf(path));
  const isKnown = PROFILE.test(folder);
  const profile = isKnown ? folder : answered.trim() || undefined;
  return {
    browser,
    ...(profile === undefined ? {} : { profile }),
    key: `${browser}:${profile ?? "default"}`.toLowerCase().replaceAll(" ", "-"),
    name: profile === undefined || profile === "Default" ? browser : `${browser} (${profile})`,
    isKnown,
  };
}
