// node scripts/base-map.js: packs Natural Earth's countries (npm's world-atlas) into the files that the map draws from
// (0053).
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const require = createRequire(import.meta.url);

/**
 * Steps per side of the square world. For the far outlines, a step is a sixteenth of a pixel at their highest zoom; for
 * the near ones, 76 metres at the equator.
 */
const FILES = {
  far: { file: require.resolve("world-atlas/countries-50m.json"), steps: 2 ** 16 },
  near: { file: require.resolve("world-atlas/countries-10m.json"), steps: 2 ** 19 },
};

for (const [detail, { file, steps }] of Object.entries(FILES)) {
  const atlas = JSON.parse(readFileSync(file, "utf8"));
  const rings = ringsOf(atlas, steps);
  const bytes = gzipSync(Buffer.from(rings.flatMap((ring) => packed(ring))), { level: 9 });
  const out = new URL(`../src/surfaces/web/map/countries-${detail}.bin.gz`, import.meta.url);
  writeFileSync(out, bytes);
  process.stdout.write(`${out.pathname}: ${rings.length} outlines, ${bytes.length} bytes\n`);
}

/** Returns every outline of every country as points [x, y], measured in steps. */
function ringsOf({ arcs, transform, objects }, steps) {
  const points = arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([right, up]) => {
      x += right;
      y += up;
      return inWorld(
        x * transform.scale[0] + transform.translate[0],
        y * transform.scale[1] + transform.translate[1],
        steps,
      );
    });
  });
  /** A negative index means the same border in the opposite direction. */
  const walked = (index) => (index < 0 ? points[~index].toReversed() : points[index]);
  const joined = (ring) => ring.flatMap((index, at) => walked(index).slice(at === 0 ? 0 : 1));
  return objects.countries.geometries.flatMap(({ type, arcs: own }) =>
    (type === "Polygon" ? [own] : own).flatMap((polygon) => polygon.map(joined)),
  );
}

/** Web Mercator, as in src/core/mercator.ts. */
function inWorld(longitude, latitude, steps) {
  const sine = Math.sin((Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [longitude / 360 + 0.5, y].map((value) => Math.round(value * steps));
}

/**
 * Encodes the number of points, then the steps from each point to the next, with seven bits per byte and the sign in
 * the lowest bit.
 */
function packed(ring) {
  const own = ring.filter(([x, y], index) => index === 0 || x !== ring[index - 1][0] || y !== ring[index - 1][1]);
  const bytes = [];
  const put = (value) => {
    let left = value;
    for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
    bytes.push(left);
  };
  const putSigned = (value) => put(value < 0 ? -value * 2 - 1 : value * 2);
  put(own.length);
  let [lastX, lastY] = [0, 0];
  for (const [x, y] of own) {
    putSigned(x - lastX);
    putSigned(y - lastY);
    [lastX, lastY] = [x, y];
  }
  return bytes;
}
