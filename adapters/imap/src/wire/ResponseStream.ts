import { Writable } from "node:stream";
import { ResponseReader, type Response, type ResponseLimits } from "./ResponseReader.ts";
import { nextTurn } from "./turns.ts";

/** The time for which one connection reads before others have a turn, in milliseconds. */
const SLICE = 5;

/** The consumer of the responses of a stream. */
export interface ResponseSink {
  /** Counts a response, which may be an empty line; throws if the server may not send it. */
  readonly count: (size: number) => void;
  /** Processes a response: true at once, or a promise of whether to read on. `isLast`: no further bytes have arrived. */
  readonly process: (response: Response, isLast: boolean) => true | Promise<boolean>;
  readonly received: (chunk: Buffer) => void;
}

/**
 * Reads the responses of a connection in slices, so that other work runs between them. A response that is processed at
 * once costs no promise. A failure destroys the stream with its error.
 */
export class ResponseStream extends Writable {
  readonly #sink: ResponseSink;
  readonly #reader: ResponseReader;
  #length = 0;
  #sliceEnd = 0;
  /** The number of bytes received, as imapflow counts it. */
  readBytesCounter = 0;

  constructor(limits: ResponseLimits, failure: (what: string) => Error, sink: ResponseSink) {
    super({ decodeStrings: true });
    this.#reader = new ResponseReader(limits, failure);
    this.#sink = sink;
  }

  set limits(limits: ResponseLimits) {
    this.#reader.limits = limits;
  }

  override _write(chunk: Buffer, _: unknown, done: (error?: Error) => void): void {
    this.readBytesCounter += chunk.length;
    this.#length = chunk.length;
    this.#sink.received(chunk);
    this.#reader.add(chunk);
    this.#read(done);
  }

  #read(done: (error?: Error) => void): void {
    try {
      for (;;) {
        if (this.destroyed) return;
        const next = this.#reader.next();
        if (next === undefined) return done();
        this.#sink.count(next.size);
        const { response } = next;
        if (response.payload.length > 0) {
          const isLast = !this.#reader.hasMore && this.writableLength <= this.#length;
          const isRead = this.#sink.process(response, isLast);
          if (isRead !== true) return this.#continue(isRead, done);
        }
        if (this.#isSliceOver()) return this.#continue(nextTurn(), done);
      }
    } catch (error) {
      done(error as Error);
    }
  }

  #continue(waiting: Promise<unknown>, done: (error?: Error) => void): void {
    waiting.then(
      (goesOn) => {
        if (goesOn === false) return;
        if (this.#isSliceOver()) this.#continue(nextTurn(), done);
        else this.#read(done);
      },
      (error) => done(error),
    );
  }

  #isSliceOver(): boolean {
    const now = performance.now();
    if (this.#sliceEnd === 0) {
      this.#sliceEnd = now + SLICE;
      setImmediate(() => (this.#sliceEnd = 0));
    }
    return now > this.#sliceEnd;
  }
}
