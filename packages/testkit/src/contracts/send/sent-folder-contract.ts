import { assert, layer } from "@effect/vitest";
import { type AccountId, StoreUnavailable } from "@postern/core/shared";
import type { CredentialVault } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MessageReader } from "@postern/core/messages";
import { SentFolder } from "@postern/core/send";
import { Effect, type Layer, Stream } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

/** The contract of `SentFolder` (spec 6): one copy of each message, marked as read. */
export const sentFolderContract = <E>(
  name: string,
  ports: Layer.Layer<SentFolder | MailboxTree | MessageReader | CredentialVault | MailServerControl, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const message = (messageId: string) =>
      Stream.fromIterable([`Message-ID: ${messageId}\r\nSubject: x\r\n\r\n`, "Hi\r\n.\r\nthere\r\n"]).pipe(
        Stream.map((text) => new Uint8Array(Buffer.from(text))),
      );
    const keep = Effect.fnUntraced(function* (account: AccountId, messageId: string, absentUntil = 0) {
      yield* (yield* SentFolder).keep(account, messageId, message(messageId), absentUntil);
    });
    const folder = Effect.fnUntraced(function* (account: AccountId) {
      const listed = yield* (yield* MailboxTree).list(account);
      return listed.find(({ role }) => role === "sent") ?? assert.fail("no Sent");
    });
    const sent = (account: AccountId) => Effect.map(folder(account), ({ status }) => status);
    /** Stores a message like the server or another client. */
    const putThere = Effect.fnUntraced(function* (account: AccountId, messageId: string) {
      const { path } = yield* folder(account);
      yield* (yield* MailServerControl).append(account, path, `Message-ID: ${messageId}\r\n\r\nHi\r\n`);
    });
    const NO_DEADLINE = Number.MAX_SAFE_INTEGER;

    it.effect("stores a message once and as read, however often it is given [S6.6-1]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        for (const messageId of ["<one@x.test>", "<two@x.test>", "<one@x.test>", "<one@x.test>"]) {
          yield* keep(account, messageId);
        }
        assert.deepInclude(yield* sent(account), { total: 2, unread: 0 });
      }),
    );

    it.effect("stores a copy without searching for one first `absentUntil`, and never twice after it", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        for (const messageId of ["<one@x.test>", "<two@x.test>", "<three@x.test>"]) {
          yield* keep(account, messageId, NO_DEADLINE);
          yield* keep(account, messageId);
        }
        assert.deepInclude(yield* sent(account), { total: 3, unread: 0 });
      }),
    );

    it.effect("searches for copies by others after `absentUntil` [S6.6-1]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* putThere(account, "<one@x.test>");
        for (const absentUntil of [0, 1]) yield* keep(account, "<one@x.test>", absentUntil);
        assert.deepInclude(yield* sent(account), { total: 1, unread: 1 });
      }),
    );

    it.effect("makes no copy on a server known to make copies itself", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* putThere(account, "<one@x.test>");
        yield* keep(account, "<one@x.test>", NO_DEADLINE);
        yield* putThere(account, "<two@x.test>");
        yield* keep(account, "<two@x.test>", NO_DEADLINE);
        assert.deepInclude(yield* sent(account), { total: 2, unread: 2 });
      }),
    );

    it.effect("does not conclude that the server makes no copies if the copy found may be our own", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* putThere(account, "<one@x.test>");
        yield* keep(account, "<one@x.test>");
        yield* putThere(account, "<two@x.test>");
        yield* keep(account, "<two@x.test>", NO_DEADLINE);
        assert.deepInclude(yield* sent(account), { total: 2, unread: 2 });
      }),
    );

    it.effect("skips the search before `absentUntil` on a server known to make no copies", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* keep(account, "<one@x.test>", NO_DEADLINE);
        yield* keep(account, "<two@x.test>");
        // The port trusts the caller's `absentUntil`.
        yield* keep(account, "<two@x.test>", NO_DEADLINE);
        assert.deepInclude(yield* sent(account), { total: 3 });
      }),
    );

    it.effect("stores the bytes unchanged, and does not read a message that is stored already", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* keep(account, "<one@x.test>");
        const { path, status } = yield* folder(account);
        const place = { path, uidValidity: status!.uidValidity, uid: (status!.uidNext ?? 2) - 1 };
        const raw = (stream: Stream.Stream<Uint8Array, unknown>) =>
          Effect.map(Stream.runCollect(stream), (pieces) => Buffer.concat([...pieces]).toString());
        const kept = yield* (yield* MessageReader).bytes(account, place, "raw");
        assert.strictEqual(yield* raw(kept), yield* raw(message("<one@x.test>")));
        yield* (yield* SentFolder).keep(account, "<one@x.test>", Stream.die("it was read"), 0);
      }),
    );

    it.effect("stores nothing of a message that cannot be read to its end, and stores all of it on a later try", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const broken = Stream.concat(message("<one@x.test>"), Stream.fail(new StoreUnavailable({ detail: "down" })));
        const failure = yield* errorOf((yield* SentFolder).keep(account, "<one@x.test>", broken, NO_DEADLINE));
        assert.strictEqual(failure._tag, "StoreUnavailable");
        assert.deepInclude(yield* sent(account), { total: 0 });
        yield* keep(account, "<one@x.test>", NO_DEADLINE);
        assert.deepInclude(yield* sent(account), { total: 1 });
      }),
    );

    it.effect("fails if the stored credential is rejected", () =>
      Effect.gen(function* () {
        const { account } = yield* (yield* MailServerControl).newAccount;
        assert.strictEqual((yield* errorOf(keep(account, "<one@x.test>")))._tag, "MailboxCredentialsRejected");
      }),
    );

    it.effect("distinguishes similar Message-IDs", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const ids = ["<a@x.test>", "<aa@x.test>", "<a@x.test.org>", '<q"uo\\te@x.test>', "<*%@x.test>"];
        for (const messageId of [...ids, ...ids]) yield* keep(account, messageId);
        assert.deepInclude(yield* sent(account), { total: ids.length });
      }),
    );

    it.effect("separates accounts", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* signedInAccount, yield* signedInAccount];
        yield* keep(one.account, "<same@x.test>");
        yield* keep(other.account, "<same@x.test>");
        for (const { account } of [one, other]) assert.deepInclude(yield* sent(account), { total: 1 });
      }),
    );
  });
