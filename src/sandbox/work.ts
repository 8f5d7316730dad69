// The function that a module must export as `work` to run in a sandbox.

/** Called once with the start message. Returns the handler for all later messages. */
export type SandboxedWork = (
  start: unknown,
  tell: (message: object, bytes?: Uint8Array) => void,
  /** The native module that the process was started with. */
  native: unknown,
) => (message: unknown, bytes: Uint8Array<ArrayBuffer>) => void;
