// Date headers, including unusual ones.
import { expect, it } from "vitest";
import { mailDate } from "./mail-date.ts";

it.each([
  ["Tue, 7 Mar 2017 09:08:13 +0800 (CST)", "2017-03-07T01:08:13Z"],
  ["Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06Z"],
  ["21 Nov 97 09:55:06 GMT", "1997-11-21T09:55:06Z"],
  ["04-Jan-93 13:22:13", "1993-01-04T13:22:13Z"],
  ["9 Sep 94 15:37 EDT", "1994-09-09T19:37:00Z"],
  ["Wed Aug 21 16:20:36 2013", "2013-08-21T16:20:36Z"],
  ["Mon Jan 01 00:00:00 +0100 2024", "2023-12-31T23:00:00Z"],
  ["Sat, 31 Dec 2016 23:59:60 +0000", "2016-12-31T23:59:59Z"],
  ["2024-03-01T10:00:00+02:00", "2024-03-01T08:00:00Z"],
  ["Mon, 1 January 2024 10.00 +0000", "2024-01-01T10:00:00Z"],
  ["Tue, 32 Foo 2017", undefined],
  ["yesterday", undefined],
  ["", undefined],
])("%s", (text, expected) => {
  expect(mailDate(text)).toBe(expected);
});
