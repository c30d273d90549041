import type { Lease } from "@postern/core/shared";
import type { Cluster } from "../../Cluster.ts";
import type { PortCall } from "../../faults/PortCall.ts";

interface Held extends Lease {
  readonly node: string;
}

/** The holders of the rows of a port, according to the answers of the port. */
export class LeaseTable {
  readonly #held = new Map<string, Held>();
  /** The end of the last stored lease of a token on a row. */
  readonly #ends = new Map<string, number>();
  readonly #cluster: Cluster;
  readonly #port: string;

  constructor(cluster: Cluster, port: string) {
    this.#cluster = cluster;
    this.#port = port;
  }

  /** Records that a row was claimed at `now`, by the clock of the node that claimed it. */
  take(id: string, now: number, { token, until }: Lease, call: PortCall): void {
    const held = this.#held.get(id);
    if (held !== undefined && held.until > now) {
      this.#violate(call, `takes ${id}, which ${held.node} holds for ${held.until - now} ms more`);
    }
    this.#held.set(id, { token, until, node: call.node.name });
    this.#ends.set(`${token} ${id}`, until);
  }

  /** Records that a node requests the renewal of a lease, which must not have ended by the clock of the node. */
  ask(id: string, token: string, call: PortCall): void {
    const late = call.node.millis() - (this.#ends.get(`${token} ${id}`) ?? Infinity);
    if (late >= 0) this.#violate(call, `asks for ${id}, whose lease ended ${late} ms ago`);
  }

  /** Records that a write under this token was accepted. */
  use(id: string, token: string, call: PortCall, until?: number): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    if (held.token !== token) return this.#violate(call, `changes ${id}, which ${held.node} took over`);
    if (until === undefined) return;
    this.#held.set(id, { ...held, until });
    this.#ends.set(`${token} ${id}`, until);
  }

  /** Records that a node changed a row that only the holder of the lease may change, under any token. */
  act(id: string, call: PortCall): void {
    const held = this.#held.get(id);
    if (held?.node !== call.node.name) {
      this.#violate(call, `changes ${id}, which ${held === undefined ? "no node" : held.node} holds`);
    }
  }

  /** Records that a lease was found expired at `now`. */
  expire(id: string, now: number, call: PortCall): void {
    const held = this.#held.get(id);
    if (held !== undefined && held.until > now) {
      this.#violate(call, `reclaims ${id}, which ${held.node} holds for ${held.until - now} ms more`);
    }
    this.#held.delete(id);
  }

  /** Records that a lease was released, if it has this token. */
  free(id: string, token?: string): void {
    if (token === undefined || this.#held.get(id)?.token === token) this.#held.delete(id);
  }

  /**
   * Records that a lease may have been released: other nodes may claim the row, and until then its holder may still
   * change it.
   */
  loosen(id: string, token?: string): void {
    const held = this.#held.get(id);
    if (held !== undefined && (token === undefined || held.token === token))
      this.#held.set(id, { ...held, until: -Infinity });
  }

  freeAll(token: string): void {
    for (const id of this.#held.keys()) this.free(id, token);
  }

  #violate({ node, method }: PortCall, detail: string): void {
    this.#cluster.violate("leases", `${node.name} ${this.#port}.${method} ${detail}`);
  }
}
