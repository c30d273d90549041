import { it } from "@effect/vitest";
import { Duration, Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { type Account, AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { AuditTrail } from "../../src/audit/index.ts";
import { CredentialVault } from "../../src/auth/index.ts";
import { Creations } from "../../src/creations/index.ts";
import { addressKey, MailboxCredentialsRejected } from "../../src/mail/index.ts";
import {
  Identities,
  type Identity,
  type IdentityRecord,
  IdentityRecords,
  MAIL_RETRIES,
  OutgoingJournal,
  type OutgoingContents,
  type OutgoingMessage,
  SendQuotas,
  SendSettings,
  senderPolicyOf,
  UNUSED_QUOTA,
  type SendQuota,
  type SenderPolicy,
} from "../../src/send/index.ts";
import { AccountId, Entropy } from "../../src/shared/index.ts";
import { noTransaction, numberedIds, readableHashes, readableIds } from "../doubles.ts";

const ME = AccountId("me@x.test");
const OWN = `acc_${ME}`;
const NOW = 1_900_000_000_000;
const WEEK = Duration.toMillis("7 days");

/** The senders of one account, with the verification mails. */
const world = (
  more: { readonly aliases?: "verified" | "any"; readonly noticesFrom?: string; readonly isOnline?: boolean } = {},
) => {
  const state = {
    account: { ...newAccount(ME, 0), name: "Me" } as Account,
    records: [] as Array<IdentityRecord>,
    mails: [] as Array<{ readonly message: OutgoingMessage; readonly contents: OutgoingContents }>,
    quota: UNUSED_QUOTA as SendQuota,
    /** Whether the account was removed. */
    isRemoved: false,
    /** Runs as another request that commits before this one gets its lock. */
    beforeLock: () => {},
  };
  const entropy = Effect.runSync(Effect.provide(Entropy, numberedIds));
  const replace = (record: IdentityRecord) => {
    state.records = state.records.map((one) => (one.id === record.id ? record : one));
  };
  const layer = Identities.layer.pipe(
    Layer.provide([
      Layer.mock(IdentityRecords, {
        list: () => Effect.sync(() => state.records),
        insert: (record) =>
          Effect.sync(() => {
            if (state.records.some(({ address }) => addressKey(address) === addressKey(record.address))) return false;
            state.records = [...state.records, record];
            return true;
          }),
        update: (record) => Effect.sync(() => replace(record)),
        remove: (_, id) =>
          Effect.sync(() => {
            const before = state.records.length;
            state.records = state.records.filter((one) => one.id !== id);
            return state.records.length < before;
          }),
        ofVerification: (hash) =>
          Effect.sync(() => Option.fromUndefinedOr(state.records.find((one) => one.verification?.hash === hash))),
      }),
      Layer.mock(Creations, {
        once: (_, __, create) => create({ begin: () => Effect.void, complete: () => Effect.void }),
      }),
      Layer.mock(AccountDirectory, {
        find: () => Effect.sync(() => Option.some(state.account)),
        change: (_, decide) =>
          Effect.sync(() => {
            state.beforeLock();
            if (state.isRemoved) return Option.none();
            const [answer, after] = decide(state.account);
            state.account = after;
            return Option.some(answer);
          }),
      }),
      Layer.mock(CredentialVault, {
        version: () => (more.isOnline === false ? new MailboxCredentialsRejected() : Effect.succeed(1)),
      }),
      Layer.mock(OutgoingJournal, {
        insert: (message, contents) => Effect.sync(() => (state.mails.push({ message, contents }), undefined as never)),
      }),
      Layer.mock(SendQuotas, {
        modify: (_, change) => Effect.map(Effect.fromResult(change(state.quota)), (quota) => (state.quota = quota)),
      }),
      Layer.succeed(SendSettings, {
        rates: { perMinute: 100, perDay: 100 },
        retries: MAIL_RETRIES,
        policy: senderPolicyOf(["blocked@x.test", "@evil.test"]) as SenderPolicy,
        aliases: more.aliases ?? "verified",
        noticesFrom: more.noticesFrom ?? null,
        baseUrl: "https://mail.x.test",
      }),
      Layer.succeed(Entropy, entropy),
      readableHashes,
      readableIds,
      noTransaction,
    ]),
  );
  const run = <A, E>(use: (identities: Identities["Service"]) => Effect.Effect<A, E>) =>
    Effect.flatMap(Identities, use).pipe(Effect.provide(layer));
  const list = run((identities) => Effect.map(identities.page(ME, {}), ({ items }) => items));
  const create = (alias: Parameters<Identities["Service"]["create"]>[1], isTrusted = false) =>
    Effect.andThen(
      TestClock.setTime(NOW),
      run((identities) => identities.create(ME, alias, isTrusted)),
    );
  const change = (
    id: string,
    fields: Parameters<Identities["Service"]["change"]>[2],
    isWanted?: (one: Identity) => boolean,
  ) => run((identities) => identities.change(ME, id, fields, isWanted));
  const remove = (id: string, isWanted?: (one: Identity) => boolean) =>
    run((identities) => identities.remove(ME, id, isWanted));
  return { state, run, list, create, change, remove };
};
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);
const tokenIn = ({ contents }: { readonly contents: OutgoingContents }) => /verify\/(\S+)/.exec(contents.text!)![1]!;

describe("the senders of an account", () => {
  it.effect("are not stored if the account is removed meanwhile", () =>
    Effect.gen(function* () {
      const { state, create, change, list } = world();
      const [own] = yield* list;
      state.beforeLock = () => void (state.isRemoved = true);
      expect(yield* tagOf(create({ address: "b@y.test" }))).toBe("MailboxCredentialsRejected");
      expect(yield* tagOf(change(own!.id, { signatureText: "Me" }))).toBe("IdentityNotFound");
      expect([yield* list, state.mails]).toEqual([[own], []]);
    }),
  );

  it.effect("begin with its own address, which is the default unless an alias is", () =>
    Effect.gen(function* () {
      const { list, create, change } = world({ aliases: "any" });
      const own = {
        id: OWN,
        name: "Me",
        address: ME,
        replyTo: null,
        signatureText: "",
        signatureHtml: "",
        isDefault: true,
        verified: true,
      };
      expect(yield* list).toEqual([own]);
      const alias = yield* create({
        address: "sales@x.test",
        name: "Sales",
        signatureText: "S",
        replyTo: "desk@x.test",
      });
      expect(alias).toMatchObject({ name: "Sales", signatureText: "S", replyTo: "desk@x.test", isDefault: false });
      expect(yield* list).toEqual([own, alias]);
      yield* change(alias.id, { isDefault: true });
      expect((yield* list).map(({ isDefault }) => isDefault)).toEqual([false, true]);
      const next = yield* create({ address: "desk@x.test", isDefault: true });
      expect((yield* list).map(({ isDefault }) => isDefault)).toEqual([false, false, true]);
      yield* change(OWN, { isDefault: true });
      expect((yield* list).map(({ isDefault }) => isDefault)).toEqual([true, false, false]);
      expect((yield* list).map(({ id }) => id)).toEqual([OWN, alias.id, next.id]);
    }),
  );

  it.effect("are 100 aliases at most, each address once in any spelling", () =>
    Effect.gen(function* () {
      const { create, state } = world({ aliases: "any" });
      yield* create({ address: "a0@x.test" });
      expect(yield* tagOf(create({ address: "A0@x.test" }))).toBe("IdentityExists");
      expect(yield* tagOf(create({ address: "ME@x.test" }))).toBe("IdentityExists");
      while (state.records.length < 100) yield* create({ address: `a${state.records.length}@x.test` });
      expect(yield* tagOf(create({ address: "more@x.test" }))).toBe("TooManyIdentities");
      expect(state.records).toHaveLength(100);
    }),
  );

  it.effect("do not include addresses that the operator blocks", () =>
    Effect.gen(function* () {
      const { create, run, state } = world({ aliases: "any" });
      expect(yield* tagOf(create({ address: "blocked@x.test" }))).toBe("SenderBlocked");
      expect(yield* tagOf(create({ address: "a@evil.test" }))).toBe("SenderBlocked");
      expect(state.records).toEqual([]);
      expect((yield* run((identities) => identities.sender(ME, undefined))).from).toEqual({ name: "Me", address: ME });
      expect(yield* tagOf(run((identities) => identities.sender(ME, "other@x.test")))).toBe("SenderNotAllowed");
    }),
  );
});

describe("an alias", () => {
  it.effect("is verified by a link in a mail to it, for a week", () =>
    Effect.gen(function* () {
      const { state, run, list, create } = world();
      const alias = yield* create({ address: "sales@x.test" });
      expect(alias.verified).toBe(false);
      const [mail] = state.mails;
      expect(mail!.message).toMatchObject({
        id: `out_verify_${alias.id}`,
        account: ME,
        kind: "notice",
        from: ME,
        to: ["sales@x.test"],
        createdAt: NOW,
        attemptAt: NOW,
      });
      expect(mail!.contents).toMatchObject({
        from: { name: "Me", address: ME },
        headers: [["Auto-Submitted", "auto-generated"]],
      });
      expect(mail!.contents.text).toContain("https://mail.x.test/verify/");
      expect([state.quota.day.used, state.quota.minute.used]).toEqual([1, 1]);
      const token = tokenIn(mail!);
      const verify = (link: string) => run((identities) => identities.verify(link));
      const addressOf = (link: string) => run((identities) => identities.addressOfLink(link));
      expect(yield* addressOf("other")).toEqual(Option.none());
      yield* TestClock.setTime(NOW + WEEK - 1);
      expect(yield* addressOf(token)).toEqual(Option.some("sales@x.test"));
      expect((yield* list)[1]?.verified).toBe(false);
      yield* TestClock.setTime(NOW + WEEK);
      expect([yield* addressOf(token), yield* verify(token)]).toEqual([Option.none(), Option.none()]);
      yield* TestClock.setTime(NOW + 1);
      expect(yield* verify(token)).toEqual(Option.some("sales@x.test"));
      expect((yield* list)[1]?.verified).toBe(true);
      expect(yield* verify(token)).toEqual(Option.none());
    }),
  );

  it.effect("is mailed from the address of notices, if there is one", () =>
    Effect.gen(function* () {
      const { state, create } = world({ noticesFrom: "notices@x.test" });
      yield* create({ address: "sales@x.test" });
      expect(state.mails[0]!.contents.from).toEqual({ name: "Postern", address: "notices@x.test" });
    }),
  );

  it.effect("keeps concurrent changes while its link is opened, and stays deleted", () =>
    Effect.gen(function* () {
      const { state, create, list, run } = world();
      yield* create({ name: "Sales", address: "sales@x.test" });
      yield* create({ address: "gone@x.test" });
      const [sales, gone] = state.mails.map(tokenIn);
      state.beforeLock = () => (state.records = state.records.map((one) => ({ ...one, name: "Sales team" })));
      yield* run((identities) => identities.verify(sales!));
      expect((yield* list)[1]).toMatchObject({ name: "Sales team", verified: true });
      state.beforeLock = () => (state.records = state.records.filter(({ address }) => address !== "gone@x.test"));
      expect(yield* run((identities) => identities.verify(gone!))).toEqual(Option.none());
      expect(yield* list).toHaveLength(2);
    }),
  );

  it.effect("is verified at once if it is trusted, or where the mail server decides", () =>
    Effect.gen(function* () {
      const trusting = world({ isOnline: false });
      expect((yield* trusting.create({ address: "a@x.test", isDefault: true }, true)).verified).toBe(true);
      expect(trusting.state.mails).toEqual([]);
      const { state, create } = world({ aliases: "any", isOnline: false });
      expect((yield* create({ address: "a@x.test", isDefault: true })).isDefault).toBe(true);
      expect([state.mails, state.quota]).toEqual([[], UNUSED_QUOTA]);
    }),
  );

  it.effect("that is not verified is no default, and needs an account that can send the mail", () =>
    Effect.gen(function* () {
      const { create, change, state } = world();
      expect(yield* tagOf(create({ address: "a@x.test", isDefault: true }))).toBe("IdentityUnverified");
      const { id } = yield* create({ address: "a@x.test" });
      expect(yield* tagOf(change(id, { isDefault: true }))).toBe("IdentityUnverified");
      expect((yield* change(id, { isDefault: false, name: "A" })).name).toBe("A");
      expect(state.records).toHaveLength(1);
      expect(yield* tagOf(world({ isOnline: false }).create({ address: "a@x.test" }))).toBe(
        "MailboxCredentialsRejected",
      );
    }),
  );

  it.effect("counts as a sent message, and is not added if the sending rate is used up", () =>
    Effect.gen(function* () {
      const { state, create } = world();
      state.quota = { minute: { startedAt: NOW, used: 100 }, day: { startedAt: NOW, used: 99 } };
      expect(yield* tagOf(create({ address: "a@x.test" }))).toBe("SendRateExceeded");
      expect(state.mails).toEqual([]);
    }),
  );
});

describe("a change of a sender", () => {
  it.effect("of the account's own address stores it once, and names the account", () =>
    Effect.gen(function* () {
      const { state, change, list } = world();
      yield* TestClock.setTime(NOW);
      expect((yield* change(OWN, { name: " New  Me ", signatureText: "S" })).name).toBe("New Me");
      expect(state.account.name).toBe("New Me");
      yield* TestClock.setTime(NOW + 5);
      yield* change(OWN, { signatureText: "T" });
      expect(state.records.map(({ id, createdAt, signatureText }) => [id, createdAt, signatureText])).toEqual([
        [OWN, NOW, "T"],
      ]);
      expect((yield* list).map(({ name, isDefault }) => [name, isDefault])).toEqual([["New Me", true]]);
    }),
  );

  it.effect("of an alias does not name the account", () =>
    Effect.gen(function* () {
      const { state, create, change } = world({ aliases: "any" });
      const { id } = yield* create({ address: "a@x.test" });
      yield* change(id, { name: "Alias" });
      expect([state.account.name, state.records[0]?.name]).toEqual(["Me", "Alias"]);
    }),
  );

  it.effect("and a deletion need the version that the client saw", () =>
    Effect.gen(function* () {
      const { create, change, remove, state } = world({ aliases: "any" });
      const { id } = yield* create({ address: "a@x.test", name: "A" });
      const isA = ({ name }: Identity) => name === "A";
      expect((yield* change(id, { name: "B" }, isA)).name).toBe("B");
      expect(yield* tagOf(change(id, { name: "C" }, isA))).toBe("IdentityChanged");
      expect(yield* tagOf(change("idn_none", { name: "C" }))).toBe("IdentityNotFound");
      expect(yield* tagOf(remove(id, isA))).toBe("IdentityChanged");
      expect(yield* tagOf(remove("idn_none", isA))).toBe("IdentityNotFound");
      expect(yield* tagOf(remove(OWN))).toBe("IdentityOwn");
      const recorded: Array<unknown> = [];
      yield* Effect.provideService(
        remove(id, ({ name }) => name === "B"),
        AuditTrail,
        (operation, { account, target }) => Effect.sync(() => void recorded.push([operation, account, target])),
      );
      expect(state.records).toEqual([]);
      expect(recorded).toEqual([["identities.remove", ME, id]]);
      expect(yield* tagOf(change(OWN, { signatureText: "x".repeat(100_000) }))).toBe("InputInvalid");
    }),
  );
});
