// Text recognition on the import page: progress, pause and resume, and whether photos are included.
import { html } from "hono/html";
import type { RecognitionRead } from "../../../contract/recognition.ts";
import { countOf } from "../format.ts";
import { type Html, hidden } from "../layout.ts";
import type { PageFrame } from "../owner-page.ts";
import { IMPORT } from "./import-address.ts";

export function recognitionSection(state: RecognitionRead, frame: PageFrame): Html | "" {
  const { paused, photos, looked_at, found, waiting, installed, note } = state;
  if (looked_at === 0 && waiting === 0) return "";
  const form = (change: string, label: string): Html =>
    html`<form method="post" action="${IMPORT}">${hidden({ csrf: frame.csrf, recognition: change })}<button class="small">${label}</button></form>`;
  return html`<section id="recognition"><h2>Text in pictures</h2><div class="card stack">
<p>${installed === true ? how(state) : note}</p>
${
  installed === true
    ? html`<p class="note">Text was found in ${found} of ${countOf(looked_at, "item")} with files${waiting === 0 ? "" : html`; ${waiting} remaining`}. You can search for it.</p>
<div class="row">${paused ? form("resume", "Resume") : form("pause", "Pause")}${photos ? form("photos-off", "Skip photos") : form("photos-on", "Read photos as well")}</div>`
    : ""
}</div></section>`;
}

const how = ({ paused, photos, waiting }: RecognitionRead): string => {
  const what = photos ? "scans, screenshots, PDFs and photos" : "scans, screenshots and PDFs";
  if (paused) return `Paused. Text in your imported ${what} is not being recognised.`;
  return waiting === 0
    ? `Text in your imported ${what} has been recognised and can be searched. It may contain mistakes, and is marked as recognised.`
    : `Text in your imported ${what} is being recognised in the background. It may contain mistakes, and is marked as recognised.`;
};
