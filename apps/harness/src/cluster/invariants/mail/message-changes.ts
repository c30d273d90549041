import { Effect } from "effect";
import { byText } from "../../by-text.ts";
import type { Cluster } from "../../Cluster.ts";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { textOf } from "../../world/accounts.ts";
import { ARCHIVE } from "../../world/folders.ts";
import { ownerOf } from "../webhooks/owner-of.ts";
import { apply, type Box, boxOf, FLAGS, type Flags, type Known, stateOf } from "./known-messages.ts";

const CHANGES = 9;
const LABELS = ["Work", "travel", "at-home"];
const ALL = ["inbox", ARCHIVE, "junk", "trash"];

/**
 * After any sequence of changes, moves, batches and deletions, each message is in the folder and has the flags and labels that
 * the answers promised, under the id that was shown first. A change leaves all other flags alone. Moves into INBOX are not
 * announced. [S5.1-12] [S5.2-9] [S5.3-3] [S5.5-3] [S5.7-1] [S7.4-5]
 */
export const messageChanges: Invariant = {
  name: "message-changes",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.forEach(["changing", "kim-changing"], (name) => changeMessages(visit, cluster, name), { discard: true }),
  }),
};

const changeMessages = (visit: Visit, cluster: Cluster, name: string) =>
  Effect.gen(function* () {
    // The server of one of the accounts lacks MOVE: see `hasMove`.
    const account = yield* visit.signUp(name);
    const mail = cluster.mail.account(account);
    mail.create(ARCHIVE);
    for (let n = 0; n < 4; n++) {
      mail.mailbox(n < 2 ? "INBOX" : ARCHIVE).append(textOf(`<changed-${n}@far.test>`, account), visit.now - 60_000);
    }
    yield* ownerOf(visit, cluster, account).create(`https://visit.sim.test/${name}`);
    const box = boxOf(visit, account);
    const folders = yield* box.list("Archive");
    const archive = folders.folder.id;
    const idOf = (folder: string) => (folder === ARCHIVE ? archive : folder);
    const listed = yield* Effect.forEach(ALL, (folder) =>
      Effect.map(box.list(folder), ({ emails }) => ({ folder, emails })),
    );
    let known = listed.flatMap(({ folder, emails }) =>
      emails.map(({ id, message: { messageId, unread, flagged, answered } }): Known => ({
        id,
        messageId: messageId!,
        folder,
        unread,
        flagged,
        answered,
        labels: [],
      })),
    );
    const { random } = cluster;
    const drawFlags = (): Flags => ({
      [random.pick(FLAGS)!]: random.chance(0.5),
      ...(random.chance(0.6) && { addLabels: [random.pick(LABELS)!, random.pick(LABELS)!.toUpperCase()] }),
      ...(random.chance(0.4) && { removeLabels: [random.pick(LABELS)!.toLowerCase()] }),
    });
    for (let n = 0; n < CHANGES && known.length > 1; n++) {
      const one = random.pick(known)!;
      const act = random.pick(["flags", "flags", "move", "both", "batch", "trash", "destroy"] as const)!;
      const flags = act === "flags" || act === "both" || act === "batch" ? drawFlags() : {};
      const folder = act === "move" || act === "both" || act === "batch" ? random.pick(ALL)! : undefined;
      const folderId = folder === undefined ? undefined : idOf(folder);
      if (act === "trash" || act === "destroy") {
        const done = yield* box.carryOut([one.id], { _tag: act === "trash" ? "Trash" : "Destroy" });
        const newId = act === "trash" ? one.id : null;
        visit.same(
          [done.movedTo, done.outcomes],
          [act === "trash" ? "trash" : null, [{ id: one.id, found: true, newId }]],
          `the answer to ${act}`,
        );
        if (act === "trash") one.folder = "trash";
        else known = known.filter((other) => other !== one);
      } else if (act === "batch") {
        const ids = [one.id, "unknown", ...known.filter(() => random.chance(0.5)).map(({ id }) => id)];
        const done = yield* box.carryOut(ids, { _tag: "Change", flags, folderId });
        const promised = ids.map((id) => ({ id, found: id !== "unknown", newId: id === "unknown" ? null : id }));
        visit.same(done.outcomes, promised, "the outcomes of a batch");
        for (const each of known) if (ids.includes(each.id)) apply(each, flags, folder);
      } else {
        const answer = yield* box.change(one.id, flags, folderId);
        apply(one, flags, folder);
        visit.same(
          [answer.id, answer.folder.id, stateOf(answer.message)],
          [one.id, idOf(one.folder), stateOf(one)],
          `the answer to a change of ${act}`,
        );
      }
      yield* checkFolders(visit, box, known, `after ${act} ${JSON.stringify(flags)} ${folder}`);
    }
    yield* checkListing(visit, box, known);
    visit.same(eventsOf(cluster, account, "email.received").length, 0, "the arrivals after moves by Postern");
  });

/** Every node shows the changes at once. */
const checkFolders = (visit: Visit, box: Box, known: ReadonlyArray<Known>, when: string) =>
  Effect.forEach(ALL, (folder) =>
    Effect.gen(function* () {
      const { emails, total, unread } = yield* box.list(folder);
      const there = known.filter((one) => one.folder === folder);
      const found = emails.map(({ id, message }) => [message.messageId, id, stateOf(message)]);
      const promised = there.map((one) => [one.messageId, one.id, stateOf(one)]);
      visit.same(found.toSorted(byText), promised.toSorted(byText), `the messages in ${folder} ${when}`);
      visit.same(
        [total, unread],
        [there.length, there.filter((one) => one.unread).length],
        `the counts of ${folder} ${when}`,
      );
    }),
  );

/** The listing of the account, and a search of all folders, have each message once, under the same id. */
const checkListing = (visit: Visit, box: Box, known: ReadonlyArray<Known>) =>
  Effect.gen(function* () {
    const isUsual = ({ folder }: Known) => folder !== "junk" && folder !== "trash";
    const idsOf = (some: ReadonlyArray<{ readonly id: string }>) => some.map(({ id }) => id).toSorted();
    const listed: Array<string> = [];
    let cursor: string | undefined;
    do {
      const { emails, nextCursor } = yield* box.listAll(cursor);
      listed.push(...idsOf(emails));
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined && listed.length <= known.length);
    visit.same(listed.toSorted(), idsOf(known.filter(isUsual)), "the messages of an account by parts");
    visit.same(idsOf((yield* box.search).emails), idsOf(known), "the messages of a search in all folders");
  });
