import { assert, layer } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import { InboxWatch, matchFingerprints, MessageFingerprints } from "@postern/core/watch";
import { Effect, type Layer } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { crlfLines } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

/** The contract of `MessageFingerprints` (spec 7). */
export const messageFingerprintsContract = <E>(
  name: string,
  ports: Layer.Layer<MessageFingerprints | InboxWatch | MailServerControl | CredentialVault, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const AT = 1_790_000_000_000;
    const raw = (n: number) => crlfLines(`Message-ID: <m${n}@example.org>`, `Subject: ${"x".repeat(n)}`, "", "Text");
    const sizes = (...wanted: ReadonlyArray<number>) => wanted.map((n) => raw(n).length);
    /** An account with three messages in INBOX, with their UIDs and the sizes in their fingerprints. */
    const world = Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const control = yield* MailServerControl;
      const uids = yield* Effect.forEach([1, 2, 3], (n) =>
        control.append(account, "INBOX", raw(n), { arrivedAt: AT + n * 1_000 }),
      );
      const fingerprints = yield* MessageFingerprints;
      const found = (wanted: Parameters<typeof fingerprints.of>[2]) =>
        Effect.map(fingerprints.of(account, "INBOX", wanted), ({ messages }) =>
          messages.map(({ size }) => size).toSorted((one, other) => one - other),
        );
      return { account, control, uids, fingerprints, found };
    });

    it.effect("tells messages apart by EMAILID or Message-ID, size and arrival", () =>
      Effect.gen(function* () {
        const { account, uids, fingerprints } = yield* world;
        const { uidValidity, messages } = yield* fingerprints.of(account, "INBOX", [uids[1]!]);
        const [found, ...more] = messages;
        assert.deepStrictEqual(more, []);
        assert.deepInclude(found, { uid: uids[1]!, size: raw(2).length, arrivedAt: AT + 2_000 });
        assert.strictEqual(
          uidValidity,
          (yield* (yield* InboxWatch).readPresent(account, "request")).cursor.uidValidity,
        );
        if (found!.emailId === null) assert.strictEqual(found!.messageId, "<m2@example.org>");
      }),
    );

    it.effect("returns the UIDs that are present, or all up to one, or all from one on", () =>
      Effect.gen(function* () {
        const { account, control, uids, found } = yield* world;
        const [first, second, third] = uids as [number, number, number];
        assert.deepStrictEqual(yield* found([]), []);
        assert.deepStrictEqual(yield* found([first, third, third + 50]), sizes(1, 3));
        assert.deepStrictEqual(yield* found({ upTo: second }), sizes(1, 2));
        assert.deepStrictEqual(yield* found({ from: second }), sizes(2, 3));
        assert.deepStrictEqual(yield* found({ from: third + 1 }), []);
        yield* control.expunge(account, "INBOX", [first]);
        assert.deepStrictEqual(yield* found([first, second]), sizes(2));
        assert.deepStrictEqual(yield* found({ upTo: first }), []);
      }),
    );

    it.effect("agrees with the fingerprints of the watched inbox", () =>
      Effect.gen(function* () {
        const { account, uids, fingerprints } = yield* world;
        const inbox = yield* (yield* InboxWatch).open(account, "watch");
        const described = yield* inbox.describe(uids);
        const { messages: same } = yield* fingerprints.of(account, "INBOX", uids);
        assert.deepStrictEqual(matchFingerprints(described, same), { unseen: [], missing: [] });
        const [, second] = same.toSorted((one, other) => one.size - other.size);
        assert.strictEqual(matchFingerprints(described, [second!]).unseen.length, 2);
      }).pipe(Effect.scoped),
    );

    it.effect("fails for a mailbox that does not exist", () =>
      Effect.gen(function* () {
        const { account, fingerprints } = yield* world;
        for (const uids of [[1], [], { upTo: 9 }, { from: 1 }]) {
          assert.strictEqual((yield* errorOf(fingerprints.of(account, "None", uids)))._tag, "FolderNotFound");
        }
      }),
    );
  });
