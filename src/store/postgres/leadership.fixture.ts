// A process that competes for an owner's jobs and can be paused. It reports when it is elected and when it loses
// leadership.
import { lead } from "./leadership.ts";

const [url, subject, leaseMs] = process.argv.slice(2);
let elected: number | undefined;

lead(
  url!,
  subject!,
  {
    async gained(term) {
      elected = term;
      process.send!({ term });
    },
    lost: async () => void process.send!({ lost: elected }),
    log: (text) => process.send!({ text }),
  },
  Number(leaseMs),
);
// Keep the process alive, because the lock's own timer does not.
setInterval(() => undefined, 1000);
