// The entry point of every sandboxed process. It confines itself and then loads the module that does the work.
import { confine } from "./confine.ts";
import { onParentMessage, tellParent } from "./parent.ts";
import type { SandboxedWork } from "./work.ts";

const [, , workModule, nativeModule] = process.argv;
// Native code cannot be loaded after confinement. Loading it here is safe, because no part of any file has been read
// yet.
const native: unknown = nativeModule === undefined ? undefined : await import(nativeModule);
const end = confine();
process.on("uncaughtException", (error) => {
  tellParent({ failed: error instanceof Error ? error.message : String(error) });
  end();
});
const { work } = (await import(workModule!)) as { work: SandboxedWork };
let isBegun = false;
let take: ReturnType<SandboxedWork> | undefined;
onParentMessage(({ message, bytes }) => {
  if (isBegun) take!(message, bytes);
  else take = work(message, tellParent, native);
  isBegun = true;
}, end);
