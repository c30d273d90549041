import type { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HoldPoint } from "../../../crossings/HoldPoint.ts";
import { serveBeside } from "../../../crossings/serve-beside.ts";
import type { Assistant } from "../../agents/assistant.ts";
import { MINUTE } from "../../durations.ts";
import type { WalkedGrant } from "./WalkedGrant.ts";

type Answer = Effect.Success<ReturnType<Assistant["renew"]>>;
type Tokens = Extract<Answer, { readonly _tag: "Success" }>["success"];

/** Requests about one grant at two processes at once. */
export const crossedGrants = (
  visit: Visit,
  cluster: Cluster,
  account: AccountId,
  { renew, holder, grants }: Assistant,
  pick: () => WalkedGrant,
  rotated: (one: WalkedGrant, tokens: Tokens, at?: number) => void,
) => {
  const { random } = cluster;
  const hold = new HoldPoint(cluster);
  cluster.listeners.push((call) => hold.see(call));
  /** Picks a grant whose next use is noted. */
  const next = Effect.suspend(() => Effect.as(visit.skip(2 * MINUTE), pick()));
  /** A grant may not end unused while a request about it is halted. */
  const isEnding = ({ expiresAt }: WalkedGrant) => expiresAt - visit.now < MINUTE;
  const beside = (id: string, held: Effect.Effect<unknown, unknown>, meanwhile: Effect.Effect<unknown, unknown>) =>
    serveBeside(visit, hold, { about: [id], call: random.between(1, 4) }, held, meanwhile);
  return {
    /** An assistant uses its token while another process refreshes it: the new tokens stay valid. [S13.3-5] */
    use: Effect.gen(function* () {
      const one = yield* next;
      if (isEnding(one)) return;
      let answer: Answer | undefined;
      // Tokens are valid from the beginning of a refresh, which may be halted.
      let began = visit.now;
      const use = holder(one.access);
      const rotate = Effect.suspend(() => {
        began = visit.now;
        return Effect.map(renew(one.refresh), (found) => (answer = found));
      });
      yield* random.chance(0.7) ? beside(one.id, use, rotate) : beside(one.id, rotate, use);
      if (answer?._tag !== "Success") return visit.expect(false, "a refresh beside a use is refused");
      rotated(one, answer.success, began);
    }),
    /** A person ends a grant while another process uses or refreshes it: it stays ended. [S13.3-15] */
    end: Effect.gen(function* () {
      const one = yield* next;
      if (isEnding(one)) return;
      let answer: Answer | undefined;
      const rotate = Effect.map(renew(one.refresh), (found) => (answer = found));
      const end = grants((use) => use.end(account, one.id));
      yield* beside(one.id, random.chance(0.5) ? rotate : holder(one.access), end);
      one.isEnded = true;
      if (answer?._tag !== "Success") return;
      visit.same(yield* holder(answer.success.accessToken), undefined, "a token from beside the end of its grant");
      rotated(one, answer.success);
    }),
  };
};
