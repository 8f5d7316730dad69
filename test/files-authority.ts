// Approved roots for permission tests of the files lens: connections with a few files each, and the responses that a
// caller gets.

import type { z } from "zod";
import { PdppError } from "../src/contract/errors.ts";
import { FILE_ACCESS_TYPE, FILES_CONNECTOR } from "../src/contract/file-access.ts";
import type { FilesBearer, filesEntry } from "../src/contract/file-calls.ts";
import { filesDeclaration } from "../src/files/declaration.ts";
import type { Line, Loose, TestServer } from "./harness.ts";

export const PHOTOS = "/home/nora/Photos";
export const PAPERS = "/home/nora/Papers";

const file = (name: string, size: number): Line => ({
  key: name,
  data: { node_id: name, path: name, name, kind: "file", size, modified_at: "2019-07-01T10:00:00Z" },
});

export interface Roots {
  photos: string;
  papers: string;
}

export async function approvedRoots(server: TestServer): Promise<Roots> {
  await server.register(FILES_CONNECTOR, filesDeclaration);
  const photos = await server.connect(FILES_CONNECTOR, PHOTOS);
  const papers = await server.connect(FILES_CONNECTOR, PAPERS);
  await server.ingest("files", photos, [file("a.jpg", 1_500_000), file("b.jpg", 2_500_000)]);
  return { photos, papers };
}

/** An authorization detail for the files lens. */
export const fileDetail = (may: readonly string[], more: object = {}): object => ({
  type: FILE_ACCESS_TYPE,
  may,
  access_mode: "continuous",
  ...more,
});

/** Returns the access that a token gives, or throws the refusal. */
export async function enter(
  { host }: Pick<TestServer, "host">,
  token: string,
  entry: z.input<typeof filesEntry> = { action: "cd" },
  requestId?: string,
): Promise<FilesBearer> {
  return await host.call("filesBearer", entry, { token }, requestId);
}

export async function refusedWith(call: Promise<unknown>): Promise<[number, string]> {
  const error = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!(error instanceof PdppError)) throw new Error(`not refused: ${String(error)}`);
  return [error.status, error.code];
}

/** Returns the activity, newest first. */
export const activity = async (server: TestServer, query: Record<string, string> = {}): Promise<Loose[]> =>
  (await server.get("/v1/activity", { query: { limit: "100", ...query } })).body.data;
