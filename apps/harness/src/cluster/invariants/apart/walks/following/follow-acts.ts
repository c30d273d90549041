import { MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { hasNotify, hasQuickResync } from "../../../../servers/server-traits.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type FollowedMessage, type FollowModel, type FolderName, MOVABLE } from "./FollowModel.ts";
import { backlogAct } from "./backlog.ts";
import { exchangeAct } from "./exchange-act.ts";
import { heldChangeAct } from "./held-change-act.ts";
import { moveDuringPoll } from "./move-during-poll.ts";
import { wholeListing } from "./whole-listing.ts";

const FLAGS = ["\\Seen", "\\Flagged", "\\Answered", "Work", "travel"];

/** The maximum time until a folder with a new UIDVALIDITY is compared with what is known of it, in milliseconds. */
const COMPARED = 45 * SECOND;

/** Acts that change messages, by other programs and by Postern; each promises its events. */
export const followActs = (
  visit: Visit,
  cluster: Cluster,
  model: FollowModel,
  idOf: (folder: string) => string,
): ReadonlyArray<Act> => {
  const { random, mail, servers } = cluster;
  const { account } = model;
  const fresh = () => model.messages.filter(({ isTouched }) => !isTouched);
  const movable = () => fresh().filter(({ folder }) => folder !== "Sent" && folder !== "Drafts");
  const isPossible = () => movable().length > 0;
  /** Whether a message can move to a folder that holds no copy of it. */
  const isFree = ({ subject }: FollowedMessage, folder: FolderName) =>
    !model.messages.some((other) => other.subject === subject && other.folder === folder);
  const drawFlags = () => random.some(FLAGS, random.between(0, 3));
  /** Outside of INBOX, a server without CONDSTORE announces only changes of the numbers of all and of unread messages. */
  const isNoticed = ({ folder, flags }: FollowedMessage) =>
    hasQuickResync(account) || folder === "INBOX" || !flags.includes("\\Seen");
  const foreign = (name: string, run: (one: FollowedMessage) => void, weight = 1): Act => ({
    name,
    weight,
    isPossible,
    run: Effect.sync(() => run(random.pick(movable())!)),
  });
  /** Asks Postern to change a message whose id an event named. */
  const change = (
    one: FollowedMessage,
    flags: Parameters<MessageActions["Service"]["change"]>[2],
    folder?: FolderName,
  ) => {
    const id = [...model.subjects].findLast(([, subject]) => subject === one.subject)?.[0];
    return visit.ask("change", (services) =>
      Context.get(services, MessageActions).change(account, id!, flags, folder && idOf(folder)),
    );
  };
  const known = () => movable().filter(({ folder, isCopied }) => !isCopied && (model.isAll || folder === "INBOX"));
  return [
    backlogAct(visit, cluster, model),
    {
      name: "a message arrives",
      weight: 3,
      isPossible: () => model.messages.length < 14,
      run: Effect.sync(() => {
        const folder = random.pick(["INBOX", "INBOX", "Archive", "Junk", "Trash", "Sent", "Drafts", "Drafts"] as const);
        const flags = random.chance(0.5) ? [] : folder === "Drafts" ? [] : drawFlags();
        const isNameless = folder !== "Sent" && folder !== "Drafts" && random.chance(0.4);
        model.arrive(model.write(folder, flags, isNameless ? null : undefined));
      }),
    },
    {
      name: "the server does not open a folder for some time",
      weight: 2,
      // What moves to or from such a folder is recognised later.
      isPossible: () => model.isAll && model.messages.every(({ isTouched }) => !isTouched),
      run: Effect.gen(function* () {
        const folder = random.pick(["Archive", "Junk", "Trash"] as const);
        const mailbox = model.mailbox(folder);
        mailbox.isClosed = true;
        const [noticed, opened] = [random.pick([0, 0, 25]), random.between(25, 100)];
        yield* visit.wait(noticed * SECOND);
        if (!model.isOutage) yield* wholeListing(visit, cluster, model, idOf)(folder);
        if (random.chance(0.5)) model.arrive(model.write("INBOX", []));
        // While a folder is closed, each check of all folders lists them again.
        yield* visit.wait((opened - noticed) * SECOND);
        mailbox.isClosed = false;
        yield* visit.wait(COMPARED);
      }),
    },
    {
      name: "a message arrives and leaves during one poll",
      isPossible: () => hasQuickResync(account) && !model.isOutage && model.passing === 0,
      run: Effect.sync(() => {
        const { raw } = model.write("INBOX", []);
        const mailbox = model.mailbox(random.pick(model.isAll ? MOVABLE : (["INBOX"] as const)));
        const { uid } = mailbox.append(raw, visit.now);
        const { onArrivalsRead } = servers;
        model.passing++;
        servers.onArrivalsRead = (of, polled) => {
          if (of !== account || polled !== mailbox) return onArrivalsRead(of, polled);
          servers.onArrivalsRead = onArrivalsRead;
          model.passing--;
          mailbox.expunge([uid]);
        };
      }),
    },
    heldChangeAct(
      visit,
      cluster,
      model,
      () => (model.messages.every(({ isTouched }) => !isTouched) ? movable().filter(({ isCopied }) => !isCopied) : []),
      isFree,
      wholeListing(visit, cluster, model, idOf),
    ),
    exchangeAct(model, random, () => movable().filter(({ isCopied }) => !isCopied)),
    {
      name: "another program deletes a message",
      weight: 2,
      isPossible: () => fresh().some(({ isCopied }) => !isCopied),
      run: Effect.sync(() => {
        const one = random.pick(fresh().filter(({ isCopied }) => !isCopied))!;
        model.mailbox(one.folder).expunge([model.uidOf(one)]);
        model.messages.splice(model.messages.indexOf(one), 1);
        one.isTouched = true;
        model.departed(one, one.folder);
        if (one.folder !== "Sent" && one.folder !== "Drafts" && one.messageId !== null) model.left.push(one);
      }),
    },
    foreign(
      "another program moves a message",
      (one) => {
        const folder = random.pick(MOVABLE);
        if (!isFree(one, folder)) return;
        model.mailbox(one.folder).move([model.uidOf(one)], model.mailbox(folder));
        model.moved(one, folder, false);
      },
      2,
    ),
    foreign(
      "another program moves a message while folders are polled",
      (one) => {
        const [from, folder] = [one.folder, random.pick(MOVABLE)];
        // A server that announces changes is not asked for the state of all folders first.
        if (!isFree(one, folder) || from === "INBOX" || !model.isAll || hasNotify(account)) return;
        if (Object.hasOwn(model.mailbox(from), "cursor")) return;
        moveDuringPoll(model.mailbox(from), () =>
          model
            .mailbox(from)
            .move(
              [model.mailbox(from).messages.find(({ summary }) => summary.subject === one.subject)!.uid],
              model.mailbox(folder),
            ),
        );
        model.moved(one, folder, false);
        // The folder is polled because a message arrives there.
        model.arrive(model.write(from, []));
      },
      2,
    ),
    foreign("another program moves a message and sets its flags", (one) => {
      const [folder, flags] = [random.pick(MOVABLE), drawFlags()];
      if (!isFree(one, folder) || !model.isAll) return;
      const [moved] = model.mailbox(one.folder).move([model.uidOf(one)], model.mailbox(folder));
      moved!.flags = flags;
      model.moved(one, folder, false, flags);
      model.flagged(one, flags);
    }),
    foreign(
      "another program sets flags",
      (one) => {
        if (!isNoticed(one)) return;
        const isAny = one.folder === "INBOX" || hasQuickResync(account);
        const flags = isAny ? drawFlags() : [...new Set([...drawFlags(), "\\Seen"])];
        model.mailbox(one.folder).find(model.uidOf(one))!.flags = flags;
        model.flagged(one, flags);
      },
      2,
    ),
    foreign("another program copies a message", (one) => {
      const folder = random.pick(MOVABLE);
      // A copy in INBOX of a message that left it would be taken for the message.
      if (one.isCopied || one.messageId === null || !isFree(one, folder) || !model.isAll || model.hasLeft(one)) return;
      one.isCopied = true;
      one.isTouched = true;
      const copy = { ...one, folder };
      model.arrive(copy);
    }),
    {
      name: "another program brings a message back",
      isPossible: () => model.left.some(({ isTouched }) => !isTouched),
      run: Effect.sync(() => {
        const one = random.pick(model.left.filter(({ isTouched }) => !isTouched))!;
        model.left.splice(model.left.indexOf(one), 1);
        // It gets a new id.
        model.forget(one);
        one.folder = random.pick(model.isAll ? MOVABLE : (["INBOX"] as const));
        model.arrive(one);
      }),
    },
    {
      name: "Postern moves a message",
      weight: 3,
      isPossible: () => known().length > 0,
      run: Effect.gen(function* () {
        const [one, folder] = [random.pick(known())!, random.pick(MOVABLE)];
        if (!isFree(one, folder)) return;
        yield* change(one, {}, folder);
        if (folder === "INBOX") model.silent.add(one.subject);
        model.moved(one, folder, true);
      }),
    },
    {
      name: "Postern changes flags",
      isPossible: () => known().length > 0,
      run: Effect.gen(function* () {
        const one = random.pick(known())!;
        if (!isNoticed(one)) return;
        const flagged = !one.flags.includes("\\Flagged");
        yield* change(one, { flagged, unread: false });
        const others = one.flags.filter((flag) => flag !== "\\Flagged" && flag !== "\\Seen");
        model.flagged(one, [...others, "\\Seen", ...(flagged ? ["\\Flagged"] : [])]);
      }),
    },
    {
      name: "the server stops announcing changes",
      isPossible: () => hasNotify(account) && !servers.overflows.has(account),
      run: Effect.sync(() => servers.overflows.add(account)),
    },
    {
      name: "a folder gets a new UIDVALIDITY",
      // A folder whose messages changed meanwhile would be compared as a whole.
      isPossible: () =>
        model.passing === 0 &&
        model.messages.every(({ isTouched }) => !isTouched) &&
        model.left.every(({ isTouched }) => !isTouched),
      run: Effect.suspend(() => {
        const folder = random.pick(model.isAll ? MOVABLE : (["INBOX"] as const));
        model.isRenumbered = true;
        mail.account(account).recreate(folder);
        // What leaves the folder before it was compared is not promised to be recognised elsewhere.
        for (const one of model.messages) one.isTouched ||= one.folder === folder;
        // The ids open the messages again once the folder was compared.
        return visit.wait(COMPARED);
      }),
    },
  ];
};
