import { Folders } from "@postern/core/folders";
import { Context, Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { ARCHIVE } from "../../../../world/folders.ts";
import { walk } from "../walk.ts";
import { readingActs } from "./reading-acts.ts";
import { searchActs } from "./search-acts.ts";
import { SearchedMail } from "./SearchedMail.ts";

const STEPS = 14;

/**
 * A search with any criteria, as fields or in one line, finds exactly the messages that match, in the promised order; its pages
 * show each message that stays once, whichever folders are slow and whatever other programs change meanwhile; a search that was
 * not completed says so. [S5.4-2] [S5.4-5] [S5.4-6] [S5.4-8] [S5.4-9] [S5.4-10] [S5.4-11] [S5.4-12] [S5.5-8]
 */
export const searchWalk: Invariant = {
  name: "search-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("searcher");
        cluster.mail.account(account).create(ARCHIVE);
        const mail = new SearchedMail(visit, cluster, account);
        const listed = yield* visit.ask("folders", (services) => Context.get(services, Folders).list(account));
        const idOf = (path: string) => listed.find((folder) => folder.path === path)?.id ?? path;
        const acts = [...searchActs(visit, cluster, mail, idOf), ...readingActs(visit, cluster, mail)];
        yield* walk(visit, cluster, acts, STEPS);
      }),
  }),
};
