import type { DeliveryOutcome, WebhookPost, WebhookSender } from "@postern/core/webhooks";
import { Effect } from "effect";
import type { Incarnation } from "../timeline/Incarnation.ts";
import type { SeededRandom } from "../timeline/SeededRandom.ts";
import type { Timeline } from "../timeline/Timeline.ts";
import type { Trace } from "../timeline/Trace.ts";

/** A POST that reached a receiver. */
export interface ReceivedPost {
  readonly at: number;
  readonly url: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly post: WebhookPost;
  readonly status: number;
  /** The wait that the answer asks for, in milliseconds. */
  readonly retryAfter: number | null;
}

/** The behaviour of a receiver: the probability of each failure. */
export interface ReceiverConduct {
  readonly broken: number;
  readonly silent: number;
  readonly cut: number;
  /** The longest wait for an answer, in milliseconds. */
  readonly slow: number;
}

const RELIABLE: ReceiverConduct = { broken: 0, silent: 0, cut: 0, slow: 2 };
const TIMEOUT = 10_000;
const NOTHING = { status: null, errorCode: null, excerpt: "", remoteIp: null, retryAfter: null } as const;

/** The receivers of webhooks, by URL. A POST that a node has sent arrives even if the node ends. */
export class WebhookReceivers {
  readonly posts: Array<ReceivedPost> = [];
  readonly #conducts = new Map<string, ReceiverConduct>();
  readonly #timeline: Timeline;
  readonly #random: SeededRandom;
  readonly #trace: Trace;

  constructor(timeline: Timeline, random: SeededRandom, trace: Trace) {
    this.#timeline = timeline;
    this.#random = random;
    this.#trace = trace;
  }

  behave(url: string, conduct: ReceiverConduct): void {
    this.#conducts.set(url, conduct);
  }

  /** Makes every receiver answer every later POST with 200. */
  repair(): void {
    this.#conducts.clear();
  }

  /** Returns the port of a node. */
  sender(node: Incarnation): WebhookSender["Service"] {
    return { send: (post) => this.#send(node, post) };
  }

  #send(node: Incarnation, post: WebhookPost): Effect.Effect<DeliveryOutcome> {
    return Effect.suspend(() => {
      const { broken, silent, cut, slow } = this.#conducts.get(post.url) ?? RELIABLE;
      const random = this.#random;
      const began = node.millis();
      const ends = (outcome: Partial<DeliveryOutcome>) =>
        Effect.sync((): DeliveryOutcome => ({ ...NOTHING, ...outcome, ms: Math.max(0, node.millis() - began) }));
      const isCut = random.chance(cut);
      const isSilent = random.chance(silent);
      const status = random.chance(broken) ? 500 : 200;
      const retryAfter = status === 500 && random.chance(0.3) ? random.between(0, 40_000) : null;
      const arrives = !isCut || random.chance(0.5);
      if (arrives) this.#arrive(post, isSilent ? 0 : status, isSilent ? null : retryAfter);
      return node
        .wait(isSilent ? TIMEOUT : random.between(1, slow + 1))
        .pipe(
          Effect.andThen(node.gate),
          Effect.andThen(
            isSilent
              ? ends({ errorCode: "timeout" })
              : isCut
                ? ends({ errorCode: "reset_before_headers" })
                : ends({ status, retryAfter }),
          ),
        );
    });
  }

  #arrive(post: WebhookPost, status: number, retryAfter: number | null): void {
    this.#timeline.after(1, () => {
      const eventId = post.headers["webhook-id"]!;
      const attempt = Number(post.headers["X-Service-Attempt"]);
      this.#trace.say(() => `${post.url} receives ${post.headers["X-Service-Event"]} ${eventId}: ${status}`);
      this.posts.push({ at: this.#timeline.now, url: post.url, eventId, attempt, post, status, retryAfter });
    });
  }
}
