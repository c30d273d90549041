import { KnownFloods, ServerFloods } from "@postern/core/mail";
import { layer as imap } from "@postern/imap";
import {
  openConversation,
  Dovecot,
  dovecotControl,
  type FaultyLine,
  faultyLine,
  imapProxy,
  MailServerControl,
  mailServersAt,
  profileOf,
  quirkRewrite,
  signedInAccount,
  type WireFault,
} from "@postern/testkit";
import { Cause, Effect, Exit, Layer, Redacted, type Scope } from "effect";
import { vaultInMemory } from "./doubles.ts";
import { type ServedTime, servedTime } from "./served-time.ts";
import { type WireOperation, wireOperations } from "./wire-operations.ts";

/** Profiles of the servers of the accounts. */
const PROFILES = ["stalwart", "gmail", "outlook", "icloud", "yahoo", "163", "cyrus-murder", "winmail"];

const KINDS: ReadonlyArray<WireFault["kind"]> = [
  ...(["cut", "reset", "bye", "cut", "reset", "bye", "garbage", "garbage"] as const),
  ...(["silence", "bye and silence", "oversized literal", "endless line", "drip"] as const),
];

/** Faults after which a client may read bytes that the server did not send. */
const CORRUPTING = new Set<WireFault["kind"]>(["garbage", "oversized literal"]);
/** Faults that end the connection. Only these happen to an APPEND, which would wait for five minutes on an open one. */
const ENDING = new Set<WireFault["kind"]>(["cut", "reset", "bye"]);

/** Faults after which a server sends more than was requested. */
const FLOODING = new Set<WireFault["kind"]>(["oversized literal", "endless line"]);

/** Contacts a server at once after a flood, so that the next operation shows whether the connection recovers. */
class NoWait extends ServerFloods {
  override wait = () => 0;
}

/** Failures that a corrupted answer may cause: a thing is gone or may not be changed. */
const MISTAKEN = /^(?:MessageNotFound|FolderNotFound|FolderNotSelectable|MailServerError not_permitted)$/;

/** Milliseconds of served time in which an operation ends and the next one succeeds: each waits for at most a few commands. */
const WITHIN = 15_000;
const PAUSE = 60;

/** Milliseconds of served time after which no closed connection counts as open. */
const CLOSED_WITHIN = 2_000;
const MAX_CONNECTIONS = 3;

export interface WireSettings {
  readonly conversations: number;
  readonly seed: number;
  readonly accounts: number;
  /** Timeout of a connection, a greeting and a command, and of a watch without changes; in milliseconds. */
  readonly timeout: number;
}

interface Duration {
  readonly millis: number;
  readonly conversation: string;
}

const longer = (one: Duration, millis: number, conversation: string): Duration =>
  millis > one.millis ? { millis: Math.round(millis), conversation } : one;

/** The results of the conversations. */
export interface WireResults {
  /** Faults that happened, by kind. */
  readonly faults: Map<string, number>;
  /** Ends of the operations: `success`, or the tag and reason of the failure. */
  readonly ends: Map<string, number>;
  /** The longest time until an operation ended, and until one succeeded after that, in served time. */
  slowest: Duration;
  slowestRecovery: Duration;
  /** The longest time that the process computed without a pause, in milliseconds. */
  longestTurn: number;
  /** How much of the time the machine served, from 0 to 1. */
  served: number;
  /** Violations, each with its conversation. */
  readonly wrong: Array<string>;
}

/** A generator of numbers from 0 to 1 (mulberry32). */
const numbersFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

const endOf = (exit: Exit.Exit<unknown, { readonly _tag: string; readonly reason?: string }>): string => {
  if (Exit.isSuccess(exit)) return "success";
  const failure = exit.cause.reasons.find(Cause.isFailReason)?.error;
  if (failure === undefined || exit.cause.reasons.length !== 1) return `defect ${Cause.pretty(exit.cause)}`;
  return [failure._tag, failure.reason].join(" ").trim();
};

type Operation = Effect.Effect<unknown, { readonly _tag: string }>;

interface Line {
  readonly line: FaultyLine;
  readonly operations: Effect.Success<ReturnType<typeof wireOperations>>;
  /** The result of each operation, and the bytes that it receives on a new connection and on an open one. */
  readonly known: ReadonlyMap<WireOperation, { readonly result: string; readonly bytes: ReadonlyArray<number> }>;
}

/** An account on a server of its own kind, behind a line of its own. */
const openLine = Effect.fnUntraced(function* (
  nth: number,
  timeout: number,
): Effect.fn.Return<Line, unknown, Scope.Scope | Layer.Success<typeof servers>> {
  const dovecot = yield* Dovecot;
  const profile = profileOf(PROFILES[nth % PROFILES.length]!);
  const line = yield* faultyLine((yield* imapProxy(dovecot.port, quirkRewrite(profile.quirks))).port);
  const timeouts = { connect: timeout, greeting: timeout, command: timeout, keepalive: timeout };
  const ports = yield* Layer.build(
    imap({ timeouts }).pipe(
      Layer.provide(mailServersAt({ host: "127.0.0.1", port: line.port })),
      Layer.provideMerge(vaultInMemory),
    ),
  );
  const made = Effect.flatMap(signedInAccount, ({ account, credential }) =>
    wireOperations(account, credential, timeout),
  );
  const operations = yield* Effect.provide(made, ports);
  const known = new Map<WireOperation, { readonly result: string; readonly bytes: ReadonlyArray<number> }>();
  for (const [name, operation] of Object.entries(operations) as ReadonlyArray<[WireOperation, Operation]>) {
    const bytes: Array<number> = [];
    let result = "";
    for (const isNew of [true, false]) {
      if (isNew) line.hangUp();
      const before = line.received();
      result = JSON.stringify(yield* Effect.eventually(operation)) ?? "";
      bytes.push(line.received() - before);
    }
    known.set(name, { result, bytes });
  }
  return { line, operations, known };
});

