// The data of one import's page: its plan before it runs, and its parts during and after the run.
import type { ImportPlanRead } from "../../../contract/import-upload.ts";
import type { PartView } from "./import-part.ts";

/** The prefix of answer fields. */
export const ANSWER = "answer:";

export type PlanQuestion = ImportPlanRead["groups"][number]["questions"][number];

export interface OneImportView {
  importId: string;
  status: "open" | "queued" | "running" | "paused" | "succeeded" | "failed" | "cancelled";
  /** The first few file names. */
  name: string;
  files: number;
  bytes: number;
  createdAt: string;
  /** The time at which the upload is deleted if the import is not started. */
  expiresAt?: string;
  /** One part for each connection that the import fills. */
  parts: readonly PartView[];
  partsExpected?: number;
  leftOut: { total: number; files: readonly { path: string; reason: string; advice?: string }[] };
  error?: string;
  /** The server's home. */
  home?: string;
  /** Set for a single import rather than an upload. */
  isAlone?: true;

  /** The number of bytes that have not arrived yet. */
  missing?: number;
  isLooking?: true;
  /** The reason why there is no plan. */
  refused?: string;
  plan?: ImportPlanRead["groups"];
  /** The answers so far. */
  answers?: Record<string, string>;
  as?: string;
}
