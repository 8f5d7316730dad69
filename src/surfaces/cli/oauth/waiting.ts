// Waits for a person to approve, with a countdown on a terminal and a plain line elsewhere.
import { InputNeeded } from "../command.ts";
import { progress } from "../progress.ts";

export interface ApprovalOptions {
  origin: string;
  note: (text: string) => void;
}

export interface ApprovalWait {
  /** Rejects when the time is up. */
  over: Promise<never>;
  end(): void;
}

const TICK_MS = 1000;

export function waitForApproval({ origin, note }: ApprovalOptions, seconds: number): ApprovalWait {
  const line = progress();
  const deadline = Date.now() + seconds * 1000;
  const left = (): number => Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
  const show = (): void => line(`Waiting for your approval, ${clock(left())} left`);
  if (process.stderr.isTTY) show();
  else note(`Waiting for your approval, ${clock(left())} at most.`);
  const ticking = setInterval(show, TICK_MS);
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(approvalTimedOut(origin)), seconds * 1000);
  });
  // The waiting caller handles the rejection. After `end` there is no caller, so it is ignored here.
  over.catch(() => undefined);
  return {
    over,
    end() {
      clearInterval(ticking);
      clearTimeout(timer);
      line(undefined);
    },
  };
}

export const approvalTimedOut = (origin: string): InputNeeded =>
  new InputNeeded("nobody answered in time; nothing was stored", `Ask again: pdpp connect ${origin}`);

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
