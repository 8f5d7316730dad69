// P-07: which database addresses are accepted, and the errors for the others.
import { expect, it } from "vitest";
import { checkedAddress } from "./database.ts";

const SECRET = "s3cret";
const saidOf = (address: string): unknown => {
  try {
    return checkedAddress(address, "DATABASE_URL");
  } catch (error) {
    return error;
  }
};

it.each([
  "postgres://u@h/d",
  "postgresql://u:p%23%2F%40@h:5432/d?sslmode=verify-full",
  "postgres:///d?host=/run/postgresql",
  "postgres://u:a@b@h/d",
])("P-07 accepts %s unchanged", (address) => expect(saidOf(address)).toBe(address));

it.each([
  `postgres://u:${SECRET}#x@h/d`,
  `postgres://u:12#${SECRET}@h/d`,
  `postgres://u:${SECRET}/x@h/d`,
  `postgres://u:12/${SECRET}@h/d`,
  `postgres://u:12?${SECRET}@h/d`,
  `postgres://u:${SECRET}%x@h/d`,
])("P-07 the error for %s explains how to encode the password, without showing it", (address) => {
  expect(saidOf(address)).toMatchObject({
    code: "invalid_request",
    message: "DATABASE_URL is not a postgres:// address: it cannot be parsed as written",
    details: { next_step: expect.stringContaining("%23") },
  });
});

it("P-07 refuses an invalid port, an invalid TLS mode and other kinds of address", () => {
  expect(saidOf("postgres://u:p@h:99999/d")).toMatchObject({ message: expect.stringContaining("above 65535") });
  expect(saidOf("postgres://u:p@h/d?sslmode=banana")).toMatchObject({
    message: expect.stringContaining("sslmode must be"),
  });
  expect(saidOf("mysql://u:p@h/d")).toMatchObject({ message: "DATABASE_URL is not a postgres:// address" });
});

it("P-07 replaces the TLS modes that managed databases use with the mode that the driver applies for them, so that it prints no warning", () => {
  expect(saidOf("postgres://u@h/d?sslmode=require&x=1")).toBe("postgres://u@h/d?sslmode=verify-full&x=1");
  const compatible = "postgres://u@h/d?uselibpqcompat=true&sslmode=require";
  expect(saidOf(compatible)).toBe(compatible);
});
