import type { Random } from "./random.ts";

/** A raw request, possibly malformed. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** Values that no field accepts. */
export const ODD_VALUES: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "\0",
  "\ud800",
  "\u202e\u200b",
  "a\r\nX-Evil: 1",
  "' or 1=1 --",
  "../../etc/passwd",
  "%00%zz",
  "{{7*7}}",
  "(\\Deleted) UID 1:*",
  "🎉".repeat(300),
  "x".repeat(70_000),
  "9".repeat(400),
  "a@b.c,".repeat(2_000),
  '"'.repeat(10_000),
  "<".repeat(10_000),
  [],
  {},
  [[[[[]]]]],
  [null],
  [{}],
  { name: {} },
  { address: null },
  Array.from({ length: 6_000 }, () => 1),
  Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m${n}`, n])),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'),
];

/** Bodies that are not JSON, and unusual JSON. */
const BODIES: ReadonlyArray<string | Uint8Array<ArrayBuffer>> = [
  "",
  "{",
  "null",
  "[]",
  "1e999",
  '"text"',
  "nul",
  '{"a":1,}',
  '{"to":"a@b.c" "subject":1}',
  '{"to":"a","to":"b"}',
  `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
  "[".repeat(200_000),
  `{"a":"${"\\u0000".repeat(5_000)}"}`,
  `{"a":"${"x".repeat(1_100_000)}"}`,
  `[${"{},".repeat(100_000)}{}]`,
  "\ufeff{}",
  Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Uint8Array.from({ length: 4_096 }, (_, n) => (n * 73) % 256),
  "--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\nx",
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n',
  `--b\r\n${"X: y\r\n".repeat(5_000)}\r\nx\r\n--b--\r\n`,
];

const MEDIA = [
  "application/json",
  "application/json; charset=utf-8",
  "APPLICATION/JSON;;;",
  "application/json; charset=utf-16",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "application/xml",
  "/",
  ";",
];

const HEADERS: ReadonlyArray<Readonly<Record<string, string>>> = [
  { authorization: "" },
  { authorization: "Bearer" },
  { authorization: "Bearer a.b.c" },
  { authorization: `Bearer ${"a".repeat(9_000)}` },
  { authorization: "Basic Og==" },
  { cookie: "session=x; session=y; __Host-session=" },
  { cookie: "=;;;=;a" },
  { "content-encoding": "gzip" },
  { expect: "200-ok" },
  { range: "bytes=-" },
  { range: "bytes=99999999999999999999-" },
  { range: "bytes=0-0,2-3" },
  { "if-range": '"' },
  { "last-event-id": "x".repeat(200) },
  { "idempotency-key": "x".repeat(300) },
  { "idempotency-key": "\t" },
  { "x-request-id": "a b" },
  { "x-forwarded-for": "::ffff:1.2.3.4, unknown, 999.1.1.1" },
  { host: "evil.example" },
  { origin: "null" },
  { accept: "*/*;q=x" },
];

const PATHS = [
  "/api/%zz",
  "/api/messages/%00",
  "/api/messages/..%2f..%2fetc%2fpasswd",
  "/api/messages/%ff%fe",
  `/api/messages/${"x".repeat(5_000)}`,
  "/api//inbox",
  "//api/inbox",
  "/api/inbox/",
  "/API/INBOX",
  "/api/settings/folders/__proto__",
  "/api/settings/webhooks/constructor",
  "/api/settings/webhooks/%E2%80%AE/deliveries",
  "/api/threads/%0d%0aX-Evil:1",
  "/t/x.gif",
  "/t/%00.gif",
  "/",
  "/compose",
  "/docs?x=1",
  "/openapi.json",
  "/.well-known/jwks.json",
  "/metrics?x",
];

const QUERIES = [
  "?",
  "?=",
  "?&&&",
  "?a",
  "?%zz",
  "?__proto__=1",
  "?page=1&page=2",
  "?limit=1e3",
  `?q=${"x".repeat(4_000)}`,
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** Returns the request with a hostile part, such as its method, path or headers. */
export const spoilt = (chance: Random, request: WireRequest): WireRequest => {
  const isJson = request.headers["content-type"] !== undefined;
  switch (chance.below(7)) {
    case 0:
      return { ...request, method: chance.one(METHODS) };
    case 1:
      return { ...request, path: chance.one(PATHS) };
    case 2:
      return { ...request, path: request.path.split("?")[0]! + chance.one(QUERIES) };
    case 3:
      return { ...request, headers: { ...request.headers, ...chance.one(HEADERS) } };
    case 4:
      return { ...request, headers: { ...request.headers, "content-type": chance.one(MEDIA) } };
    default:
      return {
        ...request,
        headers: isJson ? request.headers : { ...request.headers, "content-type": chance.one(MEDIA) },
        body: chance.one(BODIES),
      };
  }
};
