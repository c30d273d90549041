import { LiveEvents } from "@postern/core/lifecycle";
import type { MailEvent } from "@postern/core/events";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type FeedModel, type FedAccount, tells, TOLD } from "./FeedModel.ts";
import { BEGUN } from "./stream-acts.ts";

type Following = Parameters<LiveEvents["Service"]["follow"]>[0];

const TYPES = ["folder.created", "account.added", "email.received"];

/** Acts of a program that embeds Postern and follows all accounts. */
export const followActs = (visit: Visit, { random }: Cluster, model: FeedModel): ReadonlyArray<Act> => {
  const follow = (following: Following, millis: number, during: Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const found: Array<MailEvent> = [];
      const open = visit.ask("follow", (services) =>
        Effect.gen(function* () {
          const all = yield* Context.get(services, LiveEvents).follow(following);
          yield* Stream.runForEach(Stream.interruptWhen(all, Effect.sleep(millis)), (event) =>
            Effect.sync(() => void (model.isOfAccount(event) && found.push(event))),
          );
        }),
      );
      yield* Effect.all([open, Effect.andThen(visit.wait(BEGUN), during)], { concurrency: 2 });
      return found;
    });
  return [
    {
      name: "follow all accounts",
      weight: 3,
      run: Effect.gen(function* () {
        const place = random.pick([...model.places, undefined]);
        // An account that was added after the place has all its mail told.
        if (random.chance(0.4)) yield* Effect.andThen(model.addEarly, model.learn);
        const after = (random.chance(0.5) ? place?.last : undefined) ?? place?.position;
        const from = place?.seen ?? model.told.length;
        const types = random.chance(0.4) ? random.some(TYPES, 2) : undefined;
        const accounts = random.chance(0.4) ? random.some(model.accounts, 2) : undefined;
        const isOf = ({ id }: FedAccount) => accounts === undefined || accounts.some((one) => one.id === id);
        const isOfType = (type: string) => types?.includes(type) ?? true;
        const isWatched = types === undefined || types.includes("email.received");
        const early = model.accounts.filter((one) => isWatched && isOf(one) && one.addedAt >= from);
        const mail = early.flatMap((one) => one.early);
        for (const one of model.accounts) if (isWatched && isOf(one)) one.early = [];
        const found = yield* follow(
          { after, types, accounts: accounts?.map(({ id }) => id) },
          BEGUN + 2 * TOLD + 4 * SECOND,
          Effect.gen(function* () {
            const watched = model.accounts.find((one) => one.tag !== null && isOf(one));
            if (isWatched && watched !== undefined) mail.push(watched.arrive());
            yield* model.createFolder(random.pick(model.accounts)!);
            yield* visit.wait(TOLD);
            if (isWatched && accounts === undefined && model.accounts.length < 6) {
              mail.push((yield* model.add(random.pick(["left", "right"]))).arrive());
            }
            yield* model.learn;
          }),
        );
        const promised = model.told
          .slice(from)
          .filter(
            (event) => isOfType(event.type) && model.accounts.some((one) => one.id === event.account && isOf(one)),
          );
        const of = `what follows ${after ?? "now"} of ${accounts?.map(({ id }) => id).join(" ") ?? "all"} and ${types?.join(" ") ?? "all types"}`;
        visit.same(model.inGroups(found), model.inGroups(promised), of);
        for (const messageId of mail) visit.expect(tells(found, messageId), `${of} misses the mail ${messageId}`);
      }),
    },
    {
      name: "follow what cannot be",
      run: Effect.gen(function* () {
        const place = random.pick(model.places);
        const elsewhere = place?.position.replace(/^[^.]+/, "elsewhere") ?? "elsewhere.1";
        for (const [following, promised] of [
          [{ types: ["email.unknown"] }, "InputInvalid"],
          [{ accounts: ["nobody"] }, "InputInvalid"],
          [{ after: "nowhere" }, "InputInvalid"],
          [{ after: elsewhere }, "FeedExpired"],
        ] as const) {
          const tag = visit.tagOf("follow", (services) => Context.get(services, LiveEvents).follow(following));
          visit.same(yield* tag, promised, `to follow ${JSON.stringify(following)}`);
        }
      }),
    },
  ];
};
