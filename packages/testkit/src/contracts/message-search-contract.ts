import { assert, layer } from "@effect/vitest";
import { type CredentialVault, MessageSearch, type SearchCriteria } from "@postern/core";
import { Effect, type Layer } from "effect";
import { signedInAccount } from "../mail-account.ts";
import { base64Lines, lines, messageOf, multipart } from "../mail-messages.ts";
import { type AppendOptions, MailServerControl } from "../MailServerControl.ts";

const noon = (day: number) => ({ arrivedAt: Date.UTC(2025, 5, day, 12) });

/** Told apart by their letters. */
const MESSAGES: ReadonlyArray<readonly [letter: string, raw: string, options: AppendOptions]> = [
  [
    "a",
    lines(
      "From: Anna <anna@one.example>",
      "To: Bob <bob@x.example>",
      "Subject: Budget 2025",
      "Message-ID: <a@x>",
      "",
      "Numbers.",
    ),
    noon(1),
  ],
  [
    "b",
    lines(
      "From: =?utf-8?Q?J=C3=BCrgen?= <j@two.example>",
      "To: anna@one.example",
      "Subject: =?utf-8?B?UmU6IEdyw7zDn2U=?=",
      "Message-ID: <b@x>",
      "In-Reply-To: <a@x>",
      "References: <a@x>",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Sch=F6ne Stra=DFe, budget within.",
    ),
    { ...noon(2), flags: ["\\Seen"] },
  ],
  [
    "c",
    messageOf(
      multipart("mixed", "b1", [
        { headers: ["Content-Type: text/html"], body: "<p>With a file</p>" },
        {
          headers: [
            "Content-Type: application/pdf",
            "Content-Disposition: attachment; filename=x.pdf",
            "Content-Transfer-Encoding: base64",
          ],
          body: base64Lines(new Uint8Array(5000)),
        },
      ]),
      ["Subject: file", "Message-ID: <c@x>", "References: <z@x> <b@x>"],
    ),
    { ...noon(3), flags: ["\\Flagged"] },
  ],
];

const CASES: ReadonlyArray<readonly [criteria: SearchCriteria, letters: string]> = [
  [{}, "abc"],
  [{ from: "ANNA" }, "a"],
  [{ from: "one.example" }, "a"],
  [{ from: "jürgen" }, "b"],
  [{ to: "anna@" }, "b"],
  [{ subject: "budget" }, "a"],
  [{ subject: "grüße" }, "b"],
  [{ text: "budget" }, "ab"],
  [{ text: "Straße" }, "b"],
  [{ text: "with a file" }, "c"],
  [{ text: 'none "of\\ these' }, ""],
  [{ since: "2025-06-02" }, "bc"],
  [{ before: "2025-06-02" }, "a"],
  [{ since: "2025-06-02", before: "2025-06-03" }, "b"],
  [{ unread: true }, "ac"],
  [{ unread: false }, "b"],
  [{ flagged: true }, "c"],
  [{ flagged: false }, "ab"],
  [{ hasAttachments: true }, "c"],
  [{ hasAttachments: false, text: "budget" }, "ab"],
  [{ larger: 5000 }, "c"],
  [{ smaller: 5000 }, "ab"],
  [{ related: ["<a@x>"] }, "ab"],
  [{ related: ["<b@x>", "<none@x>"] }, "bc"],
  [{ related: [] }, ""],
  [{ threadId: "T0none" }, ""],
];

/** What every MessageSearch does (decisions 5). `inBodies`: the server under test finds words of a message's text. */
export const messageSearchContract = <E>(
  name: string,
  ports: Layer.Layer<MessageSearch | CredentialVault | MailServerControl, E>,
  { inBodies = true }: { readonly inBodies?: boolean } = {},
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    it.effect("finds by each criterion, and by several at once", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const search = yield* MessageSearch;
        const { account } = yield* signedInAccount;
        const letters = new Map<number, string>();
        for (const [letter, raw, options] of MESSAGES) {
          letters.set(yield* control.append(account, "INBOX", raw, options), letter);
        }
        for (const [criteria, wanted] of CASES) {
          if (!inBodies && criteria.text !== undefined) continue;
          const { uids, unread } = yield* search.find(account, "INBOX", criteria);
          const found = uids.map((uid) => letters.get(uid)).join("");
          assert.strictEqual(found, wanted, JSON.stringify(criteria));
          assert.strictEqual(unread, wanted.replace("b", "").length, JSON.stringify(criteria));
        }
        const { uids, uidValidity } = yield* search.find(account, "INBOX", {});
        const mailbox = { path: "INBOX", uidValidity };
        const shown = yield* search.summaries(account, mailbox, [uids[2]!, uids[0]!, uids[2]! + 9]);
        assert.deepStrictEqual(
          shown.map(({ messageId }) => messageId),
          ["<a@x>", "<c@x>"],
        );
        const anew = { path: "INBOX", uidValidity: uidValidity + 1 };
        assert.strictEqual((yield* Effect.flip(search.summaries(account, anew, uids)))._tag, "MessageNotFound");
        assert.strictEqual((yield* Effect.flip(search.find(account, "None", {})))._tag, "FolderNotFound");
      }),
    );

    it.effect("an empty mailbox has nothing", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const found = yield* (yield* MessageSearch).find(account, "INBOX", { hasAttachments: true, text: "x" });
        assert.deepInclude(found, { uids: [], unread: 0 });
      }),
    );
  });
