// Lets a caller pause or stop a long run between two steps.
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

  /** Called before each step. Waits while the run is paused, and returns false once it is stopped. */
  async goesOn(): Promise<boolean> {
    await this.#gate;
    return !this.#isStopped;
  }
}
