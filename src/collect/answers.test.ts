// The scope of an answer: all importers, one importer, or one group.
import { expect, test } from "vitest";
import { answerForm, answersFor, answerTo, isChoice, withGroupNames } from "./answers.ts";

const order = { id: "date_order", text: "Which?", options: [{ value: "dmy", label: "day first" }] };
const account = { id: "account", text: "Whose?", default: "mail" };
const groups = [
  { importer: "mail", name: "samples", questions: [account] },
  { importer: "bank", name: "samples", questions: [account, order] },
  { importer: "browser-history", name: "a/chrome.sqlite", questions: [{ id: "profile", text: "Which?" }] },
  { importer: "browser-history", name: `${"x".repeat(300)}/b.sqlite`, questions: [{ id: "profile", text: "Which?" }] },
];
const ids = (all: typeof groups): string[] => all.flatMap(({ questions }) => questions.map(({ id }) => id));

test("P-05 with several groups, each question has a name per group; with one group, the names are plain", () => {
  const names = ids(withGroupNames(groups));
  expect(names.slice(0, 4)).toEqual([
    "mail.account",
    "bank.account",
    "bank.date_order",
    "browser-history.profile@a/chrome.sqlite",
  ]);
  expect(new Set(names).size).toBe(5);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThan(200);
  expect(ids(withGroupNames(groups.slice(1, 2)))).toEqual(["account", "date_order"]);
});

test("P-05 an answer for a group overrides the one for its importer, which overrides the general one; other groups are unaffected", () => {
  const [mail, bank, chrome, other] = withGroupNames(groups);
  const answers = { account: "all", "mail.account": "me@x.example", "browser-history.profile@a/chrome.sqlite": "Work" };
  expect(answersFor(mail!, answers).account).toBe("me@x.example");
  expect(answersFor(bank!, answers).account).toBe("all");
  expect(answersFor(chrome!, answers).profile).toBe("Work");
  expect(answersFor(other!, answers).profile).toBeUndefined();
  expect(answersFor(other!, { "browser-history.profile": "Home", profile: "no" }).profile).toBe("Home");
  // An answer is accepted under any of its names, even if the plan shows another.
  expect(answerTo(bank!, bank!.questions[0]!, answers)).toBe("all");
  expect(answerTo(chrome!, chrome!.questions[0]!, answers)).toBe("Work");
});

test("an answer must be one of the choices; an unknown choice counts as no answer", () => {
  const [bank] = groups.slice(1);
  expect([isChoice(order, "dmy"), isChoice(order, "DMY"), isChoice(account, "any")]).toEqual([true, false, true]);
  expect(answerTo(bank!, order, { date_order: "" })).toBeUndefined();
  expect(answerTo(bank!, account, { account: "" })).toBe("");
  expect([answerForm(order), answerForm(account)]).toEqual(['{"date_order": "dmy"}', '{"account": …}']);
});
