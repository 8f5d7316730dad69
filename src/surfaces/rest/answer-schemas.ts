// The response of each call in the route tables: a schema, bytes, or nothing.
import type { z } from "zod";
import { COMPONENTS, type ComponentName } from "../../contract/components.ts";
import { type CallRoute, callNamed } from "../../engine/calls/calls.ts";
import { type FileRouteCall, matchFileRoute } from "../files/routes.ts";
import { matchRoute } from "./router.ts";

/** A route that streams bytes or responds with 204 has no schema; otherwise the call defines it. */
export function routeAnswer({ call, streams, status }: CallRoute): ComponentName | "bytes" | "nothing" {
  if (status === 204) return "nothing";
  if (streams === "export" || streams === "export-download" || streams === "blob-download") return "bytes";
  return callNamed(call).answer!;
}

export const FILE_ANSWERS: Record<FileRouteCall, ComponentName | "bytes"> = {
  fileRoots: "FileRootList",
  addFileRoot: "FileRoot",
  fileRoot: "FileRoot",
  changeFileRoot: "FileRoot",
  removeFileRoot: "FileRootRemoved",
  fileSession: "FileSession",
  fileIndexes: "FileIndexList",
  startIndex: "FileJobStarted",
  fileIndex: "FileIndex",
  removeIndex: "FileIndexRemoved",
  fileScans: "FileScans",
  startScan: "FileJobStarted",
  startDigests: "FileJobStarted",
  pauseJob: "FileJob",
  resumeJob: "FileJob",
  cancelJob: "FileJob",
  fileTree: "FileTree",
  fileNode: "FileNode",
  fileDetail: "FileDetail",
  fileDownload: "bytes",
  findFiles: "FileFound",
  findFilesByBody: "FileFound",
  reportLargest: "FileEntries",
  reportLargestDirs: "FileEntries",
  reportOldest: "FileEntries",
  reportNewest: "FileEntries",
  reportTypes: "FileTypes",
  reportAges: "FileAges",
  reportDuplicates: "FileDuplicates",
  reportGrowth: "FileGrowth",
  reportProblems: "FileProblems",
  createResourceSet: "ResourceSet",
  resourceSets: "ResourceSetList",
  resourceSet: "ResourceSet",
  changeResourceSet: "ResourceSet",
  deleteResourceSet: "ResourceSetRemoved",
  resourceSetEntries: "ResourceSetEntries",
  createQuery: "QueryRun",
  queries: "SavedQueryList",
  query: "SavedQuery",
  runQuery: "QueryRun",
  deleteQuery: "SavedQueryRemoved",
  signFileLink: "SignedLink",
};

export interface ExpectedAnswer {
  status: number;
  body: z.ZodType | "bytes" | "nothing";
}

/** Returns the successful response at an address, or undefined for an unknown call. */
export function answerSchema(method: string, { pathname, searchParams }: URL): ExpectedAnswer | undefined {
  const match = matchRoute(method, pathname);
  if (match === undefined) return fileAnswerSchema(method, pathname, searchParams.get("format") ?? "json");
  if ("allow" in match) return undefined;
  const { status = 200 } = match.route;
  return { status, body: bodyOf(routeAnswer(match.route)) };
}

function fileAnswerSchema(method: string, path: string, format: string): ExpectedAnswer | undefined {
  const match = matchFileRoute(method, path);
  if (match === undefined || "allow" in match) return undefined;
  const { call, status = 200 } = match.route;
  if (format === "explain") return { status: 200, body: COMPONENTS.FileExplanation };
  if (format !== "json") return { status: 200, body: "bytes" };
  return { status, body: bodyOf(FILE_ANSWERS[call as FileRouteCall]) };
}

const bodyOf = (name: ComponentName | "bytes" | "nothing"): ExpectedAnswer["body"] =>
  name === "bytes" || name === "nothing" ? name : COMPONENTS[name];
