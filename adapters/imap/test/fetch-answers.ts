import fc from "fast-check";

/** A FETCH response as imapflow reads it from the stream. */
export interface Answer {
  readonly payload: Buffer;
  readonly literals: ReadonlyArray<Buffer>;
}

/** Text as transmitted; literals are marked. */
type Piece = string | { readonly literal: string };

const answerOf = (pieces: ReadonlyArray<Piece>): Answer => {
  const literals: Array<Buffer> = [];
  const lines = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const literal = Buffer.from(piece.literal);
    literals.push(literal);
    return `{${literal.length}}\r\n`;
  });
  return { payload: Buffer.from(lines.join("")), literals };
};

const nil = fc.constant<ReadonlyArray<Piece>>(["NIL"]);

const quoted = (text: string): ReadonlyArray<Piece> => [`"${text.replace(/["\\]/g, "\\$&")}"`];

const HARD = [
  "",
  "NIL",
  '"quoted"',
  'a\\b"c',
  "(not a list",
  "Grüße",
  "=?utf-8?B?R3LDvMOfZQ==?=",
  "=?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?utf-8?Q?_und?= mehr",
  "=?iso-2022-jp?B?GyRCMnE1RBsoQg==?=",
  "=?x-unknown?Q?a=FF?=",
  "=?utf-8?B?broken",
  " padded ",
  "it's utf-8''x%20y",
  "utf-8''na%C3%AFve.pdf",
  "MISSING_MAILBOX",
  "MISSING_DOMAIN",
  "__proto__",
  "{3}",
];

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(...HARD) },
);

/** The same text in any notation that can express it. */
const string = (text: fc.Arbitrary<string>): fc.Arbitrary<ReadonlyArray<Piece>> =>
  fc
    .tuple(text, fc.integer({ min: 0, max: 9 }))
    .map(([written, notation]) =>
      notation === 0 || /[\r\n\0]/.test(written) ? [{ literal: written }] : quoted(written),
    );

const nstring = (text: fc.Arbitrary<string> = anyText) => fc.oneof({ weight: 4, arbitrary: string(text) }, nil);

const listOf = (items: ReadonlyArray<ReadonlyArray<Piece>>): ReadonlyArray<Piece> => [
  "(",
  ...items.flatMap((item, n) => (n === 0 ? item : [" ", ...item])),
  ")",
];

/** A list without spaces between its items, like the addresses of a field and the parts of a multipart. */
const adjoined = (items: ReadonlyArray<ReadonlyArray<Piece>>): ReadonlyArray<Piece> => ["(", ...items.flat(), ")"];

const list = (...items: ReadonlyArray<fc.Arbitrary<ReadonlyArray<Piece>>>) => fc.tuple(...items).map(listOf);

const addresses = fc.oneof(
  { weight: 2, arbitrary: nil },
  {
    weight: 3,
    arbitrary: fc
      .array(list(nstring(), nil, nstring(), nstring()), { minLength: 1, maxLength: 3 })
      .map((each) => adjoined(each)),
  },
);

const when = fc.constantFrom(
  "Thu, 01 Jan 2026 00:00:00 +0000",
  "17 Jul 96 02:44:25 EST",
  "Wed, 99 Foo 2020 25:61:00 +9999",
  "yesterday",
  "",
);

const envelope = list(
  nstring(when),
  nstring(),
  addresses,
  addresses,
  addresses,
  addresses,
  addresses,
  addresses,
  nstring(),
  nstring(),
);

const number = fc.nat(3_000_000).map((n): ReadonlyArray<Piece> => [`${n}`]);

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("name", "NAME", "filename", "charset", "boundary") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "filename*",
      "filename*0",
      "filename*1*",
      "name*0*",
      "name*1",
      "constructor",
      "__proto__*0",
    ),
  },
);

const parameters = fc.oneof(
  nil,
  fc.array(fc.tuple(string(name), nstring()), { minLength: 1, maxLength: 4 }).map((pairs) => listOf(pairs.flat())),
);

const disposition = fc.oneof(nil, list(string(fc.constantFrom("attachment", "INLINE", "x-odd")), parameters));

/** Optional fields after the required fields of a part; the list may end after any of them. */
const extension = (
  own: fc.Arbitrary<ReadonlyArray<ReadonlyArray<Piece>>>,
  ...rest: ReadonlyArray<fc.Arbitrary<ReadonlyArray<Piece>>>
) =>
  fc
    .tuple(own, fc.tuple(...rest), fc.nat(rest.length))
    .map(([fields, extra, kept]) => listOf([...fields, ...extra.slice(0, kept)]));

