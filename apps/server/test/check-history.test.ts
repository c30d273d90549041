import { describe, expect, it } from "vitest";
import { checkHistory } from "./histories/check-history.ts";
import type { Act, Answer, Step } from "./histories/History.ts";

let clock = 0;

/** A step after all earlier ones. */
const step = (act: Act, answer?: Answer): Step => {
  const from = ++clock;
  return { client: "c1", act, from, until: answer === undefined ? Infinity : ++clock, ...(answer && { answer }) };
};

/** The same step, but concurrent with all others: it begins before them and ends after them. */
const throughout = (one: Step): Step => ({ ...one, from: 0, until: one.until === Infinity ? Infinity : 1_000_000 });

const rulesBroken = (steps: ReadonlyArray<Step>, taken: ReadonlyArray<string> = []) =>
  checkHistory({ steps, taken, unknown: [] }).map(({ rule }) => rule);

const draft = (version: string, text: string) => ({ status: 200, id: "d1", version, text });
const save = (version: string, text: string, answer?: Answer) =>
  step({ act: "save draft", of: "d1", version, text }, answer);
const read = (answer: Answer) => step({ act: "read draft", of: "d1" }, answer);
const send = (subject: string, answer?: Answer) =>
  step({ act: "send", key: subject, subject, scheduled: false }, answer);
const flag = (flagged: boolean, answer?: Answer) => step({ act: "flag", of: "m1", flagged }, answer);
const readFlag = (flagged: boolean) => step({ act: "read flag", of: "m1" }, { status: 200, flagged });
const done = { status: 200 };

describe("a history that breaks a promise is found", () => {
  it.each<[string, () => ReadonlyArray<Step>, ReadonlyArray<string>?]>([
    ["a version of a draft is replaced once", () => [save("1", "a", draft("2", "a")), save("1", "b", draft("3", "b"))]],
    ["a version of a draft has one text", () => [save("1", "a", draft("2", "a")), read(draft("2", "b"))]],
    ["an acknowledged save is read", () => [save("1", "a", draft("2", "a")), read(draft("1", "old"))]],
    [
      "a deleted draft is not found",
      () => [step({ act: "remove draft", of: "d1", version: "1" }, done), read(draft("1", "a"))],
    ],
    [
      "one key makes one message",
      () => [send("s", { status: 200, id: "one" }), send("s", { status: 200, id: "two" })],
      ["s"],
    ],
    ["a message is sent once", () => [send("s", { status: 200, id: "one" })], ["s", "s"]],
    ["an accepted message is sent", () => [send("s", { status: 200, id: "one" })], []],
    [
      "a cancelled message is not sent",
      () => [send("s", { status: 200, id: "one" }), step({ act: "cancel", of: "one", subject: "s" }, done)],
      ["s"],
    ],
    [
      "a created folder is listed",
      () => [
        step({ act: "create folder", name: "A" }, { status: 200, id: "f1" }),
        step({ act: "list folders" }, { status: 200, names: [] }),
      ],
    ],
    [
      "a removed folder is not listed",
      () => [
        step({ act: "remove folder", of: "f1", name: "A" }, done),
        step({ act: "list folders" }, { status: 200, names: ["A"] }),
      ],
    ],
    ["a name is listed once", () => [step({ act: "list folders" }, { status: 200, names: ["A", "A"] })]],
    ["the last flag is read", () => [flag(true, done), flag(false, done), readFlag(true)]],
    [
      "an ended session is refused",
      () => [step({ act: "log out", of: "t1" }, done), step({ act: "use session", of: "t1" }, done)],
    ],
    ["a session works until it ends", () => [step({ act: "use session", of: "t1" }, { status: 401 })]],
  ])("%s", (rule, steps, taken = []) => {
    expect(rulesBroken(steps(), taken)).toEqual([rule]);
  });
});

describe("a history that keeps all promises is not reported", () => {
  it.each<[string, () => ReadonlyArray<Step>, ReadonlyArray<string>?]>([
    ["a refused second save", () => [save("1", "a", draft("2", "a")), save("1", "b", { status: 409 })]],
    [
      "an older version read while a save ran",
      () => [throughout(save("1", "a", draft("2", "a"))), read(draft("1", "o"))],
    ],
    ["a send without an answer that was not sent", () => [send("s")], []],
    ["a send without an answer that was sent", () => [send("s")], ["s"]],
    ["a flag without an answer that took effect late", () => [flag(true), flag(false, done), readFlag(true)]],
    ["a flag that was never set", () => [readFlag(false)]],
    [
      "either of two flags set at the same time",
      () => [throughout(flag(true, done)), flag(false, done), readFlag(true)],
    ],
    [
      "a session used while its end was asked for",
      () => [
        throughout(step({ act: "log out", of: "t1" }, done)),
        step({ act: "use session", of: "t1" }, { status: 401 }),
      ],
    ],
    [
      "a folder missing while its removal was under way",
      () => [
        step({ act: "create folder", name: "A" }, { status: 200, id: "f1" }),
        step({ act: "remove folder", of: "f1", name: "A" }),
        step({ act: "list folders" }, { status: 200, names: [] }),
      ],
    ],
  ])("%s", (_, steps, taken = []) => {
    expect(rulesBroken(steps(), taken)).toEqual([]);
  });
});
