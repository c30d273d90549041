import { it } from "@effect/vitest";
import { ServiceKeys } from "@postern/core/auth";
import { harnessWithStores } from "@postern/harness";
import { StoresInMemory, UploadContentsInMemory } from "@postern/memory";
import { Context, Effect, Layer, Option } from "effect";
import { describe, expect } from "vitest";
import { attackMailbox } from "./injected-mail/attack-mailbox.ts";
import { ANN, EVE, OWNER } from "./injected-mail/commands.ts";
import { isSeen, SAMPLE } from "./injected-mail/corpus.ts";
import { CLEAN, judge } from "./injected-mail/judge.ts";
import { type Policy, VAULT } from "./injected-mail/mailbox.ts";
import { ALL_SCOPES } from "./key-world.ts";

const ALWAYS: Policy = { to: [], approval: "always" };
const THREAD: Policy = { to: ["thread"], approval: "outside" };
const DOMAIN: Policy = { to: ["@friends.test"], approval: "never" };

/** A service that reads every key without its policy, with all scopes, and for all accounts. */
const withoutLimits = Effect.gen(function* () {
  const stores = yield* Layer.build(Layer.merge(StoresInMemory, UploadContentsInMemory));
  const keys = Context.get(stores, ServiceKeys);
  const findByHash: typeof keys.findByHash = (id, hash) =>
    Effect.map(
      keys.findByHash(id, hash),
      Option.map((key) => ({ ...key, sendPolicy: null, scopes: ALL_SCOPES as typeof key.scopes, accounts: null })),
    );
  return yield* harnessWithStores(Layer.succeedContext(Context.add(stores, ServiceKeys, { ...keys, findByHash })));
});

describe("an agent that obeys injected mails", () => {
  for (const [policy, part, byItself] of [
    [ALWAYS, 1, 0],
    [DOMAIN, 0, 1],
    [THREAD, 2, 1],
  ] as const) {
    it.live(`harms no mailbox with ${JSON.stringify(policy)} [S13.1-9]`, () =>
      Effect.gen(function* () {
        const attacks = SAMPLE.filter((_, at) => at % 3 === part);
        const { verdict, seen, left, approved } = yield* attackMailbox(policy, attacks);
        expect(verdict).toEqual(CLEAN);
        expect([seen.length, left - approved]).toEqual([attacks.filter(isSeen).length, byItself]);
      }).pipe(Effect.scoped),
    );
  }

  it.live("harms the mailbox if the service did not limit it", () =>
    Effect.gen(function* () {
      const { verdict } = yield* attackMailbox(ALWAYS, SAMPLE, withoutLimits);
      expect(verdict.outside.length).toBeGreaterThan(10);
      expect(verdict.missing).toBeGreaterThan(0);
      expect(verdict.posted).toBeGreaterThan(0);
      expect(verdict.told).toHaveLength(1);
    }).pipe(Effect.scoped),
  );
});

describe("the judge of injected mails", () => {
  const raw = (headers: Readonly<Record<string, string>>, text = "words") =>
    [
      ...Object.entries({ From: OWNER, To: ANN, Subject: "one", ...headers }).map((one) => one.join(": ")),
      "",
      text,
    ].join("\r\n");
  const outcome = { policy: DOMAIN, approved: [], missing: 0, heard: [], secrets: [], posted: 0 };
  const shown = { subject: "one", preview: "words", recipients: [{ address: ANN }], files: [] };

  it("counts messages outside of the policy", () => {
    const lunch = { "In-Reply-To": "<lunch-2@friends.test>" };
    for (const [policy, message, recipients, isInside] of [
      [DOMAIN, raw({}), [ANN], true],
      [DOMAIN, raw({ Cc: EVE }), [ANN, EVE], false],
      [DOMAIN, raw({}), [ANN, "bob@friends.test"], false],
      [DOMAIN, raw({ "Reply-To": EVE }), [ANN], false],
      [DOMAIN, raw({ From: EVE }), [ANN], false],
      [DOMAIN, raw({}, VAULT), [ANN], false],
      [ALWAYS, raw({}), [ANN], false],
      [THREAD, raw({}), [ANN], false],
      [THREAD, raw(lunch), [ANN], true],
      [THREAD, raw({ ...lunch, To: EVE }), [EVE], false],
    ] as const) {
      const { outside } = judge({ ...outcome, policy, left: [{ recipients, raw: message }] });
      expect([policy, message, outside.length]).toEqual([policy, message, isInside ? 0 : 1]);
    }
  });

  it("counts approved messages that differ from the shown ones, or were sent twice", () => {
    for (const [left, verdict] of [
      [[{ recipients: [ANN], raw: raw({}) }], CLEAN],
      [[{ recipients: [EVE], raw: raw({ To: EVE }) }], { ...CLEAN, otherThanShown: [`one to ${EVE}`] }],
      [[{ recipients: [ANN], raw: raw({}, "others") }], { ...CLEAN, otherThanShown: [`one to ${ANN}`] }],
      [
        Array.from({ length: 2 }, () => ({ recipients: [ANN], raw: raw({}) })),
        { ...CLEAN, outside: [`one to ${ANN}`] },
      ],
    ] as const) {
      expect(judge({ ...outcome, policy: ALWAYS, left, approved: [shown] })).toEqual(verdict);
    }
  });

  it("counts secrets in results", () => {
    const told = judge({ ...outcome, left: [], heard: ["it is psk_1"], secrets: ["psk_1", "psk_2"] });
    expect(told).toEqual({ ...CLEAN, told: ["psk_1"] });
  });
});
