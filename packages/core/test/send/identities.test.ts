import { Effect, Result } from "effect";
import { describe, expect, it } from "vitest";
import { ActingAgent, type Agent } from "../../src/auth/index.ts";
import type { SendPolicy } from "../../src/auth/neighbours.ts";
import { AccountId } from "../../src/shared/index.ts";
import type { IdentityRecord } from "../../src/send/index.ts";
import { senderPolicyOf } from "../../src/send/index.ts";
import { chooseSender, type SenderPolicy } from "../../src/send/identities/choose-sender.ts";
import {
  BLANK,
  changeFields,
  checkFields,
  checkIdentity,
  newIdentity,
  viewOf,
} from "../../src/send/identities/identity-fields.ts";

const identity = (fields: Partial<IdentityRecord>): IdentityRecord => ({
  ...BLANK,
  id: "id_own",
  account: AccountId("me@x.test"),
  address: "me@x.test",
  ...fields,
});
const OWN = identity({ name: "Me" });
const SALES = identity({
  id: "id_sales",
  name: "Sales",
  address: "sales@x.test",
  replyTo: "desk@x.test",
  isDefault: true,
});
const UNVERIFIED = identity({ id: "id_new", address: "new@x.test", verification: { hash: "h", until: 1 } });

const policy = senderPolicyOf(["blocked@x.test", "@evil.test"]) as SenderPolicy;
const BLOCKED = identity({ id: "id_blocked", address: "blocked@x.test" });
const KNOWN = [OWN, SALES, UNVERIFIED, BLOCKED] as const;

describe("the sender of a message", () => {
  const choose = (from?: Parameters<typeof chooseSender>[1], known: Parameters<typeof chooseSender>[0] = KNOWN) =>
    Result.match(chooseSender(known, from, policy), {
      onFailure: (error) => (error._tag === "InputInvalid" ? error.errors[0]!.message : error._tag),
      onSuccess: ({ from: { name, address }, replyTo }) =>
        `${name} <${address}>${replyTo.map((one) => ` answers ${one.name}<${one.address}>`).join()}`,
    });

  it.each<[Parameters<typeof chooseSender>[1], string]>([
    [undefined, "Sales <sales@x.test> answers <desk@x.test>"],
    ["id_own", "Me <me@x.test>"],
    ["id_sales", "Sales <sales@x.test> answers <desk@x.test>"],
    ["ME@x.test", "Me <me@x.test>"],
    ["sales@x.test", "Sales <sales@x.test> answers <desk@x.test>"],
    ["Night shift <sales@x.test>", "Night shift <sales@x.test> answers <desk@x.test>"],
    [{ name: "Night shift", address: "me@x.test" }, "Night shift <me@x.test>"],
    [{ address: "me@x.test" }, "Me <me@x.test>"],
    ["id_new", "SenderNotAllowed"],
    ["new@x.test", "SenderNotAllowed"],
    ["other@x.test", "SenderNotAllowed"],
    ["blocked@x.test", "SenderNotAllowed"],
    ["id_blocked", "SenderNotAllowed"],
    ["id_unknown", "must be an e-mail address, or an identity's id"],
  ])("named as %o is %s", (from, sender) => expect(choose(from)).toBe(sender));

  it("is the account itself if no identity is the default", () => {
    expect(choose(undefined, [OWN, UNVERIFIED])).toBe("Me <me@x.test>");
  });

  it("is refused if it is the default, and the operator blocked it since [S12.2-6]", () => {
    expect(choose(undefined, [OWN, { ...BLOCKED, isDefault: true }])).toBe("SenderNotAllowed");
  });
});

describe("the fields of an identity", () => {
  const faultsOf = (name: string, address: string, replyTo: string | null) =>
    Effect.runSync(Effect.flip(checkFields(name, address, replyTo))).errors.map(({ field }) => field);

  it("are stored trimmed and in the form of header fields", () => {
    expect(Effect.runSync(checkFields(" Ann  Roe ", " ann@x.test ", " desk@x.test "))).toEqual({
      name: "Ann Roe",
      address: "ann@x.test",
      replyTo: "desk@x.test",
    });
    expect(Effect.runSync(checkFields("", "ann@x.test", null))).toEqual({
      name: "",
      address: "ann@x.test",
      replyTo: null,
    });
  });

  it("are refused with every fault", () => {
    expect(faultsOf("Ann", "ann", null)).toEqual(["address"]);
    expect(faultsOf("A\nB", "ann@x.test", null)).toEqual(["name"]);
    expect(faultsOf("Ann", "ann@x.test", "desk")).toEqual(["replyTo"]);
    expect(faultsOf("A\nB", "ann@x.test", "desk")).toEqual(["name", "replyTo"]);
  });

  const before = identity({
    name: "Ann",
    replyTo: "desk@x.test",
    signatureText: "A",
    signatureHtml: "<b>A</b>",
    isDefault: true,
  });
  const change = (fields: Parameters<typeof changeFields>[1]) => Effect.runSync(changeFields(before, fields));

  it("stay as they are unless a client changes them", () => {
    expect(change({})).toEqual(before);
    expect(change({ name: "Bea" })).toEqual({ ...before, name: "Bea" });
    expect(change({ replyTo: "new@x.test" })).toEqual({ ...before, replyTo: "new@x.test" });
    expect(change({ replyTo: null })).toEqual({ ...before, replyTo: null });
    expect(change({ signatureText: "" })).toEqual({ ...before, signatureText: "" });
    expect(change({ signatureHtml: "" })).toEqual({ ...before, signatureHtml: "" });
    expect(change({ isDefault: false })).toEqual({ ...before, isDefault: false });
  });

  it("are empty in a new alias, which is no default", () => {
    const own = { name: "", address: "a@x.test", replyTo: null };
    expect(newIdentity({ address: "a@x.test" }, own)).toEqual({
      ...own,
      signatureText: "",
      signatureHtml: "",
      isDefault: false,
    });
    expect(newIdentity({ address: "a@x.test", signatureText: "A", signatureHtml: "B", isDefault: true }, own)).toEqual({
      ...own,
      signatureText: "A",
      signatureHtml: "B",
      isDefault: true,
    });
  });

  it("are shown with whether the address is verified, and without its link", () => {
    expect(viewOf(OWN).verified).toBe(true);
    expect(viewOf(UNVERIFIED)).toEqual({
      id: "id_new",
      name: "",
      address: "new@x.test",
      replyTo: null,
      signatureText: "",
      signatureHtml: "",
      isDefault: false,
      verified: false,
    });
  });

  it("are not changed by an agent with a policy, which a new sender would widen [S13.1-7]", () => {
    const check = (policy: SendPolicy | null) =>
      Effect.runSync(
        Effect.result(Effect.provideService(checkIdentity({ name: "Ann" }), ActingAgent, { policy } as Agent)),
      )._tag;
    expect(check({ to: [], approval: "always" })).toBe("Failure");
    expect(check(null)).toBe("Success");
  });
});
