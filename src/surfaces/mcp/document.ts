// The result of fetch: one document, the same JSON in both halves (E-20).
import { BUDGET, resultBytes } from "./budgets.ts";
import type { ToolResult } from "./tool.ts";

export interface Document {
  /** An id that can be passed to fetch again. */
  id: string;
  title: string;
  text: string;
  /** For people, and for citations. */
  url: string;
  /** The source, and what can be read next. */
  metadata: Record<string, unknown>;
}

/**
 * Puts the next reads before the text, because a host that cuts a result cuts the end of the text. Handles are never
 * cut.
 */
export function handlesFirst({ text, ...rest }: Document): Document {
  return { ...rest, text };
}

export function documentResult(document: Document): ToolResult {
  return { text: JSON.stringify(document), structured: document };
}

/** The size of both halves. */
export const documentBytes = (document: Document): number => resultBytes(documentResult(document));

export const fitsBudget = (document: Document, budget: number = BUDGET.page): boolean =>
  documentBytes(document) <= budget;
