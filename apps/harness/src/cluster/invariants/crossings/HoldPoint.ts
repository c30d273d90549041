import type { Cluster } from "../../Cluster.ts";
import type { PortCall } from "../../faults/PortCall.ts";
import type { Incarnation } from "../../timeline/Incarnation.ts";

/** A time longer than any request is held, in milliseconds. */
const LONG = 60_000;

/** Halts the node that serves a request right before one of the request's calls. */
export class HoldPoint {
  readonly #cluster: Cluster;
  #about: ReadonlyArray<string> = [];
  /** The number of calls before the held one. */
  #left = 0;
  #node: Incarnation | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Halts the next node that makes a call about one of these ids, before its call of this number, from 1. */
  arm(about: ReadonlyArray<string>, number: number): void {
    this.#about = about;
    this.#left = number;
    this.#node = undefined;
  }

  get isHit(): boolean {
    return this.#about.length > 0 && this.#left === 0;
  }

  /** Lets the halted node continue. */
  release(): void {
    if (this.isHit && this.#node !== undefined) this.#cluster.resume(this.#node);
    this.#about = [];
    this.#left = 0;
  }

  /** Observes a call before any of its effects. */
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
