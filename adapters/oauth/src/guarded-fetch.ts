import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, type RequestOptions } from "node:https";
import type { ConnectionOptions } from "node:tls";
import type { EgressGuard, CheckedAddress } from "@postern/core/shared";
import { fixedLookup } from "@postern/egress";
import { Data, Effect } from "effect";

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** The informational responses that may precede the final one (RFC 9110, 15.2). */
const MAX_INFORMATIONAL = 10;

/** The header fields of an answer that are kept. With `WWW-Authenticate`, the library would not read the error code in the body. */
const KEPT_FIELDS = ["content-type", "retry-after"] as const;

/**
 * The error of a request without a readable answer. `code` is an error code of Node, or names the violated rule of the
 * guard or the exceeded limit.
 */
export class NotAnswered extends Data.TaggedError("NotAnswered")<{ readonly code: string }> {}

/** A request as oauth4webapi makes it. */
export interface ProviderRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | URLSearchParams | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type GuardedFetch = (url: string, request: ProviderRequest) => Promise<Response>;

/**
 * Returns a `fetch` that connects only to addresses that the guard returned. It follows no redirect, reads at most 64 KiB
 * and keeps no connection; `http:` reaches only addresses that the operator exempted. Rejects with `NotAnswered`.
 */
export const guardedFetch =
  (guard: EgressGuard["Service"], tlsOptions: Pick<ConnectionOptions, "ca" | "secureContext">): GuardedFetch =>
  async (address, request) => {
    const url = new URL(address);
    const secure = url.protocol === "https:";
    const port = Number(url.port === "" ? (secure ? 443 : 80) : url.port);
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses = await Effect.runPromise(
      guard.resolve(host, port).pipe(
        Effect.catchTags({
          AddressDenied: ({ rule }) => Effect.fail(new NotAnswered({ code: `the egress guard refused the ${rule}` })),
          HostUnresolved: ({ reason }) => Effect.fail(new NotAnswered({ code: reason })),
        }),
        Effect.filterOrFail(
          (addresses) => secure || addresses.every(({ allowed }) => allowed),
          () => new NotAnswered({ code: "http is only for exempted addresses" }),
        ),
      ),
      { signal: request.signal },
    );
    return send(url, request, addresses, tlsOptions);
  };

const send = (
  url: URL,
  { method, headers, body, signal }: ProviderRequest,
  addresses: ReadonlyArray<CheckedAddress>,
  tlsOptions: Pick<ConnectionOptions, "ca" | "secureContext">,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const options = {
      ...tlsOptions,
      agent: false,
      method,
      headers: { ...headers, "accept-encoding": "identity" },
      maxHeaderSize: MAX_HEADER_BYTES,
      minVersion: "TLSv1.2",
      // Without this option, NODE_TLS_REJECT_UNAUTHORIZED would decide.
      rejectUnauthorized: true,
      lookup: fixedLookup(addresses),
      ...(signal === undefined ? {} : { signal }),
    } satisfies RequestOptions;
    let informational = 0;
    const asking = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options)
      .on("information", () => {
        if (++informational > MAX_INFORMATIONAL) fail(new NotAnswered({ code: "it answers 1xx without end" }));
      })
      .on("response", (response) => void read(response).then(resolve, fail))
      .on("error", (error: NodeJS.ErrnoException) => fail(new NotAnswered({ code: error.code ?? error.name })));
    const fail = (error: unknown) => {
      reject(error);
      asking.destroy();
    };
    asking.end(body?.toString());
  });

const read = async (response: IncomingMessage): Promise<Response> => {
  const pieces: Array<Buffer> = [];
  let bytes = 0;
  try {
    for await (const piece of response) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_ANSWER_BYTES) throw new NotAnswered({ code: "the answer is larger than 64 KiB" });
    }
  } catch (error) {
    throw error instanceof NotAnswered ? error : new NotAnswered({ code: "the answer was cut off" });
  }
  const kept = KEPT_FIELDS.flatMap((field) => {
    const value = response.headers[field];
    return value === undefined ? [] : [[field, value] satisfies [string, string]];
  });
  const { statusCode = 0 } = response;
  return new Response(isBodiless(statusCode) ? null : Buffer.concat(pieces), { status: statusCode, headers: kept });
};

/** Returns whether `Response` refuses a body with this status. */
const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;
