// Where every sandboxed process begins: it confines itself, then loads the module that does the work.
import { confine } from "./confine.ts";
import { onParentMessage, tellParent } from "./parent.ts";
import type { SandboxedWork } from "./work.ts";

const end = confine();
process.on("uncaughtException", (error) => {
  tellParent({ failed: error instanceof Error ? error.message : String(error) });
  end();
});
const { work } = (await import(process.argv[2]!)) as { work: SandboxedWork };
let isBegun = false;
let take: ReturnType<SandboxedWork> | undefined;
onParentMessage(({ message, bytes }) => {
  if (isBegun) take!(message, bytes);
  else take = work(message, tellParent);
  isBegun = true;
}, end);
