// The audit log's hash chain. A keyed hash links each entry to the previous one, and the last entry is sealed.
import { createHmac, type KeyObject } from "node:crypto";

export const GENESIS: Buffer = Buffer.alloc(32);

export function auditChain(key: KeyObject) {
  return {
    link: (previous: Uint8Array, n: number, body: string): Buffer =>
      createHmac("sha256", key).update(previous).update(`${n}\n`).update(body).digest(),
    seal: (n: number, hash: Uint8Array): Buffer =>
      createHmac("sha256", key).update(`head ${n}\n`).update(hash).digest(),
  };
}

/** Tracks the longest time by which a line is older than an earlier line in the log. */
export function follow(order: { newest: number; late: number }, at: number): void {
  order.late = Math.max(order.late, order.newest - at);
  order.newest = Math.max(order.newest, at);
}
