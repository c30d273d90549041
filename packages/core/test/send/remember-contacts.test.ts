import { describe, expect, it } from "vitest";
import { peopleIn, remember } from "../../src/send/contacts/remember-contacts.ts";
import { AccountId } from "../../src/shared/index.ts";
import { summaryWith } from "../messages/summary.ts";

const sent = (arrivedAt: number, to: ReadonlyArray<string>, name = "") =>
  summaryWith({ arrivedAt, to: to.map((address) => ({ name, address })) });

describe("the people of sent messages", () => {
  it("are those of To and Cc, once in any spelling, with the newest name [S12.5-1]", () => {
    const cc = { ...sent(2, ["b@y.test"]), cc: [{ name: "Cara", address: "c@y.test" }] };
    expect(peopleIn([sent(3, ["A@y.test"]), sent(1, ["a@y.test"], "Ann"), cc])).toEqual(
      new Map([
        ["a@y.test", { name: "Ann", address: "A@y.test", at: 3 }],
        ["b@y.test", { name: "", address: "b@y.test", at: 2 }],
        ["c@y.test", { name: "Cara", address: "c@y.test", at: 2 }],
      ]),
    );
  });

  it("have an address", () => {
    expect(
      peopleIn([sent(1, ["undisclosed-recipients", "", "a b@y.test", `${"x".repeat(320)}@y.test`, "a\0@y"])]),
    ).toEqual(new Map());
  });
});

describe("a contact", () => {
  const contact = {
    id: "con_1",
    account: AccountId("demo@postern.test"),
    name: "Ann",
    address: "a@y.test",
    lastWrittenAt: 5,
    forgottenAt: null,
  };
  const at = (time: number, name = "") => ({ name, address: "a@y.test", at: time });

  it("takes the time and name of a newer message, and only a missing name from an older one", () => {
    expect(remember(contact, at(7))).toEqual({ ...contact, lastWrittenAt: 7 });
    expect(remember(contact, at(7, "Anne"))).toEqual({ ...contact, lastWrittenAt: 7, name: "Anne" });
    expect(remember(contact, at(4, "Old"))).toBeNull();
    expect(remember({ ...contact, name: "" }, at(4, "Old"))).toEqual({ ...contact, name: "Old" });
  });

  it("stays forgotten until a message from after that [S12.5-3]", () => {
    const forgotten = { ...contact, forgottenAt: 10 };
    expect(remember(forgotten, at(4))).toBeNull();
    expect(remember(forgotten, at(10))).toBeNull();
    expect(remember(forgotten, at(11))).toEqual({ ...contact, lastWrittenAt: 11 });
  });
});
