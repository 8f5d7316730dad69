// Treemaps: areas in proportion to sizes, as square as possible (Bruls, Huizing, van Wijk: squarified treemaps).

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Places sizes, largest first, in a box. Each gets an area in proportion to its share; a size of zero gets no area. */
export function squarified(sizes: readonly number[], box: Box): Box[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const scale = total === 0 ? 0 : (box.width * box.height) / total;
  const areas = sizes.map((size) => size * scale);
  const placed: Box[] = [];
  let rest = box;
  for (let from = 0; from < areas.length; ) {
    const side = Math.min(rest.width, rest.height);
    let to = from + 1;
    let sum = areas[from]!;
    // A row grows as long as its worst piece becomes squarer.
    while (to < areas.length && worst(areas, from, to + 1, sum + areas[to]!, side) <= worst(areas, from, to, sum, side))
      sum += areas[to++]!;
    rest = layRow(areas.slice(from, to), sum, rest, placed);
    from = to;
  }
  return placed;
}

/** Measures how far the worst piece of a row is from a square. The first piece is the largest. */
function worst(areas: readonly number[], from: number, to: number, sum: number, side: number): number {
  if (sum === 0 || side === 0) return Number.POSITIVE_INFINITY;
  const [largest, smallest] = [areas[from]!, areas[to - 1]!];
  const square = side * side;
  return Math.max((square * largest) / (sum * sum), smallest === 0 ? 0 : (sum * sum) / (square * smallest));
}

/** Lays a row along the shorter side, and returns the rest of the box. */
function layRow(areas: readonly number[], sum: number, box: Box, placed: Box[]): Box {
  const lies = box.width < box.height;
  const side = lies ? box.width : box.height;
  const depth = side === 0 ? 0 : sum / side;
  let at = 0;
  for (const area of areas) {
    const length = depth === 0 ? 0 : area / depth;
    placed.push(
      lies
        ? { x: box.x + at, y: box.y, width: length, height: depth }
        : { x: box.x, y: box.y + at, width: depth, height: length },
    );
    at += length;
  }
  return lies
    ? { ...box, y: box.y + depth, height: Math.max(0, box.height - depth) }
    : { ...box, x: box.x + depth, width: Math.max(0, box.width - depth) };
}

/**
 * Estimates the width of a sans-serif character as a fraction of the font size, wide enough for any font that a browser
 * uses.
 */
function widthOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code > 0x2e7f) return 1.05;
  if (/[iljtfI1.,:;'|!()[\]/ ]/.test(character)) return 0.34;
  if (/[mwMW@%…]/.test(character)) return 0.92;
  if (/[A-Z]/.test(character)) return 0.7;
  return 0.58;
}

/** Returns as much of a text as fits, or undefined if too little fits to be worth reading. */
export function fitted(text: string, width: number, size: number): string | undefined {
  const room = width / size;
  const characters = [...text];
  const whole = characters.reduce((sum, one) => sum + widthOf(one), 0);
  if (whole <= room) return text;
  let taken = widthOf("…");
  let count = 0;
  while (count < characters.length && taken + widthOf(characters[count]!) <= room)
    taken += widthOf(characters[count++]!);
  return count < 4 ? undefined : `${characters.slice(0, count).join("").trimEnd()}…`;
}
