import type { Stream } from "effect";
import type { AccountId } from "../shared/index.ts";

/** A file an account uploaded to send (spec 6). */
export interface Upload {
  readonly id: string;
  readonly account: AccountId;
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A file on its way in, as its sender describes it. */
export interface IncomingFile<E, R> {
  readonly name: string;
  readonly type: string;
  /** Fails where the file is not to be kept, be it after its last byte. */
  readonly bytes: Stream.Stream<Uint8Array, E, R>;
}
