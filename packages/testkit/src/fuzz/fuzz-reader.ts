import type { Guide } from "./code-coverage.ts";
import type { FuzzedReader } from "./FuzzedReader.ts";
import { mutate } from "./mutate.ts";
import { randomFrom } from "./random-from.ts";

/** An input on which a reader failed, with the failure. */
export interface Finding {
  readonly fault: string;
  readonly input: Buffer;
}

/** The result of a run of inputs. */
export interface FuzzResult {
  readonly inputs: number;
  /** Inputs that reached new code and were mutated further. */
  readonly kept: number;
  /** Errors that the reader does not declare, one input for each place. */
  readonly thrown: ReadonlyArray<Finding>;
  /** The input whose longest turn of the event loop took the most CPU time. */
  readonly slowest: { readonly millis: number; readonly input: Buffer };
  /** The growth of the heap in bytes; NaN if the garbage collector cannot be called. */
  readonly grownBytes: number;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly count: number;
  /** Called before each input. */
  readonly beginning?: (index: number) => void;
  /** Inputs that reach new code are mutated further; the guide is asked after every `every` inputs. */
  readonly guide?: Guide & { readonly every: number };
}

/**
 * The duration in milliseconds from which the longest turn so far is measured again, because a garbage collection may
 * have caused it.
 */
const SUSPICIOUS_MILLIS = 20;
const MEASUREMENTS = 4;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns the CPU time of this thread, in milliseconds; before Node.js 23.9, the CPU time of the process. */
const cpuMillis = (): number => {
  const { user, system } = (process as Partial<NodeJS.Process>).threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
};

/** Reads an input; returns its error, if any, and the CPU time of its longest turn. */
const readOnce = async ({ read, declares }: FuzzedReader, input: Buffer) => {
  let [longest, since, isDone] = [0, cpuMillis(), false];
  let error: unknown;
  const fail = (caught: unknown): void => {
    if (declares?.(caught) !== true) error = caught ?? new Error("threw nothing");
  };
  const endTurn = (): void => {
    const now = cpuMillis();
    longest = Math.max(longest, now - since);
    since = now;
  };
  try {
    // A reader may change its input.
    const answer = read(Buffer.from(input));
    if (answer instanceof Promise) {
      const settled = answer.catch(fail).finally(() => (isDone = true));
      while (!isDone) {
        await turn();
        endTurn();
      }
      await settled;
    }
  } catch (caught) {
    fail(caught);
  }
  endTurn();
  return { error, longest };
};

/** Returns the first line of an error and the place where it was thrown, which together identify a fault. */
const faultOf = (error: unknown): string => {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  const place = /\n +at (.*)/.exec(error.stack ?? "")?.[1] ?? "";
  return `${error.name}: ${error.message.slice(0, 120)} at ${place}`;
};

/** Returns the place of a fault; unknown for a recursion, because a recursion may end anywhere. */
const placeOf = (fault: string): string =>
  fault.startsWith("RangeError: Maximum call stack") ? "recursion" : fault.slice(fault.lastIndexOf(" at "));

/** Returns the first input of a batch that reaches new code, by reading halves of it again. */
const findNew = async (
  reader: FuzzedReader,
  batch: ReadonlyArray<Buffer>,
  guide: Guide,
): Promise<ReadonlyArray<Buffer>> => {
  let candidates = batch;
  while (candidates.length > 1) {
    const half = candidates.slice(0, candidates.length >> 1);
    for (const input of half) await readOnce(reader, input);
    candidates = guide.isNew() ? half : candidates.slice(half.length);
  }
  for (const input of candidates) await readOnce(reader, input);
  // Code that runs only once per process does not run again.
  if (!guide.isNew()) return [];
  guide.accept();
  return candidates;
};

/** Reads mutated inputs of a reader's corpus; the same seed gives the same inputs. */
export const fuzzReader = async (reader: FuzzedReader, options: FuzzOptions): Promise<FuzzResult> => {
  const { seed, count, beginning, guide } = options;
  const random = randomFrom(seed);
  const corpus: Array<Buffer> = reader.corpus.map((input) =>
    typeof input === "string" ? Buffer.from(input, "latin1") : Buffer.from(input),
  );
  const thrown = new Map<string, Finding>();
  let slowest: FuzzResult["slowest"] = { millis: 0, input: Buffer.alloc(0) };

  const check = async (input: Buffer): Promise<void> => {
    let { error, longest } = await readOnce(reader, input);
    for (let n = 1; n < MEASUREMENTS && longest > Math.max(slowest.millis, SUSPICIOUS_MILLIS); n++) {
      longest = Math.min(longest, (await readOnce(reader, input)).longest);
    }
    if (longest > slowest.millis) slowest = { millis: longest, input };
    if (error === undefined) return;
    const fault = faultOf(error);
    const known = thrown.get(placeOf(fault));
    if (known === undefined || known.input.length > input.length) thrown.set(placeOf(fault), { fault, input });
  };

  for (const input of corpus) await check(input);
  if (guide?.isNew() === true) guide.accept();
  const collect = globalThis.gc;
  collect?.();
  const before = process.memoryUsage().heapUsed;
  let batch: Array<Buffer> = [];
  for (let index = 0; index < count; index++) {
    beginning?.(index);
    const input = mutate(corpus, random);
    await check(input);
    if (guide === undefined || batch.push(input) < guide.every) continue;
    if (guide.isNew()) corpus.push(...(await findNew(reader, batch, guide)));
    batch = [];
  }
  collect?.();
  const grownBytes = collect === undefined ? Number.NaN : process.memoryUsage().heapUsed - before;
  const kept = corpus.length - reader.corpus.length;
  return { inputs: reader.corpus.length + count, kept, thrown: [...thrown.values()], slowest, grownBytes };
};
