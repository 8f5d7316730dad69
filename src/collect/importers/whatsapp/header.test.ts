// Dates and times as phones in many languages write them, and when their order can be determined.
import { describe, expect, it } from "vitest";
import { dateEvidence } from "./date-order.ts";
import { dateOf, isYearFirst, parseHeader } from "./header.ts";

describe("the start of a message", () => {
  it.each([
    ["[04.01.18, 11:53:57] Ann: hi", "2018-01-04 11:53:57", "Ann: hi"],
    ["\u200e[04.01.18, 11:53:57] Ann: \u200eimage omitted", "2018-01-04 11:53:57", "Ann: \u200eimage omitted"],
    ["2/11/19, 14:18 - Ann: hi", "2019-11-02 14:18", "Ann: hi"],
    ["11/02/2019 14:18 - Ann: hi", "2019-02-11 14:18", "Ann: hi"],
    ["11/02/2019 à 14:18 - Ann: hi", "2019-02-11 14:18", "Ann: hi"],
    ["11-02-19 14:18 - Ann: hi", "2019-02-11 14:18", "Ann: hi"],
    ["17/9/19, 8:30\u202fAM - Ann: hi", "2019-09-17 8:30", "Ann: hi"],
    ["17/9/19, 12:05\u00a0p. m. - Ann: hi", "2019-09-17 12:05", "Ann: hi"],
    ["[17/9/19, 12:05:00 AM] Ann: hi", "2019-09-17 0:05:00", "Ann: hi"],
    ["17.9.2019 klo 14.18 - Ann: hi", "2019-09-17 14:18", "Ann: hi"],
    ["2019-02-11 14:18 - Ann: hi", "2019-02-11 14:18", "Ann: hi"],
    ["[2019/2/11 下午2:18:05] Ann: hi", "2019-02-11 14:18:05", "Ann: hi"],
    ["2019/02/11, 14:18 - Ann: hi", "2019-02-11 14:18", "Ann: hi"],
    ["[2019. 2. 11. 오후 2:18:05] Ann: hi", "2019-02-11 14:18:05", "Ann: hi"],
    ["2019년 2월 11일 오후 2:18, Ann : hi", "2019-02-11 14:18", "Ann : hi"],
    ["[\u200f١١\u200f/٢\u200f/٢٠١٩، ٢:١٨:٠٥ م] Ann: hi", "2019-02-11 14:18:05", "Ann: hi"],
    ["17/09/19, 4:50:32 pm – Ann: hi", "2019-09-17 16:50:32", "Ann: hi"],
  ])("%s", (line, when, rest) => {
    const header = parseHeader(line)!;
    expect(header).toBeDefined();
    const [year, month, day] = dateOf(header, isYearFirst(header) ? "ymd" : "dmy");
    const two = (value: number): string => String(value).padStart(2, "0");
    const second = header.second === undefined ? "" : `:${two(header.second)}`;
    expect(`${year}-${two(month)}-${two(day)} ${header.hour}:${two(header.minute)}${second}`).toBe(when);
    expect(header.rest).toBe(rest);
  });

  it.each([
    "2/11/19, 14:48 Alice: from another chat",
    "2/11/19: Arrival",
    "[04.01.18, 11:53:57 Ann: hi",
    "04.01.18, 11:53:57] Ann: hi",
    "[04.01.18, 25:53:57] Ann: hi",
    "[04.01.18, 11:73:57] Ann: hi",
    "hello",
    "",
    "1234567890",
  ])("is not %s", (line) => {
    expect(parseHeader(line)).toBeUndefined();
  });
});

describe("the date order", () => {
  const order = (...dates: string[]) => {
    const evidence = dateEvidence();
    for (const date of dates) evidence.see(parseHeader(`${date}, 10:00 - A: b`)!);
    return evidence.order();
  };

  it("is determined by a day above 12", () => {
    expect(order("2/11/19", "13/11/19")).toBe("dmy");
    expect(order("2/11/19", "2/13/19")).toBe("mdy");
  });

  it("is determined by messages that would otherwise go back in time", () => {
    expect(order("3/1/19", "1/2/19", "2/2/19")).toBe("dmy");
    expect(order("1/3/19", "2/1/19", "2/2/19")).toBe("mdy");
  });

  it("is determined by dots, dashes and leading years", () => {
    expect(order("2.11.19")).toBe("dmy");
    expect(order("2-11-2019")).toBe("dmy");
    expect(order("2019/2/11")).toBe("ymd");
  });

  it("cannot be determined from 2/11/19 alone", () => {
    expect(order("2/11/19", "10/11/19")).toBeUndefined();
  });
});
