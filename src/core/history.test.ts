// P-02: a record's history works for every field name, and stays bounded.
import { expect, it } from "vitest";
import { advanceHistory, changedFields, type History, positionsOf, type Stamp, visibilityIn } from "./history.ts";

const stamp = (version: number): Stamp => [version, version * 10, version * 100, null];
const always = (): boolean => true;
const data = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

it("P-02 a change is stamped on the changed fields, and only readers of those fields see it", () => {
  const before = { data: data('{"id":"a","title":"x","secret":"s"}'), time: null };
  const history = advanceHistory(
    null,
    stamp(1),
    before,
    { data: data('{"id":"a","title":"x","secret":"t"}'), time: null },
    stamp(2),
  );
  expect(visibilityIn(history, new Set(["id", "title"]), always)).toEqual({ state: "visible", stamp: stamp(1) });
  expect(visibilityIn(history, new Set(["secret"]), always)).toEqual({ state: "visible", stamp: stamp(2) });
  expect(visibilityIn(history, null, always)).toEqual({ state: "visible", stamp: stamp(2) });
  expect(positionsOf(history)).toEqual(new Set([1, 2]));
});

it("P-02 fields with the names of built-in object properties are tracked like others, even after storage", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  for (const name of names) {
    const [without, empty, full] = ['{"id":"a"}', `{"id":"a","${name}":{}}`, `{"id":"a","${name}":{"x":1}}`].map(data);
    expect(changedFields(without!, empty!)).toEqual([name]);
    expect(changedFields(full!, without!)).toEqual([name]);
    const history = advanceHistory(null, stamp(1), { data: empty!, time: null }, { data: full!, time: null }, stamp(2));
    const stored = JSON.parse(JSON.stringify(history)) as History;
    expect(visibilityIn(stored, null, always)).toEqual({ state: "visible", stamp: stamp(2) });
    expect(visibilityIn(stored, new Set(["id"]), always)).toEqual({ state: "visible", stamp: stamp(1) });
  }
});

it("P-02 a record counts as deleted from the moment it left the filter, and as new from the moment it returned", () => {
  const inside = (time: number | null): boolean => time !== null && time < 5;
  const at = (time: number) => ({ data: data(`{"id":"a","at":${time}}`), time });
  const left = advanceHistory(null, stamp(1), at(1), at(9), stamp(2));
  expect(visibilityIn(left, null, inside)).toEqual({ state: "gone", stamp: stamp(2) });
  const deleted = advanceHistory(left, stamp(1), at(9), { data: null, time: null }, stamp(3));
  expect(visibilityIn(deleted, null, inside)).toEqual({ state: "gone", stamp: stamp(2) });
  expect(visibilityIn(deleted, null, always)).toEqual({ state: "gone", stamp: stamp(3) });
  const back = advanceHistory(deleted, stamp(1), { data: null, time: null }, at(2), stamp(4));
  expect(visibilityIn(back, new Set(["id"]), inside)).toEqual({ state: "visible", stamp: stamp(4) });
  const never = advanceHistory(null, stamp(1), at(8), at(9), stamp(2));
  expect(visibilityIn(never, null, inside)).toEqual({ state: "never" });
});

it("P-02 the history of a record that keeps changing its time stays bounded", () => {
  let history: History | null = null;
  for (let version = 2; version < 500; version++) {
    const [before, after] = [version - 1, version].map((time) => ({ data: data(`{"at":${time}}`), time }));
    history = advanceHistory(history, stamp(1), before!, after!, stamp(version));
  }
  expect(history!.life).toHaveLength(256);
  expect(visibilityIn(history!, null, always)).toEqual({ state: "visible", stamp: stamp(499) });
});

it("P-02 a reader never again sees a record that keeps moving outside the reader's filter", () => {
  const inside = (time: number | null) => time === 1;
  let history: History | null = null;
  let position = 0;
  for (let version = 2; version < 2000; version++) {
    const [before, after] = [version - 1, version].map((time) => ({ data: data(`{"at":${time}}`), time }));
    history = advanceHistory(history, stamp(1), before!, after!, stamp(version));
    const sight = visibilityIn(history, new Set(["title"]), inside);
    if (version === 2) position = sight.state === "gone" ? sight.stamp[0] : 0;
    else if (sight.state !== "never") expect(sight).toEqual({ state: "gone", stamp: stamp(position) });
  }
  expect(position).toBe(2);
});
