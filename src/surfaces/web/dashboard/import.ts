// /dashboard/import: file upload, waiting and earlier imports, and the supported formats.
import { PdppError } from "../../../contract/errors.ts";
import type { ImportJob } from "../../../contract/import.ts";
import type { ImportRequest } from "../../../contract/import-upload.ts";
import { ownerPage, type SentForm, type Visit } from "../owner-page.ts";
import { IMPORT, importAddress } from "./import-address.ts";
import { type ImportView, showImport, type WaitingImport } from "./import-page-view.ts";
import { fileLine, importRow } from "./import-row.ts";
import { wholeNumber } from "./words.ts";

/** The number of imports on one page of the list. */
const SHOWN = 50;

export const importPage = ownerPage<ImportView>({
  path: IMPORT,
  under: "import",
  async load({ look, search, now, house }) {
    const [requests, jobs, formats, connections, recognition] = await Promise.all([
      look("importRequests", {}),
      look("imports", {}),
      look("importers", {}),
      look("connections", {}),
      look("recognition", {}),
    ]);
    const names = new Map(connections.data.map((one) => [one.connection_id, one.display_name]));
    const waiting = requests.filter((one) => isWaiting(one, now));
    // Running imports that belong to waiting ones are already listed above.
    const shown = new Set(waiting.flatMap(({ imports }) => imports.filter(isUnfinished).map((job) => job.import_id)));
    const past = jobs.data.filter(({ import_id }) => !shown.has(import_id));
    const page = Math.max(1, wholeNumber(search.get("page")) ?? 1);
    const to = waiting.find(({ import_id, status }) => import_id === search.get("to") && status === "open");
    return {
      waiting: waiting.map(waitingImport),
      imports: past.slice((page - 1) * SHOWN, page * SHOWN).map((job) => importRow(job, names)),
      page,
      more: past.length > page * SHOWN,
      total: past.length,
      formats,
      recognition,
      home: house.home,
      ...(to === undefined ? {} : { to: to.import_id }),
      ...(search.get("done") === "discarded" ? { discarded: true } : {}),
    };
  },
  show: showImport,
  /** Discards an upload that was not started, or changes how text in pictures is recognised. */
  async post({ act }, form) {
    const change = RECOGNITION_CHANGES[form.get("recognition") ?? ""];
    if (change !== undefined) {
      await act("putRecognition", change);
      return `${IMPORT}#recognition`;
    }
    await act("cancelImport", { id: form.get("id") ?? "" });
    return `${IMPORT}?done=discarded`;
  },
  upload: receive,
});

const RECOGNITION_CHANGES: Record<string, { paused?: boolean; photos?: boolean }> = {
  pause: { paused: true },
  resume: { paused: false },
  "photos-on": { photos: true },
  "photos-off": { photos: false },
};

const isUnfinished = ({ status }: ImportJob): boolean => status === "running" || status === "paused";

const isWaiting = ({ status, expires_at }: ImportRequest, now: number): boolean =>
  status === "open" ? now < Date.parse(expires_at) : status === "queued" || status === "running" || status === "paused";

function waitingImport({ import_id, status, files, created_at, expires_at }: ImportRequest): WaitingImport {
  return {
    importId: import_id,
    status,
    files: files.map(({ import_upload_id, name, size, offset }) => ({
      uploadId: import_upload_id,
      name: fileLine(name),
      size,
      offset,
    })),
    createdAt: created_at,
    expiresAt: expires_at,
  };
}

/** Without JavaScript, receives the files of a form one after another, each as it arrives. */
async function receive({ act }: Visit, { fields, size, files }: SentForm): Promise<string> {
  let importId = fields.get("import_id") || undefined;
  let received = 0;
  for await (const { name, keep } of files) {
    // A form does not give the size of each file, so the size is reported after the upload.
    const upload = await act("createImport", {
      name: name.slice(0, 1000),
      size,
      ...(importId === undefined ? {} : { import_id: importId }),
    });
    importId = upload.import_id;
    const actual = await keep(upload.import_upload_id, size);
    await act("sizeUpload", { id: upload.import_upload_id, size: actual });
    received++;
  }
  if (received === 0 || importId === undefined) {
    throw new PdppError("invalid_request", "no file was chosen", { next_step: "Choose one or more, and send again." });
  }
  return importAddress(importId);
}
