// Submits the owner's decision on a consent page (ticked boxes, duration, allow or deny) and follows the redirect.
import { expect } from "vitest";
import { boxes, formWith, type OwnerBrowser, type Page } from "./owner-browser.ts";

/** Ticks the first `streams` streams with all their fields. Returns the next page. */
export async function approve(
  browser: OwnerBrowser,
  page: Page,
  { streams = 1, duration }: { streams?: number; duration?: string } = {},
): Promise<Page> {
  expect(page.status, page.html).toBe(200);
  const form = formWith(page, "digest");
  const ticked = boxes(page, "stream").slice(0, streams);
  return browser.post(form.action, [
    ...form.fields.filter(([name]) => duration === undefined || name !== "duration"),
    ...(duration === undefined ? [] : [["duration", duration] as const]),
    ...ticked.flatMap((stream) => [
      ["stream", stream] as const,
      ...boxes(page, `field:${stream}`).map((field) => [`field:${stream}`, field] as const),
    ]),
    ["decision", "allow"],
  ]);
}

export async function deny(browser: OwnerBrowser, page: Page): Promise<Page> {
  const form = formWith(page, "digest");
  return browser.post(form.action, [...form.fields, ["decision", "deny"]]);
}

/** Returns the app's redirect address that a receipt or a denial leads to. */
export async function backToApp(browser: OwnerBrowser, page: Page): Promise<string> {
  const back = /href="([^"]*\/oauth\/authorize\/[^"]*)"/.exec(page.html)?.[1];
  expect(back, page.html).toBeDefined();
  return (await browser.get(back!)).url;
}

/** Types a device's code, confirms that the device is the owner's, and returns the consent page. */
export async function typeUserCode(browser: OwnerBrowser, code: string): Promise<Page> {
  const typed = formWith(await browser.get("/device"), "user_code");
  const fields = typed.fields.filter(([name]) => name !== "user_code");
  const confirm = await browser.post(typed.action, [...fields, ["user_code", code]]);
  const sure = formWith(confirm, "user_code");
  return browser.post(sure.action, [...sure.fields, ["confirm", "yes"]]);
}
