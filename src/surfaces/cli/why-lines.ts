// Explains to people why a call was denied: the grant, the line that caused the refusal, and what that line says.
import type { Why } from "../../contract/why.ts";
import { printable } from "./printable.ts";

const SAYS_MAX = 2000;

export function whyLines({ closest = [], ...why }: Why): string[] {
  const line = ({ grant_id, decided_by, says }: Pick<Why, "grant_id" | "decided_by" | "says">) =>
    printable(`${grant_id ?? why.grant_package_id ?? "token"} ${decided_by}: ${says}`, SAYS_MAX);
  return [`why: ${line(why)}`, ...closest.map((near) => `     near: ${line(near)}`)];
}
