import { assert, layer } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import { type DraftMark, DraftsFolder, writeMark } from "@postern/core/drafts";
import { MailboxTree } from "@postern/core/folders";
import { MessageReader } from "@postern/core/messages";
import { DRAFT_HEADER } from "@postern/core/send";
import { type AccountId, StoreUnavailable } from "@postern/core/shared";
import { Effect, type Layer, Stream } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

const rawOf = (mark: DraftMark, subject = "x") =>
  `${DRAFT_HEADER}: ${writeMark(mark)}\r\nSubject: ${subject}\r\nBcc: h@y.test\r\n\r\nHi\r\n`;

const bytes = (raw: string) => Stream.make(new Uint8Array(Buffer.from(raw)));

/** The contract of `DraftsFolder` (spec 12.1). */
export const draftsFolderContract = <E>(
  name: string,
  ports: Layer.Layer<DraftsFolder | MailboxTree | MessageReader | CredentialVault | MailServerControl, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const append = Effect.fnUntraced(function* (account: AccountId, mark: DraftMark, subject?: string) {
      return yield* (yield* DraftsFolder).append(account, mark, bytes(rawOf(mark, subject)));
    });
    const pathOf = Effect.fnUntraced(function* (account: AccountId) {
      const listed = yield* (yield* MailboxTree).list(account);
      return listed.find(({ role }) => role === "drafts")?.path ?? assert.fail("no Drafts");
    });

    it.effect("stores a copy as a read draft and returns its place [S12.1-1]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const mark = { draftId: "dft_One-1", token: "a" };
        const place = yield* append(account, mark, "first");
        assert.strictEqual(place.path, yield* pathOf(account));
        const listing = (yield* (yield* DraftsFolder).list(account, 10)) ?? assert.fail("no Drafts");
        assert.strictEqual(listing.uidValidity, place.uidValidity);
        assert.deepStrictEqual(
          listing.copies.map((copy) => [copy.uid, copy.mark]),
          [[place.uid, mark]],
        );
        assert.deepInclude(listing.copies[0]!.summary, { subject: "first", draft: true, unread: false });
        const raw = yield* Stream.runCollect(yield* (yield* MessageReader).bytes(account, place, "raw"));
        assert.strictEqual(Buffer.concat([...raw]).toString(), rawOf(mark, "first"));
      }),
    );

    it.effect("finds the copies of one draft, and the message at a UID, by exact ids", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const folder = yield* DraftsFolder;
        const control = yield* MailServerControl;
        assert.deepStrictEqual((yield* folder.find(account, "dft_a", 1))?.copies, []);
        const first = yield* append(account, { draftId: "dft_a", token: "1" });
        yield* append(account, { draftId: "dft_ab", token: "1" });
        const second = yield* append(account, { draftId: "dft_a", token: "2" });
        const foreign = yield* control.append(account, first.path, "Subject: y\r\n\r\nHi\r\n");
        const found = yield* folder.find(account, "dft_a", foreign);
        assert.deepStrictEqual(found?.copies, [
          { uid: first.uid, mark: { draftId: "dft_a", token: "1" } },
          { uid: second.uid, mark: { draftId: "dft_a", token: "2" } },
          { uid: foreign, mark: null },
        ]);
        yield* control.expunge(account, first.path, [first.uid, foreign]);
        assert.deepStrictEqual((yield* folder.find(account, "dft_a", foreign))?.copies, [
          { uid: second.uid, mark: { draftId: "dft_a", token: "2" } },
        ]);
      }),
    );

    it.effect("reads the mark from a header field that another client folded", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const path = yield* pathOf(account);
        const id = `dft_${"x".repeat(60)}`;
        const uid = yield* (yield* MailServerControl).append(
          account,
          path,
          `${DRAFT_HEADER}:\r\n ${id}\r\n t1\r\nSubject: y\r\n\r\nHi\r\n`,
        );
        const found = yield* (yield* DraftsFolder).find(account, id, null);
        assert.deepStrictEqual(found?.copies, [{ uid, mark: { draftId: id, token: "t1" } }]);
      }),
    );

    it.effect("lists the newest messages, and says whether there are older ones [S12.1-5]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const folder = yield* DraftsFolder;
        const uids: Array<number> = [];
        for (const token of ["1", "2", "3"]) uids.push((yield* append(account, { draftId: "dft_a", token })).uid);
        const some = yield* folder.list(account, 2);
        assert.deepStrictEqual(
          some?.copies.map(({ uid }) => uid),
          uids.slice(1),
        );
        assert.deepInclude(some, { isPartial: true });
        assert.deepInclude(yield* folder.list(account, 3), { isPartial: false });
      }),
    );

    it.effect("stores nothing of a message that cannot be read to its end", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const folder = yield* DraftsFolder;
        const mark = { draftId: "dft_a", token: "1" };
        const broken = Stream.concat(bytes(rawOf(mark)), Stream.fail(new StoreUnavailable({ detail: "down" })));
        assert.strictEqual((yield* errorOf(folder.append(account, mark, broken)))._tag, "StoreUnavailable");
        assert.deepStrictEqual((yield* folder.list(account, 10))?.copies, []);
      }),
    );

    it.effect("fails if the stored credential is rejected", () =>
      Effect.gen(function* () {
        const { account } = yield* (yield* MailServerControl).newAccount;
        const folder = yield* DraftsFolder;
        const mark = { draftId: "dft_a", token: "1" };
        const calls = [
          Effect.asVoid(folder.list(account, 1)),
          Effect.asVoid(folder.find(account, "dft_a", null)),
          Effect.asVoid(folder.append(account, mark, bytes(rawOf(mark)))),
        ];
        for (const call of calls) {
          assert.strictEqual((yield* errorOf(call))._tag, "MailboxCredentialsRejected");
        }
      }),
    );
  });
