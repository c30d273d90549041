import { assert, layer } from "@effect/vitest";
import { MessageParser, type UnparsedMessage } from "@postern/core/messages";
import { Effect, type Layer } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { crlfLines, messageOf, multipart } from "../../fixtures/mail-messages.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

type Body = UnparsedMessage["bodies"][number];

const body = (fields: Partial<Body>): Body => ({
  group: 0,
  type: "text/plain",
  parameters: { charset: "utf-8" },
  encoding: "8bit",
  bytes: bytes("Hi"),
  ...fields,
});

const unparsed = (bodies: ReadonlyArray<Body>, fields: Partial<UnparsedMessage> = {}): UnparsedMessage => ({
  header: bytes("Subject: hi\r\n\r\n"),
  bodies,
  pictures: {},
  ...fields,
});

/** The contract of `MessageParser`. */
export const messageParserContract = <E>(name: string, live: Layer.Layer<MessageParser, E>): void =>
  layer(live, { excludeTestServices: true })(name, (it) => {
    let asked = 0;
    const read = Effect.fnUntraced(function* (message: UnparsedMessage) {
      return yield* (yield* MessageParser).read(yield* freshAccount, `key ${asked++}`, message);
    });
    const report = Effect.fnUntraced(function* (raw: string) {
      return yield* (yield* MessageParser).report(yield* freshAccount, `key ${asked++}`, bytes(raw));
    });

    it.effect("returns the readable text of the beginnings of texts [S12.3-2]", () =>
      Effect.gen(function* () {
        const html = (text: string, fields: Partial<Body> = {}) =>
          body({ type: "text/html", bytes: bytes(text), ...fields });
        const cut = bytes("Grüße ü");
        const shown = yield* (yield* MessageParser).previews(yield* freshAccount, [
          body({ bytes: cut.subarray(0, cut.length - 1), parameters: {} }),
          body({ encoding: "base64", bytes: bytes("R3LDvMOfZQ==") }),
          body({ encoding: "quoted-printable", bytes: bytes("Gr=FC=DFe"), parameters: { charset: "iso-8859-1" } }),
          html("<html><head><style>p{color:red}</style><title>No</title></head><body><p>Read &amp; see.</p>"),
          html('<div style="display:none">Hidden <div>deep</div></div><p>Shown.</p><img src="x" alt="no">'),
          html('<p>Cut here</p><a href="https://x.test/long'),
          html("<style>p { margin: 0 } "),
          body({ bytes: new Uint8Array() }),
        ]);
        assert.deepStrictEqual(
          shown.map((text) => text.trim()),
          ["Grüße", "Grüße", "Grüße", "Read & see.", "Shown.", "Cut here", "", ""],
        );
      }),
    );

    it.effect("decodes texts by their transfer encoding and charset", () =>
      Effect.gen(function* () {
        const texts = [
          body({ bytes: bytes("Grüße 💌") }),
          body({ encoding: "base64", bytes: bytes(Buffer.from("Grüße 💌").toString("base64")) }),
          body({ encoding: "quoted-printable", bytes: bytes("Gr=C3=BC=C3=9Fe =\r\n=F0=9F=92=8C") }),
          body({
            parameters: { charset: "iso-8859-15" },
            bytes: new Uint8Array(Buffer.from("Gr\xfc\xdfe \xa4", "latin1")),
          }),
        ];
        const shown = yield* Effect.forEach(texts, (text) =>
          Effect.map(read(unparsed([text])), (one) => one.text.trim()),
        );
        assert.deepStrictEqual(shown, ["Grüße 💌", "Grüße 💌", "Grüße 💌", "Grüße €"]);
      }),
    );

    it.effect("decodes header fields, in order", () =>
      Effect.gen(function* () {
        const header = bytes(crlfLines("Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=", "X-Folded: a", " b", "x-folded: c", ""));
        const { headers } = yield* read(unparsed([body({})], { header }));
        assert.deepStrictEqual(headers, [
          ["Subject", "Grüße"],
          ["X-Folded", "a b"],
          ["x-folded", "c"],
        ]);
      }),
    );

    it.effect("returns one text of each group, as plain text and HTML", () =>
      Effect.gen(function* () {
        const html = body({ type: "text/html", bytes: bytes("<p>HTML of <b>one</b></p>") });
        const message = unparsed([
          body({ bytes: bytes("Text of one") }),
          html,
          body({ group: 1, bytes: bytes("Two & 2") }),
        ]);
        const shown = yield* read(message);
        assert.match(shown.text, /^Text of one\s+Two & 2\s*$/);
        assert.match(shown.html!, /HTML of <b>one<\/b>[^]*Two &amp; 2/);
        assert.isNull((yield* read(unparsed([body({})]))).html);
        assert.match((yield* read(unparsed([html]))).text, /^HTML of one\s*$/);
      }),
    );

    it.effect("removes active and remote HTML, and keeps inline images", () =>
      Effect.gen(function* () {
        const html =
          '<p onclick="act()">Hi<script>act()</script></p><form action="http://x.test/"><input></form>' +
          '<a href="javascript:act()">link</a><img src="cid:own"><img src="http://x.test/pixel.gif">';
        const shown = yield* read(
          unparsed([body({ type: "text/html", bytes: bytes(html) })], { pictures: { own: "/pictures/1" } }),
        );
        assert.notMatch(shown.html!, /act\(|<script|<form|<input| src="http/);
        assert.include(shown.html!, 'src="/pictures/1"');
        assert.strictEqual(shown.blocked, 1);
      }),
    );

    it.effect("parses a report with its parts and the returned message", () =>
      Effect.gen(function* () {
        const parts = multipart("report", "b", [
          { headers: ["Content-Type: text/plain; charset=utf-8"], body: "Not delivered: Grüße" },
          {
            headers: ["Content-Type: message/delivery-status"],
            body: crlfLines("Reporting-MTA: dns; x.test", "", "Final-Recipient: rfc822; a@x.test", "Status: 5.1.1"),
          },
          { headers: ["Content-Type: message/rfc822"], body: crlfLines("Message-ID: <sent@x.test>", "", "Hello") },
        ]);
        const parsed = yield* report(messageOf(parts, ["Subject: =?utf-8?q?=C3=BC?="]));
        assert.deepInclude(parsed.headers, ["Subject", "ü"]);
        assert.deepStrictEqual(
          parsed.parts.map(({ type }) => type),
          ["text/plain", "message/delivery-status", "message/rfc822"],
        );
        assert.include(parsed.parts[0]!.text, "Not delivered: Grüße");
        assert.include(parsed.parts[1]!.text, "Final-Recipient: rfc822; a@x.test");
        assert.deepInclude(parsed.parts[2]!.message!.headers, ["Message-ID", "<sent@x.test>"]);
      }),
    );
  });
