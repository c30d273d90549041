import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../Cluster.ts";
import type { PortCall } from "../../faults/PortCall.ts";
import type { Incarnation } from "../../timeline/Incarnation.ts";

/** Longer than any request is held, in milliseconds. */
const LONG = 60_000;

/** Lets the node that serves a request stand still right before one of its calls about an account. */
export class HoldPoint {
  readonly #cluster: Cluster;
  #account: AccountId | undefined;
  /** The number of calls up to the one that is held. */
  #left = 0;
  #node: Incarnation | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Holds the next node that makes a call about an account before its call of this number, from 1. */
  arm(account: AccountId, number: number): void {
    this.#account = account;
    this.#left = number;
    this.#node = undefined;
  }

  get isHit(): boolean {
    return this.#account !== undefined && this.#left === 0;
  }

  /** Lets the node go on. */
  release(): void {
    if (this.isHit && this.#node !== undefined) this.#cluster.resume(this.#node);
    this.#account = undefined;
  }

  /** Sees a call before any of its effects. */
  see({ node, args }: PortCall): void {
    const account = this.#account;
    if (account === undefined || this.#left === 0 || !args.some((arg) => isAbout(arg, account))) return;
    this.#node ??= node;
    if (this.#node !== node || --this.#left > 0) return;
    this.#cluster.pause(node, LONG);
  }
}

const isAbout = (argument: unknown, account: AccountId): boolean => {
  if (typeof argument !== "object" || argument === null) return argument === account;
  const { account: of, id } = argument as { readonly account?: unknown; readonly id?: unknown };
  return of === account || id === account;
};
