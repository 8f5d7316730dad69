// Event subscriptions in a serving process. Some calls wake the notifier, and some wait until it has stopped sending.
import type { JobService } from "../engine/jobs.ts";
import { Notifier, type NotifierOptions } from "./notifier.ts";

export interface EventService extends JobService {
  /** Must be called once before any event is sent, because events contain the server's address. */
  answersAt(origin: string): void;
}

export function eventService(options: NotifierOptions): EventService {
  const notifier = new Notifier(options);
  return {
    effects: {
      endsEvents: () => notifier.review(),
      sendsEvents: () => notifier.wake(),
    },
    answersAt: (origin) => notifier.answersAt(origin),
    begin: (as) => notifier.begin(as),
    news: () => notifier.news(),
    rest: () => notifier.rest(),
    idle: () => notifier.idle(),
    close: () => notifier.close(),
  };
}
