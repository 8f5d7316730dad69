// A parser reads files and nothing else: in its thread there is no way out to a network.
import net from "node:net";

export function withoutNetwork(): void {
  const refuse = (): never => {
    throw new Error("importers have no network");
  };
  net.Socket.prototype.connect = refuse;
  for (const name of ["fetch", "WebSocket", "EventSource"]) {
    Object.defineProperty(globalThis, name, { value: refuse, configurable: false, writable: false });
  }
}
