// What the process does that parses files for their text: it answers each message with what was in the bytes.
import type { SandboxedWork } from "../../../sandbox/work.ts";
import { extract } from "./extract.ts";
import type { ExtractReply } from "./extractor.ts";
import type { TextFormat } from "./formats.ts";

export const work: SandboxedWork = (_start, tell) => {
  const reply = (answer: ExtractReply): void => tell(answer);
  return (message, bytes) =>
    void extract((message as { format: TextFormat }).format, bytes).then(reply, (error: Error) =>
      reply({ problem: error.message }),
    );
};
