// The function that a module exports as `work` to be run in a sandbox.

/** Called once with the start message; returns the handler for every later message. */
export type SandboxedWork = (
  start: unknown,
  tell: (message: object, bytes?: Uint8Array) => void,
  /** The native module that the process was started with. */
  native: unknown,
) => (message: unknown, bytes: Uint8Array<ArrayBuffer>) => void;
