// The owner in a browser: approves everything that an app requests, and is redirected back.
import { boxes, formWith, type OwnerBrowser } from "../oauth/owner-browser.ts";

/** Returns the app's callback address with its parameters. */
export async function approve(browser: OwnerBrowser, url: string): Promise<string> {
  const page = await browser.get(url);
  if (page.status !== 200) throw new Error(`the consent form returned ${page.status}: ${words(page.html)}`);
  const form = formWith(page, "digest");
  const chosen = (name: string): boolean => name === "stream" || name.startsWith("field:");
  const receipt = await browser.post(form.action, [
    ...form.fields.filter(([name]) => !chosen(name)),
    ...boxes(page, "stream").flatMap((stream): (readonly [string, string])[] => [
      ["stream", stream],
      ...boxes(page, `field:${stream}`).map((field) => [`field:${stream}`, field] as const),
    ]),
    ["decision", "allow"],
  ]);
  const back = /href="([^"]*\/oauth\/authorize\/[^"]*)"/.exec(receipt.html)?.[1];
  if (back === undefined) throw new Error(`the receipt has no link back: ${receipt.status} ${words(receipt.html)}`);
  const { url: callback } = await browser.get(back);
  const answer = await fetch(callback);
  await answer.arrayBuffer();
  return `${new URL(callback).origin}${new URL(callback).pathname} ${answer.status}`;
}

const words = (html: string): string =>
  html
    .replace(/^[\s\S]*<main[^>]*>/, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