const common = (type: fc.Arbitrary<string>, subtype: fc.Arbitrary<string>) =>
  fc.tuple(
    string(type),
    string(subtype),
    parameters,
    nstring(),
    nstring(),
    nstring(fc.constantFrom("7bit", "BASE64", "quoted-printable")),
    number,
  );

const tail = [nstring(), disposition, nstring(), nstring()] as const;

/** Structures with or without the number of lines in text parts, which some servers omit. */
const structureOf = (lines: fc.Arbitrary<ReadonlyArray<Piece> | null>) =>
  fc.letrec<{ structure: ReadonlyArray<Piece> }>((tie) => ({
    structure: fc.oneof(
      { maxDepth: 5, depthSize: "small", withCrossShrink: true },
      extension(
        fc
          .tuple(common(fc.constantFrom("text", "TEXT"), fc.constantFrom("plain", "html")), lines)
          .map(([fields, count]) => (count === null ? fields : [...fields, count])),
        ...tail,
      ),
      extension(
        common(fc.constantFrom("application", "IMAGE", ""), fc.constantFrom("pdf", "PNG", "octet-stream", "")),
        ...tail,
      ),
      extension(
        fc
          .tuple(common(fc.constant("message"), fc.constant("RFC822")), envelope, tie("structure"), number)
          .map(([fields, ...inner]) => [...fields, ...inner]),
        ...tail,
      ),
      extension(
        fc
          .tuple(
            fc.array(tie("structure"), { minLength: 1, maxLength: 4 }),
            string(fc.constantFrom("mixed", "ALTERNATIVE", "related")),
          )
          .map(([parts, subtype]) => [parts.flat(), subtype]),
        parameters,
        disposition,
        nstring(),
        nstring(),
      ),
    ),
  })).structure;

const flags = fc
  .subarray(["\\Seen", "\\Answered", "\\Flagged", "\\Draft", "$Forwarded", "NonJunk", "work/2024"])
  .map((set) => [`(${set.join(" ")})`]);

const itemsOf = (structure: fc.Arbitrary<ReadonlyArray<Piece>>) =>
  fc.tuple(
    fc.integer({ min: 1, max: 0xffff_ffff }).map((uid) => ["UID ", `${uid}`]),
    flags.map((value) => ["FLAGS ", ...value]),
    fc.oneof(nil, structure).map((value) => ["BODYSTRUCTURE ", ...value]),
    fc.oneof({ weight: 9, arbitrary: envelope }, nil).map((value) => ["ENVELOPE ", ...value]),
    string(fc.constantFrom("17-Jul-1996 02:44:25 -0700", " 1-Jan-2026 00:00:00 +0000")).map((value) => [
      "INTERNALDATE ",
      ...value,
    ]),
    number.map((value) => ["RFC822.SIZE ", ...value]),
    fc.constantFrom(["THREADID (T1-x)"], ["THREADID NIL"], ["X-GM-THRID 1278455344230334865"], ["MODSEQ (12)"]),
  );

const answer = (structure: fc.Arbitrary<ReadonlyArray<Piece>>): fc.Arbitrary<Answer> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 100_000 }),
      itemsOf(structure).chain((each) => fc.shuffledSubarray([...each], { minLength: 1 })),
    )
    .map(([seq, each]) => answerOf([`* ${seq} FETCH `, ...listOf(each as ReadonlyArray<ReadonlyArray<Piece>>)]));

/** A response that follows the grammar for a message of a page, with items in any order and notation. */
export const fetchAnswer = answer(structureOf(number));

/** Such a response without numbers of lines, and with a few bytes removed, changed or added. */
export const brokenAnswer: fc.Arbitrary<Answer> = fc
  .tuple(
    answer(structureOf(fc.option(number, { nil: null }))),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...' ()"\\{}[]<>~*%:,.NIL1a\0\r\n\xff=?')), {
      maxLength: 3,
    }),
    fc.nat(2),
  )
  .map(([{ payload, literals }, changes, lost]) => {
    let bytes = payload;
    for (const [place, length, put] of changes) {
      const at = place % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(put, "latin1"), bytes.subarray(at + length)]);
    }
    return { payload: bytes, literals: lost === 0 ? literals.slice(1) : literals };
  });
