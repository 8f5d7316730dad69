// Reads that must succeed.
import type { Session } from "./operations.ts";

export async function read<T>(ask: Session["ask"], path: string): Promise<T> {
  const { status, body } = await ask(path);
  if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${body}`);
  return JSON.parse(body) as T;
}
