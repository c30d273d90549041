import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { leavesOf } from "@postern/core/mail";
import type { CredentialVault } from "@postern/core/auth";
import {
  MAX_HEADER_BYTES,
  MailboxReader,
  MessageReader,
  PREVIEW_BYTES,
  type WantedBytes,
} from "@postern/core/messages";
import { Effect, type Layer, Stream } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { base64Lines, crlfLines, messageOf, multipart, plainMessage } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Bytes that every encoding changes. */
const noise = (length: number): Uint8Array => Uint8Array.from({ length }, (_, n) => (n * 31 + (n >> 8)) & 0xff);

const FILES = messageOf(
  multipart("mixed", "b1", [
    multipart("related", "b2", [
      multipart("alternative", "b3", [
        { headers: ['Content-Type: text/plain; charset="iso-8859-1"'], body: "Hello" },
        {
          headers: ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"],
          body: '<p>Gr=C3=BC=C3=9Fe <img src=3D"cid:pic@x"></p>',
        },
      ]),
      {
        headers: ["Content-Type: image/png", "Content-ID: <pic@x>", "Content-Transfer-Encoding: base64"],
        body: base64Lines(noise(100)),
      },
    ]),
    {
      headers: [
        "Content-Type: application/pdf",
        "Content-Disposition: attachment; filename=big.pdf",
        "Content-Transfer-Encoding: base64",
      ],
      body: base64Lines(noise(1_500_000)),
    },
    {
      headers: [
        "Content-Type: text/csv; name=table.csv",
        "Content-Transfer-Encoding: quoted-printable",
        "Content-Disposition: attachment",
      ],
      body: "a=3Db,   \r\nlong=\r\n line,=C3=A9=\r\n\r\nend=",
    },
    { headers: ["Content-Type: message/rfc822"], body: plainMessage("inner") },
  ]),
  ["Subject: Files", "Message-ID: <files@x>"],
);

