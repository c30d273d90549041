import { Session } from "node:inspector";

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface FunctionCoverage {
  readonly ranges: ReadonlyArray<Range>;
}

interface ScriptCoverage {
  readonly url: string;
  readonly functions: ReadonlyArray<FunctionCoverage>;
}

/** Decides which inputs reach code that no earlier input reached. */
export interface Guide {
  /** Returns whether code ran since the last call that never ran before the last `accept`. */
  readonly isNew: () => boolean;
  /** Marks the code that the last `isNew` found as known. */
  readonly accept: () => void;
}

/** Returns which characters of a function ran, one byte for each. Inner ranges follow the ranges around them. */
const marksOf = ({ ranges }: FunctionCoverage, start: number, end: number): Uint8Array => {
  const marks = new Uint8Array(end - start);
  for (const { count, startOffset, endOffset } of ranges)
    marks.fill(count > 0 ? 1 : 0, startOffset - start, endOffset - start);
  return marks;
};

/**
 * Measures by V8 which code of this repository and its dependencies runs. Each call of `isNew` takes about ten
 * milliseconds.
 */
export const codeCoverage = (): Guide & { readonly stop: () => void } => {
  const session = new Session();
  const known = new Map<string, Uint8Array>();
  let found = new Map<string, Uint8Array>();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const isNew = (): boolean => {
    found = new Map();
    session.post("Profiler.takePreciseCoverage", (_, taken) => {
      for (const { url, functions } of taken.result as ReadonlyArray<ScriptCoverage>) {
        if (!url.startsWith("file:") || url.includes("/src/fuzz/")) continue;
        for (const one of functions) {
          const { startOffset, endOffset, count } = one.ranges[0]!;
          if (count === 0) continue;
          const key = `${url} ${startOffset} ${endOffset}`;
          const [now, before] = [marksOf(one, startOffset, endOffset), known.get(key)];
          if (before === undefined || now.some((mark, at) => mark > before[at]!)) found.set(key, now);
        }
      }
    });
    return found.size > 0;
  };
  const accept = (): void => {
    for (const [key, now] of found)
      known.set(
        key,
        now.map((mark, at) => mark | (known.get(key)?.[at] ?? 0)),
      );
  };
  return { isNew, accept, stop: () => session.disconnect() };
};
