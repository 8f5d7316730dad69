// The container files: rules that hold without a container engine. `npm run soak -- container` builds and runs them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Loose } from "./harness.ts";

const read = (name: string): string => readFileSync(join(import.meta.dirname, "../deploy", name), "utf8");
const DOCKERFILE = read("Dockerfile");
/** The value of an instruction in the last stage. */
const last = (instruction: string): string | undefined =>
  new RegExp(`^${instruction} (.*)$`, "m").exec(DOCKERFILE.slice(DOCKERFILE.lastIndexOf("FROM ")))?.[1];

it("O-04 the image runs as an unprivileged user, with its home in a volume and a health check", () => {
  expect(last("USER")).toBe("node");
  expect(last("ENV")).toBe(`PDPP_HOME=${last("VOLUME")}`);
  expect(last("HEALTHCHECK")).toBeDefined();
});

it("O-04 the compose file runs one container on loopback that can write only to its volume", () => {
  const { services, volumes } = parse(read("compose.yaml")) as Loose;
  expect(Object.keys(services)).toEqual(["postern"]);
  const [name, path] = services.postern.volumes[0].split(":");
  expect([Object.keys(volumes), path]).toEqual([[name], last("VOLUME")]);
  expect(services.postern).toMatchObject({
    ports: [`127.0.0.1:${last("EXPOSE")}:${last("EXPOSE")}`],
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
  });
});

describe.each(["compose.yaml", "cluster/compose.yaml"])("O-04 deploy/%s", (name) => {
  it("O-04 has a guard with a reason for every variable", () => {
    const variables = read(name).match(/(?<!\$)\$\{?\w+[^}\s]*/g) ?? [];
    expect(variables.length).toBeGreaterThan(0);
    for (const variable of variables) expect(variable).toMatch(/^\$\{\w+:\?\w+/);
  });
});

it("O-04 the cluster has pinned images, and a health check for every service that keeps running", () => {
  const { services } = parse(read("cluster/compose.yaml"), { merge: true }) as Loose;
  for (const [name, { image, healthcheck }] of Object.entries<Loose>(services)) {
    expect(image, name).toMatch(/:(RELEASE\.)?\d+[.-]\d+/);
    if (name !== "bucket") expect(healthcheck?.test, name).toBeDefined();
  }
});
