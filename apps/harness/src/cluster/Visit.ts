import { SignIn } from "@postern/core/lifecycle";
import { AccountId } from "@postern/core/shared";
import { Context, Effect, type Exit, Redacted, type Scope } from "effect";
import type { Cluster } from "./Cluster.ts";
import type { NodeServices } from "./nodes/NodeServices.ts";

/** The password of the accounts of visits. */
export const PASSWORD = "the visitor's password";
/** The end of a jump in which time passes, in milliseconds. */
const SKIPPED = 1_000;

/**
 * A client that signs in after the faults ended, sends each request to any node, and checks the answers against the
 * invariant.
 */
export class Visit {
  readonly #cluster: Cluster;
  readonly #invariant: string;
  readonly #seed: number;

  constructor(cluster: Cluster, invariant: string, seed: number) {
    this.#cluster = cluster;
    this.#invariant = invariant;
    this.#seed = seed;
  }

  /** Returns the kind of this seed. Consecutive seeds get different kinds, so that no kind is left out for long. */
  pickInTurn<A>(kinds: ReadonlyArray<A>): A {
    return kinds[this.#seed % kinds.length]!;
  }

  /** True time in epoch milliseconds. */
  get now(): number {
    return this.#cluster.timeline.now;
  }

  /** Makes a request at a running node; dies without an answer. */
  ask<A, E>(
    name: string,
    useCase: (services: Context.Context<NodeServices>) => Effect.Effect<A, E, Scope.Scope>,
  ): Effect.Effect<A, E> {
    const asked = Effect.callback<Exit.Exit<A, E> | null>((resume) =>
      this.#cluster.request(
        `${this.#invariant}: ${name}`,
        useCase,
        (exit) => resume(Effect.succeed(exit)),
        ({ isOpen }) => isOpen,
      ),
    );
    return Effect.flatMap(asked, (exit) => exit ?? Effect.die(new Error(`${name} is not answered`)));
  }

  /** Makes a request; returns the tag of its error, or `Answered`. */
  tagOf<A, E extends { readonly _tag: string }>(
    name: string,
    useCase: (services: Context.Context<NodeServices>) => Effect.Effect<A, E, Scope.Scope>,
  ): Effect.Effect<string> {
    return Effect.match(this.ask(name, useCase), { onFailure: ({ _tag }) => _tag, onSuccess: () => "Answered" });
  }

  /** Lets true time pass, in milliseconds. */
  wait(millis: number): Effect.Effect<void> {
    return Effect.callback<void>((resume) => void this.#cluster.timeline.after(millis, () => resume(Effect.void)));
  }

  /**
   * Lets time jump by this many milliseconds, and then pass for a second, in which nodes do what fell due. A message that
   * is being sent has a second to be sent before, because its lease ends in the jump.
   */
  skip(millis: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { timeline, incarnations } = this.#cluster;
      const until = timeline.now + millis - SKIPPED;
      const isSending = incarnations.some(({ isOpen, calls }) => isOpen && (calls.get("MailTransport") ?? 0) > 0);
      const jump = Effect.suspend(() => (timeline.skipTo(until), this.wait(SKIPPED)));
      return isSending ? Effect.andThen(this.wait(SKIPPED), jump) : jump;
    });
  }

  /** Waits up to `millis` milliseconds until a promise holds; reports a violation if it does not. */
  within(millis: number, promise: string, holds: () => boolean): Effect.Effect<void> {
    const until = this.now + millis;
    const look: Effect.Effect<void> = Effect.suspend(() => {
      if (holds()) return Effect.void;
      if (this.now < until) return Effect.andThen(this.wait(500), look);
      return Effect.sync(() => this.expect(false, promise));
    });
    return look;
  }

  /** Reports a violation unless a promise holds. */
  expect(holds: boolean, promise: string): void {
    if (!holds) this.#cluster.violate(this.#invariant, promise);
  }

  /** Reports a violation unless both values are equal. */
  same(found: unknown, promised: unknown, of: string): void {
    const [one, other] = [JSON.stringify(found), JSON.stringify(promised)];
    this.expect(one === other, `${of} is ${one}, not ${other}`);
  }

  /** Creates an account on the mail server, signs its user in, and returns its id. */
  signUp(name: string): Effect.Effect<AccountId, unknown> {
    const account = AccountId(`${name}@sim.test`);
    this.#cluster.mail.addAccount(account, PASSWORD);
    return Effect.as(this.signIn(account, PASSWORD), account);
  }

  signIn(account: AccountId, password = PASSWORD, network = "192.0.2.20") {
    return this.ask(`sign in ${account}`, (services) =>
      Context.get(services, SignIn).withPassword(account, Redacted.make(password), { network, userAgent: "visit" }),
    );
  }
}