const servers = Layer.provideMerge(dovecotControl, Dovecot.layer());

/** Runs conversations in which a fault happens on the wire at a random byte, the same ones for the same seed. */
export const converseUnderFaults = Effect.fn(
  function* (settings: WireSettings) {
    const none = { millis: 0, conversation: "" };
    const results: WireResults = {
      faults: new Map(),
      ends: new Map(),
      slowest: none,
      slowestRecovery: none,
      longestTurn: 0,
      served: 0,
      wrong: [],
    };
    const perAccount = Math.ceil(settings.conversations / settings.accounts);
    const numbers = Array.from({ length: settings.accounts }, (_, n) => n);
    const lines = yield* Effect.forEach(numbers, (n) => openLine(n, settings.timeout), { concurrency: 4 });
    const { credential } = yield* (yield* MailServerControl).newAccount;
    const { port } = yield* Dovecot;
    const signIn = Effect.promise(async () => {
      const password = Redacted.value(credential.password);
      const session = await openConversation("127.0.0.1", port, credential.username, password).catch(() => undefined);
      session?.close();
    });
    const time = yield* servedTime(signIn, settings.timeout / 3);
    const began = performance.now();
    yield* Effect.forEach(lines, (line, n) => converseOnLine(line, n, perAccount, settings.seed, time, results), {
      concurrency: "unbounded",
    });
    results.served = time.now() / (performance.now() - began);
    results.longestTurn = time.longestTurn();
    return results;
  },
  Effect.scoped,
  Effect.provide(servers),
  Effect.provideService(KnownFloods, new NoWait()),
);

const converseOnLine = Effect.fnUntraced(function* (
  { line, operations, known }: Line,
  nth: number,
  conversations: number,
  seed: number,
  time: ServedTime,
  results: WireResults,
) {
  const random = numbersFrom(seed + nth);
  const names = [...known.keys()];
  const run = (name: WireOperation) => operations[name] as Operation;
  const hung = Effect.andThen(time.sleep(WITHIN), Effect.fail({ _tag: `no end within ${WITHIN} ms` }));

  for (let n = 0; n < conversations; n++) {
    const name = names[Math.floor(random() * names.length)]!;
    const { result, bytes } = known.get(name)!;
    const isNew = random() < 0.3;
    const drawn = KINDS[Math.floor(random() * KINDS.length)]!;
    const kind = name === "keep" && !ENDING.has(drawn) ? "cut" : drawn;
    const after = Math.floor(random() * bytes[isNew ? 0 : 1]!);
    const garbage = Uint8Array.from({ length: 1 + Math.floor(random() * 60) }, () => Math.floor(random() * 256));
    const conversation = `account ${nth} (${PROFILES[nth % PROFILES.length]}), ${n}: ${name}, ${kind} after ${after}`;
    if (isNew) line.hangUp();
    line.arm({ after, ...(kind === "garbage" ? { kind, bytes: garbage } : { kind }) });

    const began = time.now();
    const exit = yield* Effect.exit(Effect.raceFirst(run(name), hung));
    results.slowest = longer(results.slowest, time.now() - began, conversation);
    if (line.arm(undefined)) count(results.faults, kind);
    const end = endOf(exit);
    count(results.ends, end);
    const isHarmless = Exit.isSuccess(exit) && (CORRUPTING.has(kind) || (JSON.stringify(exit.value) ?? "") === result);
    const isFlood = FLOODING.has(kind) && end === "MailServerError flood";
    const isMailFailure = isFlood || /^MailServerError (?:unreachable|timeout|busy|protocol)$/.test(end);
    const isMistaken = CORRUPTING.has(kind) && MISTAKEN.test(end);
    if (!isHarmless && !isMailFailure && !isMistaken) results.wrong.push(`${conversation}: ${end}`);

    // A session keeps state that it read from corrupted bytes, such as the permissions of a mailbox. A slow line that
    // served the operation would serve the next one as slowly.
    if (CORRUPTING.has(kind) || (kind === "drip" && Exit.isSuccess(exit))) line.hangUp();
    const failedAt = time.now();
    let last = "";
    // After a failed sign-in, the next one is delayed.
    const recovered = yield* run(name).pipe(
      Effect.map((value) => JSON.stringify(value) ?? ""),
      Effect.tapError((error) => Effect.sync(() => void (last = JSON.stringify(error)))),
      Effect.tapError(() => Effect.sleep(PAUSE)),
      Effect.eventually,
      Effect.raceFirst(time.sleep(WITHIN)),
    );
    results.slowestRecovery = longer(results.slowestRecovery, time.now() - failedAt, `${conversation}: ${end}`);
    if (recovered === undefined) results.wrong.push(`${conversation}: no success after it, but ${last}`);
    else if (recovered !== result) results.wrong.push(`${conversation}: another result after it`);
    const surplus = time.now() + CLOSED_WITHIN;
    while (line.open() > MAX_CONNECTIONS && time.now() < surplus) yield* Effect.sleep(PAUSE);
    if (line.open() > MAX_CONNECTIONS) results.wrong.push(`${conversation}: ${line.open()} connections`);
  }
});
