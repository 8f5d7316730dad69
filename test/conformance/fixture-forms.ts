// The elicitation forms that the suite expects in the older protocol, by tool.
const form = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
const ENUM = ["option1", "option2", "option3"];
const titled = (word: string) =>
  ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${word}` }));

export const ELICITED: Record<string, object> = {
  test_elicitation: form({ username: { type: "string" }, email: { type: "string" } }, ["username", "email"]),
  test_elicitation_sep1034_defaults: form({
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  test_elicitation_sep1330_enums: form({
    untitledSingle: { type: "string", enum: ENUM },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
    untitledMulti: { type: "array", items: { type: "string", enum: ENUM } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  }),
};
