// PostgreSQL failures, and the error that an app gets for each.
import { expect, it } from "vitest";
import { PdppError } from "../../contract/errors.ts";
import { isLost, typedError } from "./failures.ts";

const said = (code: string): unknown => typedError(Object.assign(new Error("insides"), { code }));

it.each(["25P02", "25P04", "26000", "40001", "40P01", "53200", "53400", "55000", "55P03", "57014"])(
  "P-07 %s is temporary and returns 503 with our own message",
  (code) => {
    expect(said(code)).toBeInstanceOf(PdppError);
    expect(said(code)).toMatchObject({ code: "store_unavailable", message: expect.not.stringMatching(/insides/) });
  },
);

it("P-07 a full disk and a key that is too long have different error codes", () => {
  expect(said("53100")).toMatchObject({ code: "storage_full" });
  expect(said("54000")).toMatchObject({ code: "resource_limit" });
});

it("T-09 a damaged page or index is reported as damage, not as a temporary failure", () => {
  expect(said("XX001")).toMatchObject({ code: "store_damaged", message: expect.not.stringMatching(/insides/) });
  expect(said("XX002")).toMatchObject({ code: "store_damaged" });
});

it("P-07 a connection that lost a prepared statement is not reused, but one whose transaction was aborted is", () => {
  expect(["26000", "25P02"].map((code) => isLost({ code }))).toEqual([true, false]);
});
