import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import type { CredentialVault } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { SentFolder } from "@postern/core/send";
import { Effect, type Layer, Stream } from "effect";
import { signedInAccount } from "../mail-account.ts";
import type { MailServerControl } from "../MailServerControl.ts";

/** What every SentFolder does (spec 6): one copy of each message, as read. */
export const sentFolderContract = <E>(
  name: string,
  ports: Layer.Layer<SentFolder | MailboxTree | CredentialVault | MailServerControl, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const message = (messageId: string) =>
      Stream.fromIterable([`Message-ID: ${messageId}\r\nSubject: x\r\n\r\n`, "Hi\r\n.\r\nthere\r\n"]).pipe(
        Stream.map((text) => new Uint8Array(Buffer.from(text))),
      );
    const keep = Effect.fnUntraced(function* (account: AccountId, messageId: string, absentUntil = 0) {
      yield* (yield* SentFolder).keep(account, messageId, message(messageId), absentUntil);
    });
    const sent = Effect.fnUntraced(function* (account: AccountId) {
      const listed = yield* (yield* MailboxTree).list(account);
      return listed.find(({ role }) => role === "sent")?.status;
    });

    it.effect("takes a message in once, however often it is given, and as read", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        for (const messageId of ["<one@x.test>", "<two@x.test>", "<one@x.test>", "<one@x.test>"]) {
          yield* keep(account, messageId);
        }
        assert.deepInclude(yield* sent(account), { total: 2, unread: 0 });
      }),
    );

    it.effect("takes in what nobody can have put there, and never twice once that is over", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const ever = Number.MAX_SAFE_INTEGER;
        for (const messageId of ["<one@x.test>", "<two@x.test>", "<three@x.test>"]) {
          yield* keep(account, messageId, ever);
          yield* keep(account, messageId);
        }
        assert.deepInclude(yield* sent(account), { total: 3, unread: 0 });
      }),
    );

    it.effect("takes no other Message-ID for the same one", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const ids = ["<a@x.test>", "<aa@x.test>", "<a@x.test.org>", '<q"uo\\te@x.test>', "<*%@x.test>"];
        for (const messageId of [...ids, ...ids]) yield* keep(account, messageId);
        assert.deepInclude(yield* sent(account), { total: ids.length });
      }),
    );

    it.effect("holds accounts apart", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* signedInAccount, yield* signedInAccount];
        yield* keep(one.account, "<same@x.test>");
        yield* keep(other.account, "<same@x.test>");
        for (const { account } of [one, other]) assert.deepInclude(yield* sent(account), { total: 1 });
      }),
    );
  });
