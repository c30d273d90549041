import type { Socket } from "node:net";
import { fixedLookup } from "@postern/egress";
import { Effect, type Scope } from "effect";
import type { Client } from "undici";
import type { CheckedUrl } from "./check-url.ts";
import type { WebhookHttpSettings } from "./WebhookHttpOptions.ts";

/** A connection of one endpoint, opened on first use, for one POST at a time. */
export interface Line {
  readonly client: Client;
  readonly owner: string;
  /** The remote address while connected. */
  remoteIp: string | null;
}

/** Connections kept for the next POST of their endpoint, up to a total limit. */
export interface Lines {
  /**
   * Returns a kept connection to one of the vetted addresses, or a new connection that can reach only these addresses.
   */
  readonly lease: (endpointId: string, url: CheckedUrl) => Line;
  readonly release: (line: Line) => void;
  readonly discard: (line: Line) => void;
}

/** Maximum number of kept connections for all endpoints. */
const KEPT_LINES = 256;
const MAX_HEADER_BYTES = 16 * 1024;
/** The receiver's `Keep-Alive` header may change the timeout. */
const KEEP_ALIVE = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 60_000 };

/**
 * Loads undici and returns its kept connections. Loading takes a fifth of a second, so services without webhooks skip
 * it.
 */
export const linesOf = (settings: WebhookHttpSettings): Effect.Effect<Lines, never, Scope.Scope> =>
  Effect.zipWith(
    Effect.promise(() => import("undici")),
    Effect.acquireRelease(
      Effect.sync(() => new Set<Line>()),
      (open) => Effect.promise(() => Promise.all([...open].map(({ client }) => client.destroy()))),
    ),
    (undici, open) => {
      /** The kept connections, least recently used first; `byOwner` indexes them by endpoint. */
      const kept = new Set<Line>();
      const byOwner = new Map<string, Array<Line>>();

      const takeOut = (line: Line): void => {
        if (!kept.delete(line)) return;
        const others = byOwner.get(line.owner)!.filter((other) => other !== line);
        if (others.length > 0) byOwner.set(line.owner, others);
        else byOwner.delete(line.owner);
      };

      const discard = (line: Line): void => {
        takeOut(line);
        open.delete(line);
        void line.client.destroy();
      };

      const lease = (endpointId: string, url: CheckedUrl): Line => {
        const owner = `${endpointId} ${url.origin}`;
        const found = byOwner
          .get(owner)
          ?.findLast(({ remoteIp }) => url.addresses.some(({ address }) => address === remoteIp));
        if (found !== undefined) {
          takeOut(found);
          return found;
        }
        const line: Line = {
          client: new undici.Client(
            url.origin,
            optionsOf(url, (socket) => track(line, socket)),
          ),
          owner,
          remoteIp: null,
        };
        open.add(line);
        return line;
      };

      const track = (line: Line, socket: Socket): void => {
        line.remoteIp = socket.remoteAddress ?? null;
        socket.once("close", () => {
          if (kept.has(line)) discard(line);
        });
      };

      const release = (line: Line): void => {
        kept.add(line);
        byOwner.set(line.owner, [...(byOwner.get(line.owner) ?? []), line]);
        const [oldest] = kept;
        if (kept.size > KEPT_LINES && oldest !== undefined) discard(oldest);
      };

      const optionsOf = (url: CheckedUrl, connected: (socket: Socket) => void): Client.Options => {
        const connect = undici.buildConnector({
          ...settings.tlsOptions,
          timeout: settings.connectTimeout,
          minVersion: "TLSv1.2",
          rejectUnauthorized: true,
          allowH2: false,
          autoSelectFamily: true,
          // IP literals need no lookup, and were vetted before.
          lookup: fixedLookup(url.addresses),
        });
        return {
          ...KEEP_ALIVE,
          allowH2: false,
          useMilo: false,
          pipelining: 1,
          maxHeaderSize: MAX_HEADER_BYTES,
          headersTimeout: 0,
          bodyTimeout: 0,
          connect: (target, callback) =>
            connect(target, (...answer) => {
              if (answer[0] === null) connected(answer[1]);
              callback(...answer);
            }),
        };
      };

      return { lease, release, discard };
    },
  );
