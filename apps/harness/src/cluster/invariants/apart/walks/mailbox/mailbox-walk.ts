import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { ownerOf } from "../../../webhooks/owner-of.ts";
import { auditOf } from "../audited.ts";
import { type Act, walk, worldActs } from "../walk.ts";
import { accountListingAct } from "./account-listing-act.ts";
import { BoxModel, PLACES } from "./BoxModel.ts";
import { changeActs } from "./change-acts.ts";
import { deletionActs } from "./deletion-acts.ts";
import { foreignChanges, foreignFolderChanges } from "./foreign-acts.ts";
import { listingActs } from "./listing-acts.ts";
import { overlappingActs } from "./overlapping-acts.ts";
import { refusedActs } from "./refused-acts.ts";

const STEPS = 25;

/**
 * After any acts of Postern and of other mail programs, listings, searches and single messages show each message in its folder,
 * with its flags and labels, under the id that was shown first; ids that ended open nothing; an answer is no older than its
 * request allows. [S5.1-1] [S5.1-2] [S5.1-3] [S5.1-4] [S5.1-7] [S5.1-11] [S5.1-12] [S5.2-9] [S5.2-12] [S5.2-13] [S5.3-3]
 * [S5.3-7] [S5.4-2] [S5.5-3] [S5.5-4] [S5.5-5] [S5.7-1]
 * [S5.7-2] [S5.7-3] [S8.7-5]
 */
export const mailboxWalk: Invariant = {
  name: "mailbox-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        // The server of one of the accounts lacks MOVE: see `hasMove`.
        const account = yield* visit.signUp(visit.pickInTurn(["walking", "kim-walking"]));
        const mail = cluster.mail.account(account);
        mail.create("Archive");
        mail.create("Shell/Core");
        const model = new BoxModel(visit, cluster, account);
        for (const place of ["INBOX", "INBOX", "INBOX", ...PLACES] as const) model.store(place, []);
        // The account is watched.
        yield* ownerOf(visit, cluster, account).create("https://visit.sim.test/walking");
        model.note();
        const noted = (act: Act): Act => ({
          ...act,
          run: Effect.andThen(
            Effect.sync(() => model.leave()),
            Effect.tap(act.run, () => Effect.sync(() => model.note())),
          ),
        });
        const foreign = foreignChanges(cluster, model);
        const acts = [
          ...listingActs(visit, cluster, model),
          accountListingAct(visit, cluster, model),
          ...changeActs(visit, cluster, model),
          ...deletionActs(visit, cluster, model, auditOf(visit, cluster, account)),
          ...refusedActs(visit, cluster, model),
          ...overlappingActs(visit, cluster, model, foreign),
          ...foreign,
          ...foreignFolderChanges(visit, cluster, model),
          ...worldActs(visit, cluster, () => []),
        ];
        yield* walk(visit, cluster, acts.map(noted), STEPS);
      }),
  }),
};
