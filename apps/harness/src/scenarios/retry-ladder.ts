import type { WebhookPost } from "@postern/core/webhooks";
import { Effect } from "effect";
import { type Harness, HARNESS_URL } from "../Harness.ts";

/** A step of the scenario, with its time in milliseconds since the start. */
export interface RetryStep {
  readonly at: number;
  readonly what: string;
  readonly post?: WebhookPost;
}

/** The parts of the service's answers that the scenario reads. */
interface Data<A> {
  readonly data: A;
}
interface InboxPage {
  readonly total: number;
  readonly emails: ReadonlyArray<{ readonly subject: string }>;
}
interface Disabled {
  readonly disabledAt: string;
  readonly disabledReason: string;
}
interface DeliveryRecord {
  readonly state: string;
  readonly trigger: string;
  readonly attempts: ReadonlyArray<unknown>;
}

const RECEIVER = "https://hooks.example.com/postern";
const DEMO = { email: "demo@postern.test", password: "demo" };
const LADDER_TIME = "8 hours";

/**
 * Sends a message whose event goes to a receiver that fails for the whole ladder: after six attempts the endpoint is
 * disabled and its owner notified. After the owner repairs and enables it, a replay delivers the event (spec 7.5).
 */
export const retryLadder = Effect.fnUntraced(function* (world: Harness) {
  const moments: Array<RetryStep> = [];
  const began = world.now();
  let broken = true;
  const tell = (what: string, post?: WebhookPost) =>
    void moments.push({ at: world.now() - began, what, ...(post === undefined ? {} : { post }) });
  world.receivers.set(RECEIVER, {
    reply: (post) => {
      const status = broken ? 503 : 200;
      tell(`POST ${post.headers["X-Service-Event"]}, attempt ${post.headers["X-Service-Attempt"]}: ${status}`, post);
      return { status };
    },
  });

  let token = "";
  const call = Effect.fnUntraced(function* <A>(method: string, path: string, json?: unknown) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = { method, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) };
    const response = yield* world.request(new Request(new URL(path, HARNESS_URL), request));
    return yield* Effect.promise(() => response.json() as Promise<A>);
  });
  const inbox = call<InboxPage>("GET", "/api/inbox");

  const signIn = Effect.gen(function* () {
    ({ token } = yield* call<{ readonly token: string }>("POST", "/api/auth/mobile-login", DEMO));
  });
  yield* signIn;
  const { data: endpoint } = yield* call<Data<{ readonly id: string; readonly secret: string }>>(
    "POST",
    "/api/settings/webhooks",
    {
      url: RECEIVER,
      events: ["email.sent"],
    },
  );
  const before = yield* inbox;
  yield* call("POST", "/api/send", { to: "friend@postern.test", subject: "Lunch?", text: "At one." });
  yield* world.pass(LADDER_TIME);
  yield* signIn;

  const path = `/api/settings/webhooks/${endpoint.id}`;
  const { data: disabled } = yield* call<Data<Disabled>>("GET", path);
  const after = yield* inbox;
  const notices = after.emails.slice(0, after.total - before.total);
  moments.push({
    at: Date.parse(disabled.disabledAt) - began,
    what: `disabled (${disabled.disabledReason}); the owner got ${notices.map(({ subject }) => `“${subject}”`).join(", ")}`,
  });
  broken = false;
  yield* call("POST", `${path}/enable`);
  tell("repaired and enabled by the owner, replay requested");
  yield* call("POST", `${path}/replay`, { since: new Date(began).toISOString() });
  yield* world.pass("1 minute");
  const { data: deliveries } = yield* call<Data<ReadonlyArray<DeliveryRecord>>>("GET", `${path}/deliveries`);
  return { moments, notices, disabled, deliveries, secret: endpoint.secret };
});

/** Returns the steps as readable lines. */
export const formatSteps = (moments: ReadonlyArray<RetryStep>): string =>
  moments
    .map(({ at, what }) => {
      const seconds = Math.round(at / 1000);
      const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((n) =>
        String(Math.floor(n)).padStart(2, "0"),
      );
      return `${String(seconds).padStart(7)} s  ${clock.join(":")}  ${what}`;
    })
    .join("\n");
