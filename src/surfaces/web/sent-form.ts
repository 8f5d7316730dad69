// A form with files. Its fields, including the token, are read before any byte of a file is stored.
import { PdppError } from "../../contract/errors.ts";
import { BODY, IMPORT } from "../../contract/limits.ts";
import type { Uploads } from "../../engine/uploads.ts";
import { bodyBytes } from "../http/body.ts";
import { type FormPart, multipart, partText } from "../http/multipart.ts";
import type { Exchange } from "../http/respond.ts";
import type { SentFile, SentForm } from "./owner-page.ts";
import { checkFormToken } from "./visitor.ts";

export async function sentForm(exchange: Exchange, secret: string, uploads: Uploads): Promise<SentForm> {
  const { request } = exchange;
  const size = Number(request.headers.get("content-length") ?? "");
  if (!Number.isSafeInteger(size) || size === 0)
    throw new PdppError("invalid_request", "the form does not state its size", { param: "Content-Length" });
  const parts = multipart(request, bodyBytes(request, IMPORT.diskBytes));
  const fields = new URLSearchParams();
  let part = await nextPart(parts);
  for (; part !== undefined && part.filename === undefined; part = await nextPart(parts))
    fields.append(part.name, await partText(part, BODY.json));
  checkFormToken(exchange, secret, fields.get("csrf"));
  return { fields, size, files: filesFrom(part, parts, uploads) };
}

async function nextPart(parts: AsyncGenerator<FormPart>): Promise<FormPart | undefined> {
  const { value, done } = await parts.next();
  return done ? undefined : value;
}

/** If no file was chosen, the browser sends one file without a name. */
async function* filesFrom(
  first: FormPart | undefined,
  parts: AsyncGenerator<FormPart>,
  uploads: Uploads,
): AsyncGenerator<SentFile> {
  for (let part = first; part !== undefined; part = await nextPart(parts)) {
    const { filename, bytes } = part;
    if (filename === undefined || filename === "") continue;
    const keep = (uploadId: string, most: number): Promise<number> =>
      uploads.append(uploadId, bytes, { offset: 0, size: most });
    yield { name: filename, bytes, keep };
  }
}
