import { request } from "node:https";
import type { IncomingMessage } from "node:http";
import type { ConnectionOptions } from "node:tls";
import { type EgressGuard, hostNameOf, type CheckedAddress } from "@postern/core/shared";
import { fixedLookup } from "@postern/egress";
import { Effect, Option } from "effect";

const MAX_DOCUMENT_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_REDIRECTS = 2;
/** The informational responses that may precede the final one (RFC 9110, 15.2). */
const MAX_INFORMATIONAL = 10;

/** The answer of a server: a document, or a redirect to another address. */
type Answer =
  | { readonly _tag: "Document"; readonly text: string }
  | { readonly _tag: "Redirect"; readonly to: string }
  | { readonly _tag: "Nothing" };

const NOTHING: Answer = { _tag: "Nothing" };

/**
 * Returns a document of at most 64 KiB that a site publishes over https; none for any other answer and every failure.
 * Redirects are followed only to hosts in `site`, and the guard checks each host before the connection.
 */
export const fetchDocument = Effect.fnUntraced(
  function* (guard: EgressGuard["Service"], start: URL, site: string, tlsOptions: Pick<ConnectionOptions, "ca">) {
    for (let [url, redirects] = [start, 0]; redirects <= MAX_REDIRECTS; redirects++) {
      const addresses = yield* guard.resolve(url.hostname, Number(url.port === "" ? 443 : url.port));
      const answer = yield* get(url, addresses, tlsOptions);
      if (answer._tag === "Document") return Option.some(answer.text);
      if (answer._tag === "Nothing" || !URL.canParse(answer.to, url.href)) return Option.none();
      url = new URL(answer.to, url);
      if (!isIn(site, start, url)) return Option.none();
    }
    return Option.none();
  },
  Effect.orElseSucceed(() => Option.none<string>()),
);

/** Returns whether a redirect stays on https, the same port and the host names of a site. */
const isIn = (site: string, start: URL, { protocol, hostname, port, username, password }: URL): boolean =>
  protocol === "https:" &&
  port === start.port &&
  username + password === "" &&
  Option.isSome(hostNameOf(hostname)) &&
  (hostname === site || hostname.endsWith(`.${site}`));

/** Sends one GET to a checked address. Follows no redirect and keeps no connection. */
const get = (url: URL, addresses: ReadonlyArray<CheckedAddress>, tlsOptions: Pick<ConnectionOptions, "ca">) =>
  Effect.callback<Answer>((resume) => {
    const answer = (result: Answer) => {
      resume(Effect.succeed(result));
      asking.destroy();
    };
    let informational = 0;
    const asking = request(url, {
      ...tlsOptions,
      agent: false,
      headers: { accept: "text/xml, application/xml", "accept-encoding": "identity" },
      maxHeaderSize: MAX_HEADER_BYTES,
      minVersion: "TLSv1.2",
      // Without this option, NODE_TLS_REJECT_UNAUTHORIZED would decide.
      rejectUnauthorized: true,
      lookup: fixedLookup(addresses),
    })
      .on("information", () => {
        if (++informational > MAX_INFORMATIONAL) answer(NOTHING);
      })
      .on("response", (response) => read(response, answer))
      .on("error", () => answer(NOTHING))
      .end();
    return Effect.sync(() => asking.destroy());
  });

const read = (response: IncomingMessage, answer: (result: Answer) => void): void => {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    return answer({ _tag: "Redirect", to: headers.location });
  }
  if (statusCode !== 200) return answer(NOTHING);
  const pieces: Array<Buffer> = [];
  let bytes = 0;
  response
    .on("data", (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_DOCUMENT_BYTES) answer(NOTHING);
    })
    .on("end", () => answer({ _tag: "Document", text: new TextDecoder().decode(Buffer.concat(pieces)) }))
    .on("error", () => answer(NOTHING));
};
