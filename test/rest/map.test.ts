// V-04: the map calls return the same counts as a naive loop, give small responses for any number of records, and work
// only for the owner.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { googleLocationDeclaration } from "../../src/collect/importers/google-location/declaration.ts";
import { worldX, worldY } from "../../src/core/mercator.ts";
import { createRandom } from "../../src/demo/random.ts";
import { HOME_OWNER, type TestServer, testServer } from "../harness.ts";

const VISITS = 12_000;
let server: TestServer;
let connection: string;
const visits = positions();

beforeAll(async () => {
  server = await testServer();
  await server.register("places", googleLocationDeclaration);
  connection = await server.connect("places", "Places");
  for (let from = 0; from < visits.length; from += 2000)
    await server.ingest("visits", connection, visits.slice(from, from + 2000).map(lineOf));
  await server.ingest("trips", connection, [
    { key: "walk", data: { id: "walk", start: "2024-03-01T10:00:00Z", latitude: 53.3, longitude: -6.2, path: walk() } },
    // A track that starts outside the box and enters it.
    { key: "in", data: { id: "in", start: "2024-03-02T10:00:00Z", latitude: 53.3, longitude: -6.85, path: walk() } },
    { key: "bare", data: { id: "bare", start: "2024-03-03T10:00:00Z", latitude: 53.3, longitude: -6.2 } },
  ]);
});
afterAll(() => server?.close());

interface Visit {
  id: string;
  latitude: number | null;
  longitude: number | null;
  start: string;
}

function positions(): Visit[] {
  const random = createRandom("map");
  return Array.from({ length: VISITS }, (_, index) => ({
    id: `v${index}`,
    // Some receivers do not record a position.
    latitude: index % 100 === 0 ? null : Number((random.next() * 170 - 85).toFixed(6)),
    longitude: index % 150 === 0 ? null : Number((random.next() * 360 - 180).toFixed(6)),
    start: new Date(Date.UTC(2020, 0, 1) + index * 3_600_000).toISOString(),
  }));
}

const lineOf = ({ id, start, latitude, longitude }: Visit) => ({
  key: id,
  data: { id, start, ...(latitude === null ? {} : { latitude }), ...(longitude === null ? {} : { longitude }) },
});

/** Points one metre apart, far more than a page can show. */
const walk = (): string =>
  Array.from({ length: 5000 }, (_, index) => `2024-03-01T10:00:00Z,${53.3 + index * 1e-5},${-6.2 + index * 1e-5}`).join(
    "\n",
  );

const BOX = { south: -40, north: 60, west: -90, east: 100 };
const look = (query: object = {}) =>
  server.host.call("map", { ...BOX, zoom: 2, kinds: ["visit"], ...query }, HOME_OWNER);

describe("V-04 the map", () => {
  test("V-04 counts per cell match a loop over the records", async () => {
    const { clusters, count } = await look();
    const inside = visits.filter(
      ({ latitude, longitude }) =>
        latitude !== null &&
        longitude !== null &&
        latitude >= -40 &&
        latitude <= 60 &&
        longitude >= -90 &&
        longitude <= 100,
    );
    expect(count).toBe(inside.length);
    const cells = new Map<string, Visit[]>();
    for (const visit of inside) {
      const side = 256 * 4;
      const key = [worldX(visit.longitude!), worldY(visit.latitude!)]
        .map((at) => Math.floor((at * side) / 64))
        .join(" ");
      cells.set(key, [...(cells.get(key) ?? []), visit]);
    }
    expect(clusters.map((one) => one.count).sort()).toEqual([...cells.values()].map((own) => own.length).sort());
    expect(clusters.map(({ newest }) => newest.id).sort()).toEqual(
      [...cells.values()].map((own) => own.at(-1)!.id).sort(),
    );
    expect(clusters.every(({ kinds, count: own }) => kinds.visit === own)).toBe(true);
  });

  test("V-04 responses stay small for any number of records and list the newest, and a box larger than a screen is refused", async () => {
    const content = await look();
    expect(JSON.stringify(content).length).toBeLessThan(60_000);
    expect(content.records).toHaveLength(30);
    const ids = content.records.map(({ id }) => Number(id.slice(1)));
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    await expect(look({ zoom: 14 })).rejects.toThrow(/cells at this zoom/);
    await expect(look({ south: 70 })).rejects.toThrow(/south must not be greater than north/);
  });

  test("V-04 accepts a range of days and returns the extent of all positions", async () => {
    const days = { since: "2020-02-01", until: "2020-02-29", time_zone: "UTC" };
    const inFebruary = visits.filter(
      ({ start, latitude, longitude }) => start.startsWith("2020-02") && latitude !== null && longitude !== null,
    );
    const extent = await server.host.call("mapExtent", { ...days, kinds: ["visit"] }, HOME_OWNER);
    expect(extent.count).toBe(inFebruary.length);
    expect(extent.box!.north).toBe(Math.max(...inFebruary.map(({ latitude }) => latitude!)));
    expect(extent.box!.west).toBe(Math.min(...inFebruary.map(({ longitude }) => longitude!)));
    expect(await server.host.call("mapExtent", { kinds: ["photo"] }, HOME_OWNER)).toEqual({ count: 0, kinds: {} });
  });

  test("V-04 draws tracks with few points, including tracks that start outside the box", async () => {
    const { tracks, has_more_tracks } = await look({
      south: 53,
      north: 53.5,
      west: -6.6,
      east: -6,
      zoom: 10,
      kinds: ["track"],
    });
    expect(tracks.map(({ id }) => id)).toEqual(["in", "walk"]);
    expect(has_more_tracks).toBe(false);
    for (const { lines } of tracks) {
      expect(lines.flat().length).toBeGreaterThan(5);
      expect(lines.flat().length).toBeLessThanOrEqual(800);
      expect(lines[0]![0]!.x).toBeCloseTo(worldX(-6.2), 8);
      expect(lines[0]!.at(-1)!.y).toBeCloseTo(worldY(53.3 + 4999e-5), 8);
    }
  });

  test("V-04 refuses apps, whatever their grant", async () => {
    const { access_token: token } = await server.grant({ all: true });
    for (const [name, query] of [
      ["map", { ...BOX, zoom: 2 }],
      ["mapExtent", {}],
    ] as const)
      await expect(server.host.call(name, query as never, { token })).rejects.toMatchObject({
        code: "insufficient_scope",
      });
    expect((await server.get("/dashboard/map.json", { token })).status).toBe(403);
  });
});
