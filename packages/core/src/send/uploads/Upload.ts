import type { Stream } from "effect";
import type { AccountId } from "../../shared/index.ts";

/** How the id begins of an upload that has a file of a received message. */
export const CARRIED_PREFIX = "upm_";

/** A file that an account uploaded for sending (spec 6). */
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

/** A file being received, as the client describes it. */
export interface IncomingFile<E, R> {
  readonly name: string;
  readonly type: string;
  /** The contents. The stream may fail even after the last byte; the file must not be kept then. */
  readonly bytes: Stream.Stream<Uint8Array, E, R>;
  /** Whether the file comes from a received message. */
  readonly isCarried?: boolean;
}
