// An engine whose subscribers are told what changed: what a server wraps its host in. All other calls go straight through.
import type { EngineHost, JobHost } from "../engine/host.ts";
import type { MethodName } from "../engine/methods.ts";
import { Notifier, type NotifierOptions } from "./notifier.ts";

export interface NotifyingHost extends EngineHost, JobHost {
  /** Nothing is sent before: events say where the server answers. */
  answersAt(origin: string): void;
  /** Resolves when nothing is under way and nothing is due. */
  notified(): Promise<void>;
}

/** These take away what events rest on. They are answered when nothing of it is under way any more. */
const ENDS_EVENTS: ReadonlySet<MethodName> = new Set<MethodName>([
  "revokeGrant",
  "endGrant",
  "deleteConnection",
  "changeSubscription",
  "deleteSubscription",
  "disallowEventHost",
]);

/** Somebody waits for what these send. */
const SENDS: ReadonlySet<MethodName> = new Set<MethodName>([
  "createSubscription",
  "verifySubscription",
  "testSubscription",
  "replayEvents",
]);

export function notifyingHost(options: NotifierOptions): NotifyingHost {
  const { host } = options;
  const notifier = new Notifier(options);
  return {
    ...host,
    async call(method, query, credential, requestId) {
      const body = await host.call(method, query, credential, requestId);
      if (ENDS_EVENTS.has(method)) await notifier.review();
      else if (SENDS.has(method)) notifier.wake();
      return body;
    },
    answersAt: (origin) => notifier.answersAt(origin),
    begin: (as) => notifier.begin(as),
    news: () => notifier.news(),
    rest: () => notifier.rest(),
    notified: () => notifier.idle(),
    async close() {
      await notifier.close();
      await host.close();
    },
  };
}
