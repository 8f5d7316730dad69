// The function that a module exports as `work` to be run in a sandbox.

/** Called once with what the process was started with; answers what takes every later message. */
export type SandboxedWork = (
  start: unknown,
  tell: (message: object, bytes?: Uint8Array) => void,
  /** The module with native code that it was started with. */
  native: unknown,
) => (message: unknown, bytes: Uint8Array<ArrayBuffer>) => void;
