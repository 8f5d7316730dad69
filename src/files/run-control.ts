// Pauses and stops a long run from outside, between two of its steps.
export class RunControl {
  #gate: Promise<void> | undefined;
  #open: (() => void) | undefined;
  #isStopped = false;

  get isStopped(): boolean {
    return this.#isStopped;
  }

  pause(): void {
    this.#gate ??= new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  resume(): void {
    this.#open?.();
    this.#gate = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.resume();
  }

  /** Called before each step: waits while it is paused; false once it is stopped. */
  async goesOn(): Promise<boolean> {
    await this.#gate;
    return !this.#isStopped;
  }
}
