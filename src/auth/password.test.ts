// Passwords: what is stored, what is verified and what is refused.
import { scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { COST as CHEAP } from "../../test/password-cost.ts";
// Computed without password.ts, because the tests lower its cost.
import { COST } from "../auth/password-cost.ts";
import { PdppError } from "../contract/errors.ts";
import { hashPassword, verifyPassword } from "./password.ts";

const RIGHT = { ok: true, rehash: false };
const WRONG = { ok: false, rehash: false };

const parameters = ({ ln, r, p }: typeof COST | typeof CHEAP): string => `$scrypt$ln=${ln},r=${r},p=${p}$`;

/** A hash with the parameters of another version. */
const otherHash = (password: string): string => {
  const salt = Buffer.from("0123456789abcdef");
  const text = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
  return `$scrypt$ln=11,r=8,p=1$${text(salt)}$${text(scryptSync(password, salt, 32, { N: 2 ** 11, r: 8, p: 1 }))}`;
};

describe("SECURITY row 8: a password", () => {
  it("is stored with its own salt and its parameters, and is verified against them", async () => {
    const [stored, again] = [
      await hashPassword("correct horse battery", "me"),
      await hashPassword("correct horse battery", "me"),
    ];
    expect(stored.slice(0, parameters(CHEAP).length)).toBe(parameters(CHEAP));
    expect(stored.slice(parameters(CHEAP).length)).toMatch(/^[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(stored).not.toBe(again);
    expect(await verifyPassword("correct horse battery", stored, "me")).toEqual(RIGHT);
    expect(await verifyPassword("correct horse batterz", stored, "me")).toEqual(WRONG);
  });

  it("has the cost that OWASP recommends", () => {
    expect(COST).toEqual({ ln: 15, r: 8, p: 3 });
  });

  it("hashed with other parameters is still accepted, and is rehashed only if it is correct", async () => {
    const stored = otherHash("correct horse battery");
    expect(await verifyPassword("correct horse battery", stored, "me")).toEqual({ ok: true, rehash: true });
    for (const other of ["Correct horse battery", "correct horse battery ", "correct horse", ""])
      expect(await verifyPassword(other, stored, "me")).toEqual(WRONG);
  });

  it("is the same in every Unicode normal form", async () => {
    const stored = await hashPassword("Z\u00fcrich caf\u00e9 \ufb01n", "me");
    expect(await verifyPassword("Zu\u0308rich cafe\u0301 fin", stored, "me")).toEqual(RIGHT);
  });

  it("is always wrong for an unknown user", async () => {
    expect(await verifyPassword("correct horse battery", undefined, "me")).toEqual(WRONG);
  });

  it("needs 10 characters, counted as people count them, and at most 1,024 bytes", async () => {
    const refusal = (password: string) => hashPassword(password, "me").catch((error: unknown) => error);
    for (const short of [
      "",
      "ninechars",
      "\u{1f511}".repeat(9),
      "e\u0301".repeat(9),
      "a".repeat(1025),
      "\u00e9".repeat(513),
      "\ufdfa".repeat(100),
    ]) {
      const error = (await refusal(short)) as PdppError;
      expect(error).toBeInstanceOf(PdppError);
      expect([error.code, error.details.param]).toEqual(["invalid_request", "password"]);
      expect(error.message).not.toContain(short === "" ? "''" : short);
    }
    for (const fit of ["\u{1f511}".repeat(10), "a".repeat(1024)])
      expect(await hashPassword(fit, "me")).toMatch(/^\$scrypt/);
  });

  it("is rejected at once if it is too long to have been accepted", async () => {
    expect(await verifyPassword("a".repeat(4_000_000), undefined, "me")).toEqual(WRONG);
  });

  it("with a damaged hash causes an internal error and is not reported as wrong", async () => {
    for (const damaged of ["", "plain", "$scrypt$ln=15,r=8,p=3$c2FsdA", "$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA"])
      await expect(verifyPassword("correct horse battery", damaged, "me")).rejects.toThrow("cannot be read");
    // These parameters would use up all memory.
    await expect(
      verifyPassword("correct horse battery", "$scrypt$ln=40,r=8,p=1$c2FsdA$aGFzaA", "me"),
    ).rejects.toThrow();
    // The next job in the queue is not blocked.
    expect((await verifyPassword("correct horse battery", otherHash("correct horse battery"), "me")).ok).toBe(true);
  });
});
