// Tests answers to the consent form, including answers that no browser would send.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consentAnswer, fieldName, streamKey } from "./consent-view.ts";

describe("consentAnswer", () => {
  it("returns any connection, stream and fields", () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).map((value) => value.toWellFormed());
    fc.assert(
      fc.property(text, text, fc.array(text), (connectionId, stream, fields) => {
        const key = streamKey(connectionId, stream);
        const form = new URLSearchParams({ stream: key });
        for (const field of fields) form.append(fieldName(key), field);
        expect(consentAnswer(new URLSearchParams(form.toString())).streams).toEqual([{ connectionId, stream, fields }]);
      }),
    );
  });

  it("drops fields of streams that are not ticked, and a stream that is given twice", () => {
    const form = new URLSearchParams("stream=c/a&stream=c/a&field:c/a=x&field:c/b=y");
    expect(consentAnswer(form).streams).toEqual([{ connectionId: "c", stream: "a", fields: ["x"] }]);
  });

  it.each(["stream=", "stream=c", "stream=c/a/b", "stream=%25E0%25A4%25A/x", "stream=/x", "stream=x/"])(
    "drops %s",
    (query) => {
      expect(consentAnswer(new URLSearchParams(query)).streams).toEqual([]);
    },
  );

  it("accepts only its own decisions and durations", () => {
    expect(consentAnswer(new URLSearchParams("decision=ALLOW&duration=99y&ai_training=true&since="))).toEqual({
      decision: undefined,
      csrf: "",
      digest: "",
      extent: "choose",
      except: [],
      connections: [],
      streams: [],
      since: undefined,
      until: undefined,
      duration: undefined,
      aiTraining: false,
      replaces: false,
      may: [],
    });
  });
});
