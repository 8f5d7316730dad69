// A parser reads files and nothing else: in its thread there is no way out to a network, nor to another program.
import childProcess from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import workerThreads from "node:worker_threads";

export function withoutNetwork(): void {
  // A function, not an arrow: some of these are called with `new`.
  function refuse(): never {
    throw new Error("importers have no network");
  }
  const close = (target: object, names: readonly string[]): void => {
    for (const name of names) Object.defineProperty(target, name, { value: refuse });
  };
  // Whatever speaks TCP, TLS or a pipe connects here.
  close(net.Socket.prototype, ["connect"]);
  close(net.Server.prototype, ["listen"]);
  close(dgram.Socket.prototype, ["bind", "connect", "send"]);
  close(dns, ["lookup", "resolve", "resolve4", "resolve6", "resolveTxt"]);
  close(dns.promises, ["lookup", "resolve", "resolve4", "resolve6", "resolveTxt"]);
  close(childProcess, ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]);
  // Another thread would begin with everything open again.
  close(workerThreads, ["Worker"]);
  close(globalThis, ["fetch", "WebSocket", "EventSource"]);
  syncBuiltinESMExports();
}
