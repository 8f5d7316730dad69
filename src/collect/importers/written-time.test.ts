// Times as web pages and devices write them for people.
import { expect, it } from "vitest";
import { writtenTime } from "./written-time.ts";

const utc = (local: number): string => new Date(local).toISOString();

it.each([
  ["Jan 31, 2018, 10:54:50 PM", "2018-01-31T22:54:50.000Z"],
  ["Nov 13, 2025, 9:50:57\u202fAM CDT", "2025-11-13T14:50:57.000Z"],
  ["13 Feb 2024, 08:36:49 EET", "2024-02-13T06:36:49.000Z"],
  ["31.01.2018, 22:54:50 MEZ", "2018-01-31T21:54:50.000Z"],
  ["31 janv. 2018, 22:54:50 UTC+1", "2018-01-31T21:54:50.000Z"],
  ["31 de ene de 2018, 22:54:50 CET", "2018-01-31T21:54:50.000Z"],
  ["2018/01/31 22:54:50 JST", "2018-01-31T13:54:50.000Z"],
  ["Added on Monday, 28 December 2020 21:33:49", "2020-12-28T21:33:49.000Z"],
  ["Added on Sunday, February 23, 2020 2:58:27 PM", "2020-02-23T14:58:27.000Z"],
  ["Hinzugefügt am Freitag, 19. Dezember 2014 08:52:50", "2014-12-19T08:52:50.000Z"],
  ["添加于2013年12月18日星期三 下午04:55:44", "2013-12-18T16:55:44.000Z"],
  ["Jan 31, 2018, 12:05:00 AM", "2018-01-31T00:05:00.000Z"],
])("reads %s", (text, instant) => {
  expect(writtenTime(text, utc)).toBe(instant);
});

it.each(["", "yesterday", "Feb 30, 2018, 10:00:00 AM", "Foo 31, 2018, 10:00:00 AM"])(
  "does not guess a time for %j",
  (text) => {
    expect(writtenTime(text, utc)).toBeUndefined();
  },
);
