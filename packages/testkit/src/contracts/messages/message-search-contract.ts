import { assert, layer } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import { MessageSearch } from "@postern/core/messages";
import { Effect, Exit, type Layer } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";
import { ALL_CRITERIA, isInBodies, PAIRS, SEARCHED, SEARCHES } from "./search-cases.ts";

/** The contract of `MessageSearch` (spec 5). `inBodies`: the server under test finds words of a message's body. `labels`: which labels it finds. */
export const messageSearchContract = <E>(
  name: string,
  ports: Layer.Layer<MessageSearch | CredentialVault | MailServerControl, E>,
  { inBodies = true, labels = "all" }: { readonly inBodies?: boolean; readonly labels?: "all" | "atoms" } = {},
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    it.effect("finds messages by each criterion, and by several together [S5.4-6] [S5.5-7] [S5.5-8]", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const search = yield* MessageSearch;
        const { account } = yield* signedInAccount;
        const letters = new Map<number, string>();
        for (const [letter, raw, options] of SEARCHED) {
          letters.set(yield* control.append(account, "INBOX", raw, options), letter);
        }
        for (const [criteria, wanted] of [...SEARCHES, ...PAIRS, [ALL_CRITERIA, "a"] as const]) {
          if (!inBodies && isInBodies(criteria)) continue;
          // Criteria with other characters are sent as literals, which the imitation of Gmail's labels does not read.
          const isAtoms = !/[^\x21-\x7e]|["\\]/.test(Object.values(criteria).join(""));
          if (labels === "atoms" && "label" in criteria && !isAtoms) continue;
          const { uids, unread } = yield* search.find(account, "INBOX", criteria);
          const found = uids.map((uid) => letters.get(uid)).join("");
          assert.strictEqual(found, wanted, JSON.stringify(criteria));
          const unreadOnes = unread.map((uid) => letters.get(uid)).join("");
          assert.strictEqual(unreadOnes, wanted.replace("b", ""), JSON.stringify(criteria));
        }
        // The use cases pass omitted criteria as undefined.
        const none = Object.fromEntries(Object.keys(ALL_CRITERIA).map((name) => [name, undefined]));
        const { uids, uidValidity } = yield* search.find(account, "INBOX", none);
        assert.lengthOf(uids, SEARCHED.length);
        const mailbox = { path: "INBOX", uidValidity };
        const shown = yield* search.summaries(account, mailbox, [uids[2]!, uids[0]!, uids[2]! + 9]);
        assert.deepStrictEqual(
          shown.map(({ messageId }) => messageId),
          ["<a@x>", "<c@x>"],
        );
        // A folder of Gmail is a label itself.
        if (labels === "all") assert.deepStrictEqual(yield* search.labels(account, "INBOX"), ["Größe", "Lot"]);
        if (labels === "all") {
          assert.strictEqual((yield* errorOf(search.labels(account, "None")))._tag, "FolderNotFound");
        }
        const emailIds = yield* search.emailIds(account, mailbox, uids);
        assert.include([0, uids.length], new Set(emailIds.values()).size);
        for (const uid of emailIds.keys()) assert.include(uids, uid);
        const recreated = { path: "INBOX", uidValidity: uidValidity + 1 };
        assert.strictEqual((yield* errorOf(search.summaries(account, recreated, uids)))._tag, "MessageNotFound");
        assert.strictEqual((yield* errorOf(search.find(account, "None", {})))._tag, "FolderNotFound");
      }),
    );

    it.effect("refuses an unknown criterion, which would find too much if ignored", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const search = yield* MessageSearch;
        for (const unknown of [{ page: 1 }, { limit: 5 }, { cursor: "x" }, { folder: "INBOX" }, { olderThan: "1d" }]) {
          const exit = yield* Effect.exit(search.find(account, "INBOX", unknown as never));
          assert.isTrue(Exit.hasDies(exit), JSON.stringify(unknown));
        }
      }),
    );

    it.effect("finds nothing in an empty mailbox", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const found = yield* (yield* MessageSearch).find(account, "INBOX", { hasAttachments: true, text: "x" });
        assert.deepInclude(found, { uids: [], unread: [] });
      }),
    );
  });
