// V-04: tests that map windows fit their content, and that their outlines are small enough for a page.
import { describe, expect, test } from "vitest";
import { landPath } from "./base-map.ts";
import { cityLabels } from "./cities.ts";
import { boxOf, movedWindow, pixelOf, scaleOf, windowAround, windowAt } from "./map-window.ts";

const SIZE = { width: 960, height: 600 };
const DUBLIN = { latitude: 53.35, longitude: -6.26 };

describe("V-04 a window of the map", () => {
  test("V-04 shows a whole box, centred, and never more than the world", () => {
    const window = windowAround({ south: 38.7, north: 53.4, west: -9.2, east: 13.4 }, SIZE);
    const box = boxOf(window);
    expect(box.south < 38.7 && box.north > 53.4 && box.west < -9.2 && box.east > 13.4).toBe(true);
    const corner = windowAt({ latitude: 84, longitude: 179 }, 0, SIZE);
    expect(corner.zoom).toBe(2);
    expect(boxOf(corner).east).toBeCloseTo(180, 6);
    expect(boxOf(corner).north).toBeCloseTo(85.0511, 3);
    expect(windowAround({ south: 53, north: 53, west: -6, east: -6 }, SIZE).zoom).toBe(12);
  });

  test("V-04 moves by fractions of its size and zooms around its centre", () => {
    const window = windowAt(DUBLIN, 10, SIZE);
    const [left, top] = pixelOf(window, window);
    expect([left, top]).toEqual([480, 300]);
    const east = movedWindow(window, { right: 0.5 });
    expect(pixelOf(east, window)[0]).toBeCloseTo(0, 6);
    expect(movedWindow(window, { closer: 1 })).toEqual({ ...window, zoom: 11 });
    const { metres, pixels } = scaleOf(window, 120);
    // At 53° north, a pixel at zoom 10 is 91 metres.
    expect(metres).toBe(10_000);
    expect(pixels).toBeCloseTo(109.6, 0);
  });

  test("V-04 has land at every zoom, in at most 90 KB", () => {
    for (let zoom = 2; zoom <= 17; zoom++) {
      const path = landPath(windowAt(DUBLIN, zoom, SIZE));
      expect(path).toMatch(/^(?:M-?\d+ -?\d+l[-\d ]+z)+$/);
      expect(path.length, `zoom ${zoom}`).toBeLessThan(90_000);
    }
    // Coasts with many islands need the most bytes.
    for (const middle of [
      { latitude: 62, longitude: 20 },
      { latitude: 0, longitude: 118 },
      { latitude: 70, longitude: -90 },
    ])
      for (let zoom = 2; zoom <= 8; zoom++) {
        expect(landPath(windowAt(middle, zoom, SIZE)).length).toBeLessThan(90_000);
      }
  });

  test("V-04 draws no outline across the map where it crosses the antimeridian", () => {
    const world = windowAt({ latitude: 30, longitude: 0 }, 2, { width: 1024, height: 700 });
    for (const outline of landPath(world).split("z").filter(Boolean)) {
      const numbers = outline.split("l")[1]!.match(/-?\d+/g)!.map(Number);
      const across = numbers.filter((_, index) => index % 2 === 0).map(Math.abs);
      expect(Math.max(...across)).toBeLessThan(500);
    }
  });

  test("V-04 shows the names of the largest cities, without overlaps", () => {
    const labels = cityLabels(windowAt(DUBLIN, 6, SIZE));
    const names = labels.map(({ name }) => name);
    for (const city of ["London", "Dublin", "Glasgow"]) expect(names).toContain(city);
    for (const [index, one] of labels.entries())
      for (const other of labels.slice(index + 1))
        expect(Math.abs(one.top - other.top) > 12 || Math.abs(one.left - other.left) > 12).toBe(true);
  });
});
