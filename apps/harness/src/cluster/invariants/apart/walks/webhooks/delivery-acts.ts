import { FolderManagement } from "@postern/core/folders";
import { MessageSender } from "@postern/core/send";
import { WebhookDeliveries, WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { failedReplayAct } from "./failed-replay-act.ts";
import { lastAttemptAct } from "./last-attempt-act.ts";
import { compareDeliveries, ownerIn } from "./webhook-requests.ts";
import type { WebhookModel } from "./WebhookModel.ts";

/** The steps of the longest ladder. */
const LADDER_STEPS = 6;

/** The acts that raise events, and those on deliveries. [S7.5-8] [S7.5-9] [S7.5-10] [S7.6-7] [S7.6-8] */
export const deliveryActs = (
  visit: Visit,
  cluster: Cluster,
  model: WebhookModel,
  stranger: WebhookModel,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const owner = ownerIn(model);
  let count = 0;
  const tagOf = <A, E extends { readonly _tag: string }>(
    name: string,
    use: (all: WebhookDeliveries["Service"]) => Effect.Effect<A, E>,
  ) => visit.tagOf(name, (services) => use(Context.get(services, WebhookDeliveries)));
  const raise = Effect.gen(function* () {
    const { account } = model;
    const told = model.followEvents();
    model.expectEnds(told);
    const isMail = random.chance(0.6);
    if (isMail)
      yield* visit.ask("send", (services) =>
        Context.get(services, MessageSender).send(
          account,
          { to: "one@far.test", subject: `told ${++count}`, text: "walked" },
          undefined,
        ),
      );
    else
      yield* visit.ask("create a folder", (services) =>
        Context.get(services, FolderManagement).create(account, { name: `told ${++count}`, parentId: null }),
      );
    const raised = model.followEvents();
    visit.same(
      raised.filter((line) => !line.startsWith("webhook.")),
      [isMail ? "email.sent" : "folder.created"],
      "the events of one act",
    );
    model.expectEnds(raised);
  });
  const some = () => model.listed.filter(({ deliveries }) => deliveries.some(({ event }) => model.isKept(event)));

  const resend = Effect.gen(function* () {
    yield* model.untilSettled();
    const endpoint = random.pick(some())!;
    const page = yield* visit.ask("deliveries", (services) =>
      Context.get(services, WebhookDeliveries).page(owner, endpoint.id, { limit: 200 }),
    );
    const { delivery } = random.pick(page.deliveries.filter((one) => model.isKept({ at: one.delivery.occurredAt })))!;
    const other = yield* tagOf("resend", (all) => all.resend(ownerIn(stranger), endpoint.id, delivery.id));
    visit.same(other, "EndpointNotFound", "a resend by another account");
    const tag = yield* tagOf("resend", (all) => all.resend(owner, endpoint.id, delivery.id));
    visit.same(tag, endpoint.isEnabled ? "Answered" : "EndpointDisabled", "a resend");
    if (endpoint.isEnabled)
      endpoint.add(
        model.events.find(({ id }) => id === delivery.eventId)!,
        visit.now,
        true,
      );
  });

  const replay = Effect.gen(function* () {
    const fruitful = model.listed.filter((one) =>
      one.deliveries.some((delivery) => ["held", "exhausted"].includes(one.stateOf(delivery))),
    );
    const endpoint = random.pick(fruitful.length > 0 && random.chance(0.9) ? fruitful : model.listed)!;
    if (!endpoint.isEnabled && random.chance(0.8)) {
      yield* visit.ask("enable", (services) => Context.get(services, WebhookEndpoints).enable(owner, endpoint.id));
      endpoint.enable();
    }
    const { now } = visit;
    const since = now - random.pick([HOUR, DAY, DAY, 13 * DAY, 13 * DAY, 14 * DAY - MINUTE, 14 * DAY + MINUTE]);
    const until = random.pick([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      now - HOUR,
      now - 20 * SECOND,
      since,
    ]);
    const states = random.pick([
      undefined,
      undefined,
      undefined,
      ["held"],
      ["exhausted"],
      ["held", "exhausted"],
    ] as const);
    const request = {
      since: new Date(since).toISOString(),
      ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
      ...(states === undefined ? {} : { states }),
    };
    const faults = [
      ...(since < now - 14 * DAY ? ["ReplayTooOld"] : []),
      ...(until !== undefined && until <= since ? ["InputInvalid"] : []),
      ...(endpoint.isEnabled ? [] : ["EndpointDisabled"]),
    ];
    const isOld = since < now - 13 * DAY - HOUR;
    const answer = yield* Effect.result(
      visit.ask("replay", (services) => Context.get(services, WebhookDeliveries).replay(owner, endpoint.id, request)),
    );
    const tag = answer._tag === "Success" ? "Answered" : answer.failure._tag;
    visit.expect(
      faults.length === 0 ? tag === "Answered" : faults.includes(tag),
      `a replay of ${JSON.stringify(request)} is ${tag}, not ${String(faults)}`,
    );
    if (faults.length > 0 || answer._tag === "Failure") return;
    const queued = endpoint.replay(since, until ?? now + 1, states ?? ["held", "exhausted"], now);
    if (!isOld) visit.same(answer.success.queued, queued, `what a replay of ${JSON.stringify(request)} queues`);
  });

  /** Lets time pass up to the next attempt; returns false if none is due, or one is on its way. */
  const passStep = Effect.gen(function* () {
    yield* model.untilSettled();
    model.expectEnds(model.followEvents());
    model.observe();
    const due = Math.min(...model.deadlines.filter((at) => at > visit.now + 3 * SECOND && at < visit.now + HOUR));
    if (due === Infinity || model.flights.length > 0) return false;
    // A POST that begins now would be on its way while time jumps.
    const isNear = model.deadlines.some((at) => at > visit.now - SECOND && at <= visit.now + 3 * SECOND);
    yield* isNear ? visit.wait(4 * SECOND) : visit.skip(due - visit.now + SECOND);
    model.ran();
    yield* visit.wait(SECOND);
    return true;
  });
  const endLadders = Effect.gen(function* () {
    for (let step = 0; step < LADDER_STEPS && (yield* passStep); step++);
  });

  return [
    failedReplayAct(visit, cluster, model, raise, endLadders),
    lastAttemptAct(visit, cluster, model, raise, passStep),
    { name: "something happens", weight: 9, run: raise },
    { name: "resend", weight: 2, isPossible: () => some().length > 0, run: resend },
    {
      name: "replay",
      weight: 6,
      isPossible: () => model.listed.length > 0,
      run: Effect.suspend(() => {
        model.expectEnds(model.followEvents());
        model.observe();
        return model.isUncertain() ? Effect.void : replay;
      }),
    },
    {
      name: "the ladders end",
      weight: 2,
      isPossible: () => model.listed.some(({ conduct }) => conduct === 500),
      run: endLadders,
    },
    { name: "compare deliveries", weight: 4, run: Effect.suspend(() => compareDeliveries(visit, cluster, model)) },
  ];
};
