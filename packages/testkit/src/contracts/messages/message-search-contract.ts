import { assert, layer } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import { MessageSearch } from "@postern/core/messages";
import { Effect, Exit, type Layer, Stream } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { plainMessage } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { findIn } from "./find-in.ts";
import { ALL_CRITERIA, isInBodies, PAIRS, SEARCHED, SEARCHES } from "./search-cases.ts";

/**
 * The contract of `MessageSearch` (spec 5). `inBodies`: the server under test finds words of a message's body.
 * `labels`: the labels that it finds. All names but INBOX begin with `prefix`.
 */
export const messageSearchContract = <E>(
  name: string,
  ports: Layer.Layer<MessageSearch | CredentialVault | MailServerControl, E>,
  {
    inBodies = true,
    labels = "all",
    prefix = "",
  }: { readonly inBodies?: boolean; readonly labels?: "all" | "atoms"; readonly prefix?: string } = {},
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
          const { uids, unread } = (yield* findIn(search, account, "INBOX", criteria))!;
          const found = uids.map((uid) => letters.get(uid)).join("");
          assert.strictEqual(found, wanted, JSON.stringify(criteria));
          const unreadOnes = unread.map((uid) => letters.get(uid)).join("");
          assert.strictEqual(unreadOnes, wanted.replace("b", ""), JSON.stringify(criteria));
        }
        // The use cases pass omitted criteria as undefined.
        const none = Object.fromEntries(Object.keys(ALL_CRITERIA).map((name) => [name, undefined]));
        const { uids, uidValidity } = (yield* findIn(search, account, "INBOX", none))!;
        assert.lengthOf(uids, SEARCHED.length);
        const mailbox = { path: "INBOX", uidValidity };
        const wanted = { ...mailbox, uids: [uids[2]!, uids[0]!, uids[2]! + 9] };
        const recreated = { path: "INBOX", uidValidity: uidValidity + 1, uids };
        const gone = { path: "None", uidValidity, uids };
        const shown = yield* search.summaries(account, [wanted, recreated, gone, { ...mailbox, uids: [uids[1]!] }]);
        assert.deepStrictEqual(
          shown.map((messages) => messages.map(({ messageId }) => messageId)),
          [["<a@x>", "<c@x>"], [], [], ["<b@x>"]],
        );
        // In Gmail, a folder is itself a label.
        if (labels === "all")
          assert.deepStrictEqual(yield* search.labels(account, ["INBOX", "None"]), ["Größe", "Lot"]);
        const [emailIds, ...ofGone] = yield* search.emailIds(account, [{ ...mailbox, uids }, recreated, gone]);
        assert.include([0, uids.length], new Set(emailIds!.values()).size);
        for (const uid of emailIds!.keys()) assert.include(uids, uid);
        assert.deepStrictEqual(ofGone, [new Map(), new Map()]);
        const arrivals = yield* search.arrivals(account, [wanted, recreated, gone]);
        const dates = new Map(shown[0]!.map(({ uid, arrivedAt }) => [uid, arrivedAt]));
        assert.deepStrictEqual(arrivals, [dates, new Map(), new Map()]);
        assert.isNull(yield* findIn(search, account, "None", {}));
      }),
    );

    it.effect("refuses an unknown criterion, which would find too much if ignored", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const search = yield* MessageSearch;
        for (const unknown of [{ page: 1 }, { limit: 5 }, { cursor: "x" }, { folder: "INBOX" }, { olderThan: "1d" }]) {
          const exit = yield* Effect.exit(findIn(search, account, "INBOX", unknown as never));
          assert.isTrue(Exit.hasDies(exit), JSON.stringify(unknown));
        }
      }),
    );

    it.effect("finds nothing in an empty mailbox", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const search = yield* MessageSearch;
        const found = yield* findIn(search, account, "INBOX", { hasAttachments: true, text: "x" });
        assert.deepInclude(found!, { uids: [], unread: [] });
      }),
    );

    it.effect("returns the results of many mailboxes, each once, and reports deleted ones", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const search = yield* MessageSearch;
        const boxes = Array.from({ length: 20 }, (_, n) => `${prefix}Box ${n} Größe`);
        for (const [n, box] of boxes.entries()) {
          yield* control.createMailbox(account, box);
          yield* control.append(account, box, plainMessage(`tale ${n}`), { flags: n % 2 === 0 ? ["\\Seen"] : [] });
          if (n % 3 === 0) yield* control.append(account, box, plainMessage(`other ${n}`));
        }
        const paths = ["INBOX", ...boxes, `${prefix}Nowhere`];
        for (const subject of ["tale", "zürn"]) {
          const told = [...(yield* Stream.runCollect(search.find(account, paths, { subject })))];
          assert.sameMembers(
            told.map(([path]) => path),
            paths,
          );
          const found = new Map(told);
          assert.isNull(found.get(`${prefix}Nowhere`));
          assert.deepInclude(found.get("INBOX")!, { uids: [], unread: [] });
          for (const [n, box] of boxes.entries()) {
            const uids = subject === "tale" ? [1] : [];
            assert.deepInclude(found.get(box)!, { uids, unread: n % 2 === 0 ? [] : uids }, box);
          }
          const asked = [...found].flatMap(([path, one]) => (one === null ? [] : [{ path, ...one }]));
          const summaries = yield* search.summaries(account, asked);
          const subjects = new Map(asked.map(({ path }, n) => [path, summaries[n]!.map((one) => one.subject)]));
          for (const [n, box] of boxes.entries()) {
            assert.deepStrictEqual(subjects.get(box), subject === "tale" ? [`tale ${n}`] : [], box);
          }
        }
      }),
    );
  });
