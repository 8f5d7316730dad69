// Limits the number of streams that one caller may have open. Each holds an open file or a place in the scan queue.
import { PdppError } from "../../contract/errors.ts";
import type { Credential } from "../../engine/caller.ts";
import { holderName } from "../http/credential.ts";

export type TakeSlot = (credential: Credential) => () => void;

export function openLimit(most: number, what: string): TakeSlot {
  const held = new Map<string, number>();
  return (credential) => {
    const name = holderName(credential);
    const open = held.get(name) ?? 0;
    if (open >= most) {
      throw new PdppError("rate_limit_exceeded", `this token already has ${most} ${what} running`, {
        next_step: "Wait for one to end, and send the request again.",
      });
    }
    held.set(name, open + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const rest = held.get(name)! - 1;
      if (rest === 0) held.delete(name);
      else held.set(name, rest);
    };
  };
}
