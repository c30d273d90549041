import { Effect, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import { byteRange, slice } from "./byte-range.ts";
import { downloadHeaders } from "./download-headers.ts";
import { RangeUnsatisfiable } from "./RangeUnsatisfiable.ts";

/** Bytes to send, of a message or of an upload. */
interface Download<E> {
  readonly name: string | null;
  /** The media type, which is untrusted. */
  readonly type: string;
  readonly tag: string;
  readonly first: Stream.Stream<Uint8Array, E>;
  /** Starts a new stream from the beginning. */
  readonly bytes: Effect.Effect<Stream.Stream<Uint8Array, E>, E>;
}

interface RangeHeaders {
  readonly range?: string;
  readonly "if-range"?: string;
}

/** Returns a response with all bytes, or with the requested range. */
export const sendBytes = Effect.fnUntraced(function* <E>(
  { name, type, tag, first, bytes }: Download<E>,
  asked: RangeHeaders,
) {
  const headers = downloadHeaders(name, type, tag);
  const isSame = asked["if-range"] === undefined || asked["if-range"] === headers["etag"];
  const range = isSame ? byteRange(asked.range) : undefined;
  if (range === undefined) return HttpServerResponse.stream(first, { headers });
  // The size is known only after decoding.
  const size = yield* Stream.runFold(
    first,
    () => 0,
    (sum, some) => sum + some.length,
  );
  const part = slice(range, size);
  if (part === undefined) return yield* new RangeUnsatisfiable({ size });
  const { from, to } = part;
  return HttpServerResponse.stream(between(yield* bytes, from, to), {
    status: 206,
    headers: {
      ...headers,
      "content-range": `bytes ${from}-${to}/${size}`,
      "content-length": `${to - from + 1}`,
    },
  });
});

/** Returns the bytes between two positions, both inclusive; pulls no further bytes. */
const between = <E>(bytes: Stream.Stream<Uint8Array, E>, from: number, to: number): Stream.Stream<Uint8Array, E> =>
  Stream.suspend(() => {
    let at = 0;
    return bytes.pipe(
      Stream.map((some) => {
        const begin = at;
        at += some.length;
        return some.subarray(Math.max(0, from - begin), Math.max(0, to + 1 - begin));
      }),
      Stream.takeUntil(() => at > to),
      Stream.filter((some) => some.length > 0),
    );
  });