/** The contract of `MessageReader` (spec 5). All names but INBOX begin with `prefix`. */
export const messageReaderContract = <E>(
  name: string,
  ports: Layer.Layer<MessageReader | MailboxReader | CredentialVault | MailServerControl, E>,
  { prefix = "" }: { readonly prefix?: string } = {},
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const placed = Effect.fnUntraced(function* (raw: string) {
      const control = yield* MailServerControl;
      const { account } = yield* signedInAccount;
      const uid = yield* control.append(account, "INBOX", raw);
      const { uidValidity } = yield* Effect.scoped(
        Effect.flatMap(MailboxReader, (mailboxes) => mailboxes.view(account, "INBOX")),
      );
      return { account, place: { path: "INBOX", uidValidity, uid } };
    });
    type Placed = Effect.Success<ReturnType<typeof placed>>;

    const open = Effect.fnUntraced(function* ({ account, place }: Placed) {
      return yield* (yield* MessageReader).open(account, place);
    });
    const all = Effect.fnUntraced(function* ({ account, place }: Placed, wanted: WantedBytes) {
      const stream = yield* (yield* MessageReader).bytes(account, place, wanted);
      return new Uint8Array(Buffer.concat(yield* Stream.runCollect(stream)));
    });
    const isUnread = (account: AccountId) =>
      Effect.scoped(
        Effect.gen(function* () {
          const view = yield* (yield* MailboxReader).view(account, "INBOX");
          return (yield* view.messages(1, 1))[0]?.unread;
        }),
      );

    it.effect("fetches the beginnings of the first texts of messages [S12.3-3]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const reader = yield* MessageReader;
        const long = messageOf({ headers: ["Content-Type: text/plain; charset=utf-8"], body: "x".repeat(5_000) }, [
          "Subject: l",
        ]);
        const uids: Array<number> = [];
        for (const raw of [FILES, plainMessage("one"), long]) uids.push(yield* control.append(account, "INBOX", raw));
        const { uidValidity } = yield* Effect.scoped((yield* MailboxReader).view(account, "INBOX"));
        const mailbox = { path: "INBOX", uidValidity };
        yield* control.createMailbox(account, `${prefix}Other`);
        const other = yield* control.append(account, `${prefix}Other`, plainMessage("two"));
        const place = yield* Effect.scoped((yield* MailboxReader).view(account, `${prefix}Other`));
        const here = { ...mailbox, uids: [...uids, 4_000] };
        const there = { path: `${prefix}Other`, uidValidity: place.uidValidity, uids: [other] };
        const recreated = { ...here, uidValidity: uidValidity + 1 };
        const gone = { ...here, path: `${prefix}None` };
        for (const round of ["first", "with known structures"]) {
          const [first, second, ...none] = yield* reader.readPreviewTexts(
            account,
            [here, there, recreated, gone],
            "plain",
          );
          assert.sameMembers([...first!.keys()], uids, round);
          assert.strictEqual(text(second!.get(other)!.bytes).trim(), "Text of two.", round);
          assert.deepStrictEqual(none, [new Map(), new Map()], round);
        }
        const [texts = new Map()] = yield* reader.readPreviewTexts(account, [here], "plain");
        assert.deepStrictEqual(
          [...texts.keys()].toSorted((a, b) => a - b),
          uids,
        );
        assert.deepInclude(texts.get(uids[0]!), { type: "text/plain", encoding: "7bit" });
        assert.strictEqual(text(texts.get(uids[0]!)!.bytes).trim(), "Hello");
        assert.lengthOf(texts.get(uids[2]!)!.bytes, PREVIEW_BYTES.plain);
        const [rich] = yield* reader.readPreviewTexts(account, [{ ...mailbox, uids: uids.slice(0, 2) }], "html");
        assert.deepStrictEqual(
          uids.slice(0, 2).map((uid) => rich!.get(uid)?.type ?? null),
          ["text/html", null],
        );
      }),
    );

    it.effect("returns a message's structure, header and the beginnings of its texts", () =>
      Effect.gen(function* () {
        const message = yield* open(yield* placed(FILES));
        assert.deepInclude(message.summary, { subject: "Files", messageId: "<files@x>" });
        assert.match(text(message.header), /^From: a@example\.org\r\n[^]*Subject: Files\r\n/);
        const leaves = leavesOf(message.structure ?? assert.fail());
        assert.deepStrictEqual(
          leaves.map(({ section, type, encoding, disposition, contentId, name }) => [
            section,
            type,
            encoding,
            disposition,
            contentId,
            name,
          ]),
          [
            ["1.1.1", "text/plain", "7bit", null, null, null],
            ["1.1.2", "text/html", "quoted-printable", null, null, null],
            ["1.2", "image/png", "base64", null, "pic@x", null],
            ["2", "application/pdf", "base64", "attachment", null, "big.pdf"],
            ["3", "text/csv", "quoted-printable", "attachment", null, "table.csv"],
            ["4", "message/rfc822", "7bit", null, null, null],
          ],
        );
        assert.strictEqual(leaves[0]!.parameters["charset"]?.toLowerCase(), "iso-8859-1");
        const found = yield* message.readBeginnings(["1.1.2", "1.1.1", "9.9", "1.1.2"], 12);
        assert.deepStrictEqual(found.map(text), ["<p>Gr=C3=BC=", "Hello", "", "<p>Gr=C3=BC="]);
        assert.deepStrictEqual((yield* message.readBeginnings(["1.1.1", "1.1.2"], 1)).map(text), ["H", "<"]);
        assert.lengthOf((yield* message.readBeginnings(["2"], 1_000_000))[0]!, 1_000_000);
        assert.deepStrictEqual(yield* message.readBeginnings([], 12), []);
      }).pipe(Effect.scoped),
    );

    it.effect("reads a message with a single part", () =>
      Effect.gen(function* () {
        const message = yield* open(yield* placed(plainMessage("alone")));
        assert.deepStrictEqual(
          leavesOf(message.structure ?? assert.fail()).map(({ section, type }) => [section, type]),
          [["1", "text/plain"]],
        );
        assert.deepStrictEqual((yield* message.readBeginnings(["1"], 1000)).map(text), ["Text of alone.\r\n"]);
      }).pipe(Effect.scoped),
    );

    it.effect("streams decoded parts of any length, and marks nothing as read", () =>
      Effect.gen(function* () {
        const at = yield* placed(FILES);
        assert.deepStrictEqual(yield* all(at, { section: "2", encoding: "base64" }), noise(1_500_000));
        assert.deepStrictEqual(yield* all(at, { section: "1.2", encoding: "base64" }), noise(100));
        const table = yield* all(at, { section: "3", encoding: "quoted-printable" });
        assert.strictEqual(text(table), "a=b,\r\nlong line,é\r\nend");
        assert.strictEqual(text(yield* all(at, { section: "4", encoding: "7bit" })), plainMessage("inner"));
        assert.strictEqual(text(yield* all(at, "raw")), FILES);
        yield* Effect.scoped(Effect.flatMap(open(at), ({ readBeginnings: beginnings }) => beginnings(["1.1.1"], 10)));
        assert.isTrue(yield* isUnread(at.account));
      }),
    );

    it.effect("cuts a header that is too long, but no part", () =>
      Effect.gen(function* () {
        const line = `X-Long: ${"x".repeat(900)}`;
        const raw = crlfLines("Subject: long", ...Array.from({ length: 300 }, () => line), "", "Text");
        const at = yield* placed(raw);
        const { header, summary } = yield* Effect.scoped(open(at));
        assert.strictEqual(summary.subject, "long");
        assert.strictEqual(text(header), raw.slice(0, MAX_HEADER_BYTES));
        assert.strictEqual(text(yield* all(at, "raw")), raw);
        assert.strictEqual(text(yield* all(at, { section: "1", encoding: "7bit" })), "Text\r\n");
      }),
    );

    it.effect("streams unknown encodings unchanged, and nothing for a missing part", () =>
      Effect.gen(function* () {
        const at = yield* placed(FILES);
        for (const encoding of ["7bit", "8bit", "binary", "x-unknown"]) {
          const table = text(yield* all(at, { section: "3", encoding }));
          assert.strictEqual(table, "a=3Db,   \r\nlong=\r\n line,=C3=A9=\r\n\r\nend=", encoding);
        }
        for (const encoding of ["7bit", "base64", "quoted-printable"]) {
          assert.lengthOf(yield* all(at, { section: "9.9", encoding }), 0, encoding);
        }
      }),
    );

    it.effect("passes broken encodings through", () =>
      Effect.gen(function* () {
        const broken = (encoding: string, body: string) =>
          placed(crlfLines(`Content-Transfer-Encoding: ${encoding}`, "Content-Type: application/x-any", "", body));
        const base64 = yield* broken("base64", "SGVs*bG8*=\r\n=!\r\nIHdvcmxk");
        assert.strictEqual(text(yield* all(base64, { section: "1", encoding: "base64" })), "Hello world");
        const quoted = yield* broken("quoted-printable", "a=ZZ=4=\r\n=41");
        assert.strictEqual(text(yield* all(quoted, { section: "1", encoding: "quoted-printable" })), "a=ZZ=4A\r\n");
      }),
    );

    it.effect("fails for a message that is gone, never existed, or was in a recreated mailbox", () =>
      Effect.gen(function* () {
        const reader = yield* MessageReader;
        const control = yield* MailServerControl;
        const { account, place } = yield* placed(plainMessage("here"));
        const missing = [
          { ...place, uid: place.uid + 1 },
          { ...place, uidValidity: place.uidValidity + 1 },
          { ...place, path: `${place.path}x` },
        ];
        for (const wrong of missing) {
          const opened = yield* errorOf(Effect.scoped(reader.open(account, wrong)));
          assert.strictEqual(opened._tag, "MessageNotFound");
          for (const wanted of ["raw", { section: "1", encoding: "7bit" }] as const) {
            assert.strictEqual((yield* errorOf(reader.bytes(account, wrong, wanted)))._tag, "MessageNotFound");
          }
        }
        yield* control.expunge(account, "INBOX", [place.uid]);
        assert.strictEqual((yield* errorOf(Effect.scoped(reader.open(account, place))))._tag, "MessageNotFound");
        assert.strictEqual((yield* errorOf(reader.bytes(account, place, "raw")))._tag, "MessageNotFound");
      }),
    );

    it.effect("fails when a message is deleted while it is read", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account, place } = yield* placed(FILES);
        const { readBeginnings: beginnings } = yield* open({ account, place });
        const stream = yield* (yield* MessageReader).bytes(account, place, "raw");
        yield* control.expunge(account, "INBOX", [place.uid]);
        assert.strictEqual((yield* errorOf(Stream.runDrain(stream)))._tag, "MessageNotFound");
        assert.strictEqual((yield* errorOf(beginnings(["1.1.1"], 10)))._tag, "MessageNotFound");
      }).pipe(Effect.scoped),
    );

    it.effect("fails if the stored credential is rejected", () =>
      Effect.gen(function* () {
        const reader = yield* MessageReader;
        const { account } = yield* (yield* MailServerControl).newAccount;
        const place = { path: "INBOX", uidValidity: 1, uid: 1 };
        const opened = yield* errorOf(Effect.scoped(reader.open(account, place)));
        assert.strictEqual(opened._tag, "MailboxCredentialsRejected");
        const read = yield* errorOf(reader.bytes(account, place, "raw"));
        assert.strictEqual(read._tag, "MailboxCredentialsRejected");
      }),
    );
  });
