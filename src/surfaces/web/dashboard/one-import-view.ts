// The data of one import's page: its plan before it runs, its parts during and after the run.
import type { ImportPlanRead } from "../../../contract/import-upload.ts";
import type { PartView } from "./import-part.ts";

/** The prefix of fields that answer a question. */
export const ANSWER = "answer:";

export interface OneImportView {
  importId: string;
  status: "open" | "queued" | "running" | "paused" | "succeeded" | "failed" | "cancelled";
  /** Names of the files, the first few. */
  name: string;
  files: number;
  bytes: number;
  createdAt: string;
  /** When the upload is deleted, if it is not started. */
  expiresAt?: string;
  /** One for each connection that it fills. */
  parts: readonly PartView[];
  partsExpected?: number;
  leftOut: { total: number; files: readonly { path: string; reason: string; advice?: string }[] };
  error?: string;
  /** The home of the server. */
  home?: string;
  /** A single import, not an upload. */
  isAlone?: true;

  /** How many bytes have not arrived yet. */
  missing?: number;
  isLooking?: true;
  /** Why there is no plan. */
  refused?: string;
  plan?: ImportPlanRead["groups"];
  /** The answers so far. */
  answers?: Record<string, string>;
  as?: string;
}
