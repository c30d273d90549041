import type { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { ReceivedPost } from "../../../../servers/WebhookReceivers.ts";
import { isSigned } from "../../../../servers/is-signed.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, SECOND } from "../../durations.ts";
import { type ModelDelivery, type ModelEndpoint, type ModelEvent, TIMEOUT } from "./ModelEndpoint.ts";

/** The maximum delay of a POST after it is due, and how early one may seem. */
const LATE = 4 * SECOND;
const EARLY = 50;
/** The longest time until nodes find what fell due during a jump. */
const JUMPED = 15 * SECOND;
/** The time within which the end of a POST is not certain. */
const NEAR = 500;
/** The longest time until the end of a POST is recorded, or until a POST that is due has arrived. */
const SETTLED = 10;
/** The age of events that are compared: they are kept for 14 days. */
const KEPT = 13.9 * DAY;

interface Flight {
  readonly endpoint: ModelEndpoint;
  readonly delivery: ModelDelivery;
  readonly at: number;
  readonly until: number;
}

/** The endpoints of an account and their deliveries, as the specification describes them. */
export class WebhookModel {
  readonly account: AccountId;
  readonly endpoints: Array<ModelEndpoint> = [];
  readonly events: Array<ModelEvent> = [];
  /** The end of an attempt: deliveries in flight. */
  flights: Array<Flight> = [];
  readonly #visit: Visit;
  readonly #cluster: Cluster;
  readonly #ends: Array<string> = [];
  #posts = 0;
  #ranAt = 0;

  constructor(visit: Visit, cluster: Cluster, account: AccountId) {
    this.account = account;
    this.#visit = visit;
    this.#cluster = cluster;
  }

  get listed(): ReadonlyArray<ModelEndpoint> {
    return this.endpoints.filter(({ isRemoved }) => !isRemoved);
  }

  /** The times at which something is due. */
  get deadlines(): ReadonlyArray<number> {
    return this.listed.flatMap((endpoint) => [
      ...endpoint.deliveries.filter((one) => endpoint.isCurrent(one)).map(({ due }) => due),
      ...(endpoint.secrets.next === null ? [] : [endpoint.secrets.next.from]),
    ]);
  }

  /** Notes that nodes ran since before: what is due from now on is late if it waits. */
  ran(): void {
    this.#ranAt = this.#visit.now + JUMPED;
  }

  /** Notes that deliveries which waited for their turn may be sent now: a receiver is no longer silent, or its order no longer counts. */
  turnsChanged(): void {
    this.#ranAt = this.#visit.now + TIMEOUT;
  }

  /** Notes that an endpoint was removed. The outcomes of its POSTs in flight no longer count. */
  removed(endpoint: ModelEndpoint): void {
    endpoint.isRemoved = true;
    this.flights = this.flights.filter((flight) => flight.endpoint !== endpoint);
  }

  isKept({ at }: Pick<ModelEvent, "at">): boolean {
    return at > this.#visit.now - KEPT;
  }

  /** Takes over the events that the ledger has since, and adds their deliveries; returns their types. */
  followEvents(): ReadonlyArray<string> {
    const known = new Set(this.events.map(({ id }) => id));
    const added = eventsOf(this.#cluster, this.account).filter(({ id }) => !known.has(id));
    for (const event of added) {
      const told = { id: event.id, type: event.type, at: event.occurredAt, place: this.events.length };
      this.events.push(told);
      for (const endpoint of this.listed)
        if (endpoint.createdAt <= told.at && endpoint.settings.events.includes(told.type)) endpoint.add(told, told.at);
    }
    return added.map((event) => {
      const endpointId = dataOf(event, "endpointId");
      return endpointId === undefined
        ? event.type
        : `${event.type} ${String(endpointId)} ${String(dataOf(event, "reason"))}`;
    });
  }

  /** Follows the POSTs that arrived; checks each of them, and that none is missing. */
  observe(): void {
    const { posts } = this.#cluster.receivers;
    const visit = this.#visit;
    for (; this.#posts < posts.length; this.#posts++) {
      const post = posts[this.#posts]!;
      this.#land(post.at);
      if (!isTest(post)) this.#arrived(post);
    }
    this.#land(visit.now);
    // What waited for the end of a POST of this moment is sent a moment later.
    if (this.#isSettling()) return;
    for (const endpoint of this.listed) {
      const { conduct, settings } = endpoint;
      if (conduct === null) continue;
      const current = endpoint.deliveries.filter((one) => endpoint.isCurrent(one)).toSorted(byOrder);
      for (const { event, due } of settings.ordered ? current.slice(0, 1) : current) {
        visit.expect(
          visit.now - Math.max(due, this.#ranAt) < LATE,
          `no POST of ${event.type} to ${settings.url}, due ${visit.now - due} ms ago`,
        );
      }
    }
  }

  /** Keeps what events said about the ends of endpoints. */
  expectEnds(told: ReadonlyArray<string>): void {
    this.#ends.push(...told.filter((line) => line.startsWith("webhook.disabled")));
  }

  /** Compares the events about the ends of endpoints with those that happened. */
  checkEnds(): void {
    const promised = this.endpoints.flatMap(({ id, ends }) => ends.map((reason) => `webhook.disabled ${id} ${reason}`));
    this.#visit.same(this.#ends.toSorted(), promised.toSorted(), "the events about disabled endpoints");
  }

  #land(now: number): void {
    for (const { endpoint, delivery, until } of this.flights) if (until <= now) endpoint.ended(delivery, null, until);
    this.flights = this.flights.filter(({ until }) => until > now);
  }

  #arrived(post: ReceivedPost): void {
    const visit = this.#visit;
    const { url, eventId, at, attempt } = post;
    const endpoint = this.listed.find(({ settings }) => settings.url === url);
    const matching =
      endpoint?.deliveries.filter((one) => one.event.id === eventId && endpoint.mayArrive(one, at)) ?? [];
    const delivery = matching.toSorted(endpoint?.settings.ordered ? byOrder : (a, b) => a.due - b.due)[0];
    if (endpoint === undefined || delivery === undefined)
      return visit.expect(false, `${url} gets an event that it must not get, at ${at}, attempt ${attempt}`);
    visit.expect(at >= delivery.due - EARLY, `${url} gets an event ${delivery.due - at} ms too early`);
    const secrets = endpoint.secretsAt(at);
    visit.expect(
      secrets.every((secret, n) => isSigned(n === 0 ? post.post : withNext(post), [secret])) || endpoint.isRotating(at),
      `a POST to ${url} is not signed with the ${secrets.length} secrets of the time`,
    );
    visit.expect(
      secrets.length === 2 || post.post.headers["X-Service-Signature-Next"] === undefined || endpoint.isRotating(at),
      `a POST to ${url} is signed with two secrets after the overlap`,
    );
    const { maxInFlight, ordered } = endpoint.settings;
    const flying = this.flights.filter((one) => one.endpoint === endpoint);
    visit.expect(flying.length < maxInFlight, `${url} gets ${flying.length + 1} POSTs at a time`);
    if (ordered) {
      const earlier = endpoint.deliveries.filter((one) => endpoint.isCurrent(one) && byOrder(one, delivery) < 0);
      visit.expect(earlier.length === 0 && flying.length === 0, `an event overtakes another at the ordered ${url}`);
    }
    delivery.firstAt ??= at;
    if (post.status === 0) {
      delivery.state = "in_flight";
      this.flights.push({ endpoint, delivery, at, until: at + TIMEOUT });
    } else endpoint.ended(delivery, post.status as 200 | 500, at, post.retryAfter);
  }

  /** Whether an attempt runs, is about to begin or ended just now. */
  isBusy(): boolean {
    const { now } = this.#visit;
    const isNear = ({ due }: ModelDelivery) => Math.abs(due - now) < 3 * SECOND;
    return (
      this.#isSettling() ||
      this.flights.length > 0 ||
      this.listed.some((endpoint) => endpoint.deliveries.some((one) => endpoint.isCurrent(one) && isNear(one)))
    );
  }

  /** Waits for the attempts that begin or end now: the service may count them before or after a request of this moment. */
  untilSettled(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (; this.#isBeginning() || this.#isSettling() || this.#isLanding(); this.#catchUp())
        yield* this.#visit.wait(NEAR);
    });
  }

  /** Waits until no state is about to change, for 16 seconds at most; returns whether it is so. */
  untilCertain(): Effect.Effect<boolean> {
    return Effect.gen({ self: this }, function* () {
      for (let waits = 0; ; waits++) {
        this.#catchUp();
        if (!this.isUncertain() || waits === 4) return !this.isUncertain();
        yield* this.#visit.wait(4 * SECOND);
      }
    });
  }

  /** Whether the state of an endpoint is about to change or changed just now. */
  isUncertain(): boolean {
    const { now } = this.#visit;
    return (
      this.#isSettling() ||
      this.#isLanding() ||
      this.listed.some((endpoint) => endpoint.deliveries.some((one) => endpoint.isCurrent(one) && one.due - NEAR < now))
    );
  }

  /** Follows the events before the POSTs: an event belongs to the endpoints that are active when it occurs. */
  #catchUp(): void {
    this.expectEnds(this.followEvents());
    this.observe();
  }

  #isLanding(): boolean {
    return this.flights.some(({ until }) => until - this.#visit.now < NEAR);
  }

  /** Whether a POST arrived just now: its end may not be recorded yet. */
  #isSettling(): boolean {
    return this.#visit.now - (this.#cluster.receivers.posts.at(-1)?.at ?? 0) < SETTLED;
  }

  #isBeginning(): boolean {
    const isNow = ({ due }: ModelDelivery) => Math.abs(due - this.#visit.now) < SETTLED;
    return this.listed.some((endpoint) => endpoint.deliveries.some((one) => endpoint.isCurrent(one) && isNow(one)));
  }
}

/** Compares deliveries by the order in which an ordered endpoint gets them. */
const byOrder = (a: ModelDelivery, b: ModelDelivery): number => a.event.place - b.event.place || a.number - b.number;

const isTest = ({ post }: ReceivedPost): boolean => JSON.parse(new TextDecoder().decode(post.body)).test === true;

/** Returns a POST with its second signature as the only one. */
const withNext = ({ post }: ReceivedPost) => ({
  ...post,
  headers: { ...post.headers, "X-Service-Signature": post.headers["X-Service-Signature-Next"] ?? "" },
});
