import { it } from "@effect/vitest";
import { Effect } from "effect";
import { HttpServerRequest } from "effect/http";
import { expect } from "vitest";
import { withoutPrefix } from "../src/wiring/without-prefix.ts";

const PATHS = ["/", "/api/folders", "/mail/*", "/docs"];

const seen = (prefix: string, path: string, originalUrl?: string) => {
  const request = Object.assign(
    new Request(`http://127.0.0.1${path}`),
    originalUrl === undefined ? {} : { originalUrl },
  );
  return Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => url).pipe(
    (app) => withoutPrefix(app, prefix, PATHS),
    Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
  );
};

it.effect.each([
  { host: "leaves it", prefix: "/mail", path: "/mail/api/folders?a=b", below: "/api/folders?a=b" },
  { host: "leaves it", prefix: "/mail", path: "/mail/mail/inbox", below: "/mail/inbox" },
  { host: "leaves it", prefix: "/mail", path: "/mail", below: "/" },
  { host: "leaves it", prefix: "/mail", path: "/mail?a=b", below: "/?a=b" },
  { host: "leaves it", prefix: "/a/b", path: "/a/b/docs", below: "/docs" },
  { host: "takes it away", prefix: "/mail", path: "/api/folders", below: "/api/folders" },
  { host: "takes it away", prefix: "/mail", path: "/mail/inbox", below: "/mail/inbox" },
  { host: "takes it away", prefix: "/api", path: "/api/folders", below: "/api/folders" },
  { host: "has none", prefix: "", path: "/mail/inbox", below: "/mail/inbox" },
  { host: "has a longer one", prefix: "/mail", path: "/mailbox/docs", below: "/mailbox/docs" },
])("a host that $host: $path below $prefix is $below", ({ prefix, path, below }) =>
  Effect.map(seen(prefix, path), (url) => expect(url).toBe(below)),
);

it.effect("uses the whole path that Express keeps", () =>
  Effect.map(seen("/mail", "/mail/inbox", "/mail/mail/inbox"), (url) => expect(url).toBe("/mail/inbox")),
);
