import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import type { MessageSummary } from "@postern/core/mail";
import type { CredentialVault } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader, MessageChanges } from "@postern/core/messages";
import { Effect, type Layer } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { plainMessage } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

/**
 * The contract of `MessageChanges` (spec 5), on a server that reports the UIDs of copies. `longKeywords`: the server
 * accepts keywords of more than 50 bytes, unlike Dovecot. `folds`: the letters whose case the server ignores.
 */
export const messageChangesContract = <E>(
  name: string,
  ports: Layer.Layer<MessageChanges | MailboxReader | MailboxTree | CredentialVault | MailServerControl, E>,
  { longKeywords = false, folds = "all" }: { readonly longKeywords?: boolean; readonly folds?: "all" | "ascii" } = {},
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const view = (account: AccountId, path: string) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { uidValidity, total, messages } = yield* (yield* MailboxReader).view(account, path);
          return { uidValidity, messages: yield* messages(1, total) };
        }),
      );
    const flagsOf = ({ unread, flagged, answered }: MessageSummary) => [unread, flagged, answered];
    /** Four messages in INBOX, the second one read, with their locations. */
    const start = Effect.gen(function* () {
      const control = yield* MailServerControl;
      const { account } = yield* signedInAccount;
      const uids: Array<number> = [];
      for (const n of [1, 2, 3, 4]) {
        const flags = n === 2 ? ["\\Seen", "\\Draft"] : [];
        uids.push(
          yield* control.append(account, "INBOX", plainMessage(`m${n}`), { flags, arrivedAt: Date.UTC(2025, 0, n) }),
        );
      }
      const { uidValidity } = yield* view(account, "INBOX");
      const listed = yield* (yield* MailboxTree).list(account);
      const trash = listed.find(({ role, path }) => role === "trash" || path.endsWith("Trash"))!.path;
      const changes = yield* MessageChanges;
      return { account, control, changes, uids, trash, mailbox: { path: "INBOX", uidValidity } };
    });

    it.effect("sets flags of one message, and returns it as changed", () =>
      Effect.gen(function* () {
        const { account, control, changes, uids, mailbox } = yield* start;
        const place = { ...mailbox, uid: uids[1]! };
        const changed = yield* changes.flag(account, place, { flagged: true, unread: true });
        const { messages } = yield* view(account, "INBOX");
        assert.deepStrictEqual(changed, messages[1]);
        assert.deepStrictEqual([changed.flagged, changed.unread, changed.draft], [true, true, true]);
        assert.deepStrictEqual(yield* changes.flag(account, place, {}), changed);
        yield* control.expunge(account, "INBOX", [uids[1]!]);
        assert.strictEqual((yield* errorOf(changes.flag(account, place, { flagged: false })))._tag, "MessageNotFound");
        // The same session notices at once that another session removed a message.
        yield* changes.setFlags(account, mailbox, [uids[0]!], { flagged: true });
        yield* control.expunge(account, "INBOX", [uids[2]!]);
        const set = yield* changes.setFlags(account, mailbox, [uids[2]!, uids[0]!], { flagged: false });
        assert.sameMembers([...set], [uids[0]!]);
        const recreated = { ...place, uidValidity: place.uidValidity + 1 };
        assert.strictEqual(
          (yield* errorOf(changes.flag(account, recreated, { flagged: false })))._tag,
          "MessageNotFound",
        );
      }),
    );

    it.effect("sets and clears the given flags only", () =>
      Effect.gen(function* () {
        const { account, changes, uids, mailbox } = yield* start;
        const asked = [uids[3]!, uids[0]!, uids[1]!, uids[3]! + 50];
        const set = yield* changes.setFlags(account, mailbox, asked, { unread: false, flagged: true });
        assert.sameMembers([...set], [uids[0]!, uids[1]!, uids[3]!]);
        yield* changes.setFlags(account, mailbox, [uids[1]!], { unread: true, answered: true, flagged: false });
        const { messages } = yield* view(account, "INBOX");
        assert.deepStrictEqual(messages.map(flagsOf), [
          [false, true, false],
          [true, false, true],
          [true, false, false],
          [false, true, false],
        ]);
        assert.isTrue(messages[1]!.draft);
        assert.strictEqual((yield* changes.setFlags(account, mailbox, [uids[2]!], {})).size, 1);
        assert.strictEqual((yield* changes.setFlags(account, mailbox, [], { flagged: true })).size, 0);
      }),
    );

    it.effect("adds and removes labels without case, which move with the message [S5.5-3]", () =>
      Effect.gen(function* () {
        const { account, changes, uids, mailbox, trash } = yield* start;
        const labelsIn = (path: string) =>
          Effect.map(view(account, path), ({ messages }) => messages.map(({ labels }) => labels));
        const place = { ...mailbox, uid: uids[0]! };
        const labelled = yield* changes.flag(account, place, { addLabels: ["Kunde", "Größe", "日本", "$label1"] });
        assert.deepStrictEqual(labelled.labels, ["$label1", "Größe", "Kunde", "日本"]);
        assert.deepStrictEqual((yield* labelsIn("INBOX"))[0], labelled.labels);
        const change = {
          addLabels: ["KUNDE", "Lot"],
          removeLabels: [folds === "all" ? "GRÖßE" : "Größe", "absent"],
          flagged: true,
        };
        yield* changes.setFlags(account, mailbox, uids.slice(0, 2), change);
        assert.deepStrictEqual((yield* labelsIn("INBOX")).slice(0, 3), [
          ["$label1", "Kunde", "Lot", "日本"],
          ["Kunde", "Lot"],
          [],
        ]);
        yield* changes.flag(account, place, { removeLabels: ["kunde", "$LABEL1", "日本"] });
        yield* changes.move(account, mailbox, [uids[0]!], trash);
        assert.deepStrictEqual(yield* labelsIn(trash), [["Lot"]]);
      }),
    );

    it.effect.skipIf(longKeywords)(
      "refuses labels that the server does not take, and then changes nothing [S5.5-5]",
      () =>
        Effect.gen(function* () {
          const { account, changes, uids, mailbox } = yield* start;
          const place = { ...mailbox, uid: uids[0]! };
          const taken = yield* changes.flag(account, place, { addLabels: ["x".repeat(50)] });
          assert.deepStrictEqual(taken.labels, ["x".repeat(50)]);
          const change = { addLabels: ["Kunde", "x".repeat(64)], removeLabels: ["x".repeat(50)], flagged: true };
          const refused = yield* errorOf(changes.flag(account, place, change));
          if (refused._tag === "MessageNotFound") assert.fail();
          const [message] = (yield* view(account, "INBOX")).messages;
          if (refused._tag !== "LabelsNotSupported") return assert.fail(refused._tag);
          assert.isAtLeast(refused.detail?.length ?? 0, 5);
          assert.deepStrictEqual([message!.labels, message!.flagged], [["x".repeat(50)], false]);
        }),
    );

    it.effect("moves messages with flags and arrival times, and returns their new locations", () =>
      Effect.gen(function* () {
        const { account, control, changes, uids, mailbox, trash } = yield* start;
        yield* control.append(account, trash, plainMessage("before"));
        const moved = yield* changes.move(account, mailbox, [uids[3]!, uids[1]!, uids[3]! + 50], trash);
        assert.sameMembers(
          moved.map(({ uid }) => uid),
          [uids[1]!, uids[3]!],
        );
        const there = yield* view(account, trash);
        assert.deepStrictEqual(
          there.messages.map(({ subject }) => subject),
          ["before", "m2", "m4"],
        );
        assert.deepInclude(there.messages[1], { unread: false, draft: true, arrivedAt: Date.UTC(2025, 0, 2) });
        assert.deepStrictEqual(
          (yield* view(account, "INBOX")).messages.map(({ subject }) => subject),
          ["m1", "m3"],
        );
        for (const { uid, to } of moved) {
          const subject = uid === uids[1] ? "m2" : "m4";
          const place = there.messages.find((message) => message.subject === subject)!;
          assert.deepStrictEqual(to, { uidValidity: there.uidValidity, uid: place.uid });
        }
        assert.deepStrictEqual(yield* changes.move(account, mailbox, [uids[1]!], trash), []);
      }),
    );

    it.effect("deletes the given messages, but none that another client marked as deleted", () =>
      Effect.gen(function* () {
        const { account, control, changes, uids, mailbox } = yield* start;
        yield* control.setFlags(account, "INBOX", uids[0]!, ["\\Deleted"]);
        const gone = yield* changes.destroy(account, mailbox, [uids[2]!, uids[3]! + 50]);
        assert.deepStrictEqual([...gone], [uids[2]!]);
        assert.deepStrictEqual(
          (yield* view(account, "INBOX")).messages.map(({ subject }) => subject),
          ["m1", "m2", "m4"],
        );
      }),
    );

    it.effect(
      "changes nothing in a mailbox that is gone or was recreated, and loses nothing without a destination",
      () =>
        Effect.gen(function* () {
          const { account, changes, uids, mailbox } = yield* start;
          for (const wrong of [
            { ...mailbox, uidValidity: mailbox.uidValidity + 1 },
            { ...mailbox, path: "None" },
          ]) {
            for (const attempt of [
              Effect.asVoid(
                Effect.catchTag(
                  changes.setFlags(account, wrong, uids, { flagged: true }),
                  "LabelsNotSupported",
                  Effect.die,
                ),
              ),
              Effect.asVoid(changes.destroy(account, wrong, uids)),
              Effect.asVoid(changes.move(account, wrong, uids, "INBOX")),
            ]) {
              assert.strictEqual((yield* errorOf(attempt))._tag, "MessageNotFound");
            }
          }
          const lost = yield* errorOf(changes.move(account, mailbox, uids, "Nowhere"));
          assert.strictEqual(lost._tag, "FolderNotFound");
          const { messages } = yield* view(account, "INBOX");
          assert.lengthOf(messages, 4);
          assert.isTrue(messages.every(({ flagged }) => !flagged));
        }),
    );
  });
