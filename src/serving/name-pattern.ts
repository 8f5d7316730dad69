// The address of a multi-owner server, with a wildcard in place of the owner's name.
import { PdppError } from "../contract/errors.ts";

/** Finds the owner's name in a host name. */
export class NamePattern {
  readonly #before: string;
  readonly #after: string;
  readonly #protocol: string;

  constructor(publicUrl: string) {
    const [, protocol, before, after] = /^(https?:)\/\/([^*/]*)\*([^*/]+)\/?$/.exec(publicUrl) ?? [];
    if (protocol === undefined || before === undefined || after === undefined || !/[.-]/.test(before + after)) {
      const what = /^https?:\/\/[^/]*\*[^/]*\/./.test(publicUrl)
        ? "must not have a path, because every owner has a separate address"
        : "has no place for an owner's name";
      throw new PdppError("invalid_request", `${JSON.stringify(publicUrl)} ${what}`, {
        next_step: "Put one * where the owner's name belongs, and nothing after the host: https://*.data.example",
      });
    }
    [this.#protocol, this.#before, this.#after] = [protocol, before.toLowerCase(), after.toLowerCase()];
  }

  nameIn(host: string): string | undefined {
    const asked = host.toLowerCase();
    const { length } = asked;
    if (!asked.startsWith(this.#before) || !asked.endsWith(this.#after)) return undefined;
    const name = asked.slice(this.#before.length, length - this.#after.length);
    return /^[a-z0-9-]{1,63}$/.test(name) ? name : undefined;
  }

  urlOf(name: string): string {
    return `${this.#protocol}//${this.#before}${name}${this.#after}`;
  }
}
