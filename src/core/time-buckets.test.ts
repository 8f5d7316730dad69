// Time buckets: labels in the local calendar, including clock changes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { granularity as granularities } from "../contract/read.ts";
import { bucketLabel, timeBuckets } from "./time-buckets.ts";

function label(granularity: (typeof granularities.options)[number], zone: string, instant: string): string {
  return bucketLabel(granularity, timeBuckets(granularity, zone)(Date.parse(instant)).key);
}

describe("bucket labels", () => {
  it("have a separate format for each granularity", () => {
    const labels = granularities.options.map((granularity) => label(granularity, "UTC", "2024-03-05T10:15:59.999Z"));
    expect(labels).toEqual([
      "2024-03-05T10:15",
      "2024-03-05T10",
      "2024-03-05",
      "2024-03-04",
      "2024-03",
      "2024-Q1",
      "2024",
    ]);
  });

  it("use the local calendar", () => {
    expect(label("day", "Pacific/Auckland", "2024-03-05T11:00:00Z")).toBe("2024-03-06");
    expect(label("hour", "Asia/Kathmandu", "2024-03-05T10:20:00Z")).toBe("2024-03-05T16");
    expect(label("week", "America/New_York", "2024-03-04T04:59:00Z")).toBe("2024-02-26");
    expect(label("year", "Asia/Tokyo", "2023-12-31T15:00:00Z")).toBe("2024");
  });

  it("support years before 100 and before 1970", () => {
    expect(label("month", "UTC", "0050-02-03T00:00:00Z")).toBe("0050-02");
    expect(label("week", "UTC", "1969-12-31T23:59:59Z")).toBe("1969-12-29");
    expect(label("minute", "America/New_York", "1880-01-01T00:00:00Z")).toBe("1879-12-31T19:03");
  });
});

describe("buckets at clock changes", () => {
  it("contain both occurrences of an hour that is repeated", () => {
    const bucketAt = timeBuckets("hour", "Europe/Berlin");
    const [first, second] = [bucketAt(Date.UTC(2024, 9, 27, 0, 30)), bucketAt(Date.UTC(2024, 9, 27, 1, 30))];
    expect(first.key).toBe(second.key);
    expect(bucketLabel("hour", first.key)).toBe("2024-10-27T02");
  });

  it("do not exist for an hour that is skipped", () => {
    expect(label("hour", "Europe/Berlin", "2024-03-31T00:59:59Z")).toBe("2024-03-31T01");
    expect(label("hour", "Europe/Berlin", "2024-03-31T01:00:00Z")).toBe("2024-03-31T03");
  });

  it("are correct for short changes, such as Morocco's one-month break from summer time", () => {
    expect(label("hour", "Africa/Casablanca", "2024-03-20T12:00:00Z")).toBe("2024-03-20T12");
    expect(label("hour", "Africa/Casablanca", "2024-05-20T12:00:00Z")).toBe("2024-05-20T13");
  });
});

it("an unknown zone causes a RangeError", () => {
  expect(() => timeBuckets("day", "Mars/Olympus")).toThrow(RangeError);
});

it("buckets agree with the runtime's calendar for instants in any order, and contain every instant in their span", () => {
  const zone = fc.constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/St_Johns",
    "Africa/Casablanca",
    "Australia/Lord_Howe",
    "Pacific/Apia",
  );
  const instants = fc.array(fc.integer({ min: Date.UTC(1905, 0), max: Date.UTC(2090, 0) }), { maxLength: 30 });
  fc.assert(
    fc.property(zone, instants, (timeZone, list) => {
      const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
      const bucketAt = timeBuckets("minute", timeZone);
      const dayAt = timeBuckets("day", timeZone);
      for (const instant of list) {
        const bucket = bucketAt(instant);
        expect(bucketLabel("minute", bucket.key)).toBe(format.format(instant).replace(" ", "T"));
        const day = dayAt(instant);
        expect(instant >= day.from && instant < day.to).toBe(true);
        for (const edge of [day.from, day.to - 1]) {
          expect(bucketLabel("day", day.key)).toBe(format.format(edge).slice(0, 10));
        }
      }
    }),
    { numRuns: 60 },
  );
});
