import type { Stream } from "effect";
import type { AccountId } from "../../shared/index.ts";

/** The prefix of the id of an upload that contains a file of a received message. */
export const CARRIED_PREFIX = "upm_";

/** A file that an account uploaded for sending (spec 6). */
export interface Upload {
  readonly id: string;
  readonly account: AccountId;
  readonly name: string;
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A file that is being received, with the client's description. */
export interface IncomingFile<E, R> {
  readonly name: string;
  readonly type: string;
  /** The contents. If the stream fails, even after the last byte, the file must not be kept. */
  readonly bytes: Stream.Stream<Uint8Array, E, R>;
  /** Whether the file comes from a received message. */
  readonly isCarried?: boolean;
}
