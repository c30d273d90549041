import type { Cluster } from "../../Cluster.ts";
import type { PortCall } from "../../faults/PortCall.ts";
import type { Incarnation } from "../../timeline/Incarnation.ts";

/** Longer than any request is held, in milliseconds. */
const LONG = 60_000;

/** Lets the node that serves a request stand still right before one of its calls about it. */
export class HoldPoint {
  readonly #cluster: Cluster;
  #about: ReadonlyArray<string> = [];
  /** The number of calls up to the one that is held. */
  #left = 0;
  #node: Incarnation | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Holds the next node that makes a call about one of these ids before its call of this number, from 1. */
  arm(about: ReadonlyArray<string>, number: number): void {
    this.#about = about;
    this.#left = number;
    this.#node = undefined;
  }

  get isHit(): boolean {
    return this.#about.length > 0 && this.#left === 0;
  }

  /** Lets the node go on. */
  release(): void {
    if (this.isHit && this.#node !== undefined) this.#cluster.resume(this.#node);
    this.#about = [];
    this.#left = 0;
  }

  /** Sees a call before any of its effects. */
  see({ node, args }: PortCall): void {
    if (this.#left === 0 || !args.some((arg) => this.#about.some((id) => isAbout(arg, id)))) return;
    this.#node ??= node;
    if (this.#node !== node || --this.#left > 0) return;
    this.#cluster.pause(node, LONG);
  }
}

const isAbout = (argument: unknown, about: string): boolean => {
  if (typeof argument !== "object" || argument === null) return argument === about;
  const { account, application, id } = argument as Readonly<Record<"account" | "application" | "id", unknown>>;
  return account === about || application === about || id === about;
};
