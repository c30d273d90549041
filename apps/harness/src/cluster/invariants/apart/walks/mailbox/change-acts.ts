import { Inbox, MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import { hasMove } from "../../../../servers/server-traits.ts";
import type { Act } from "../walk.ts";
import { type BoxMessage, type BoxModel, PLACES, type PlaceName, textOf } from "./BoxModel.ts";

type Actions = MessageActions["Service"];
type Flags = Parameters<Actions["change"]>[2];

const LABELS = ["Work", "work", "Travel", "Étude"];
const WRONG_LABELS: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
  [["two words"], "LabelInvalid"],
  [["$Junk"], "LabelInvalid"],
  [["x".repeat(65)], "LabelInvalid"],
  [["star*"], "LabelInvalid"],
  [Array.from({ length: 51 }, (_, n) => `label-${n}`), "InputInvalid"],
  // The server in memory stores keywords of at most 50 bytes.
  [["x".repeat(64)], "LabelsNotSupported"],
];

/** Acts that change, move and delete messages through Postern, and compare the answers with the model. */
export const changeActs = (visit: Visit, { random }: Cluster, model: BoxModel): ReadonlyArray<Act> => {
  const { account } = model;
  const act = <A, E>(name: string, use: (actions: Actions) => Effect.Effect<A, E>) =>
    visit.ask(name, (services) => use(Context.get(services, MessageActions)));
  const tag = <A, E extends { readonly _tag: string }>(name: string, use: (actions: Actions) => Effect.Effect<A, E>) =>
    visit.tagOf(name, (services) => use(Context.get(services, MessageActions)));
  const known = () => model.known;
  const isPossible = () => known().length > 0;
  const draw = () => random.pick(known())!;
  const drawFlags = (): Flags => {
    const flags: Flags = {
      ...(random.chance(0.4) && { unread: random.chance(0.5) }),
      ...(random.chance(0.4) && { flagged: random.chance(0.5) }),
      ...(random.chance(0.3) && { answered: random.chance(0.5) }),
      ...(random.chance(0.4) && { addLabels: random.some(LABELS, 2) }),
      ...(random.chance(0.3) && { removeLabels: random.some(LABELS, 2) }),
    };
    return Object.keys(flags).length === 0 ? { flagged: true } : flags;
  };
  const places = () => PLACES.filter((place) => model.ids.has(place));
  const move = (one: BoxMessage, place: PlaceName) => void (one.place = place);
  return [
    {
      name: "change a message",
      weight: 4,
      isPossible,
      run: Effect.gen(function* () {
        const [one, flags] = [draw(), drawFlags()];
        const place = random.chance(0.4) ? random.pick(places()) : undefined;
        const isMoveAlone = place !== undefined && random.chance(0.3);
        const change = isMoveAlone ? {} : flags;
        const done = yield* act("change", (all) => all.change(account, one.id!, change, place && model.ids.get(place)));
        model.apply(one, change);
        if (place !== undefined) move(one, place);
        visit.same(
          [done.id, done.folder.id, done.folder.path, done.message.subject, done.message.uid, ...textOf(done.message)],
          [
            one.id,
            model.ids.get(one.place) ?? done.folder.id,
            one.place,
            one.subject,
            model.uidOf(one),
            ...textOf(one),
          ],
          "the answer to a change",
        );
      }),
    },
    {
      name: "change a message between listings of one node",
      weight: 2,
      isPossible: () => known().some(({ place }) => place === "INBOX"),
      run: Effect.gen(function* () {
        const one = random.pick(known().filter(({ place }) => place === "INBOX"))!;
        const [flags, isTrashed] = [drawFlags(), random.chance(0.4)];
        const after = yield* visit.ask("list, change, list", (services) =>
          Effect.gen(function* () {
            const list = Context.get(services, Inbox).list(account, { limit: 50, maxAge: 60 * SECOND });
            const actions = Context.get(services, MessageActions);
            yield* list;
            yield* isTrashed
              ? actions.remove(account, one.id!, false)
              : actions.change(account, one.id!, flags, undefined);
            return yield* list;
          }),
        );
        if (isTrashed) move(one, "Trash");
        else model.apply(one, flags);
        visit.same(
          after.page.emails.map(({ message }) => [message.subject, ...textOf(message)]),
          model.in("INBOX").map((other) => [other.subject, ...textOf(other)]),
          "a listing with max-age after a change of the same process",
        );
      }),
    },
    {
      name: "change or move several messages",
      weight: 2,
      isPossible,
      run: Effect.gen(function* () {
        const [some, flags] = [random.some(known(), random.between(1, 4)), random.chance(0.7) ? drawFlags() : {}];
        const place = random.chance(0.6) || Object.keys(flags).length === 0 ? random.pick(places())! : undefined;
        const folderId = place && model.ids.get(place);
        const ids = model.idsOf(some);
        const done = yield* act("batch", (all) => all.carryOut(account, ids, { _tag: "Change", flags, folderId }));
        visit.same(
          [done.movedTo, done.outcomes],
          [folderId ?? null, model.outcomesOf(ids, false)],
          "the outcomes of a batch",
        );
        for (const one of some) {
          model.apply(one, flags);
          if (place !== undefined) move(one, place);
        }
      }),
    },
    {
      name: "two requests about one message at once",
      // Without MOVE, a flag that is set between the copy and the removal of a message is lost.
      isPossible: () => isPossible() && hasMove(account),
      run: Effect.gen(function* () {
        const [one, place, other] = [draw(), random.pick(places())!, random.pick(places())!];
        const isMove = random.chance(0.5);
        const first = tag("change", (all) =>
          all.change(account, one.id!, { flagged: true }, isMove ? model.ids.get(place) : undefined),
        );
        const second = tag("change", (all) =>
          all.change(account, one.id!, { answered: true }, isMove ? model.ids.get(other) : undefined),
        );
        const tags = yield* Effect.all([first, second], { concurrency: 2 });
        if (!isMove) visit.same(tags, ["Answered", "Answered"], "two changes of one message at once");
        visit.expect(
          tags.includes("Answered"),
          `none of two moves of one message is answered, but ${tags.join(" and ")}`,
        );
        if (isMove) {
          one.sought.add(place).add(other);
          const at = [place, other, one.place].filter((where) =>
            model.mailbox(where).messages.some(({ summary }) => summary.subject === one.subject),
          );
          visit.same(new Set(at).size, 1, "the number of folders with a message that two requests move");
          one.place = at[0] ?? one.place;
          visit.expect(
            one.place === place || one.place === other,
            `${one.subject} is in ${one.place} although it was moved`,
          );
        }
        if (tags[0] === "Answered") one.flagged = true;
        if (tags[1] === "Answered") one.answered = true;
      }),
    },
    {
      name: "ask for what cannot be",
      isPossible,
      run: Effect.gen(function* () {
        const one = draw();
        const [labels, promised] = random.pick(WRONG_LABELS)!;
        const field = random.chance(0.8) ? "addLabels" : "removeLabels";
        const wrong = tag("change", (all) =>
          all.change(account, one.id!, { flagged: !one.flagged, [field]: labels }, undefined),
        );
        visit.same(yield* wrong, promised, `a change with the labels ${labels.slice(0, 2).join(", ")}`);
        const [id, flags, folderId, error] = random.pick([
          [one.id!, {}, undefined, "InputInvalid"],
          [one.id!, {}, "f_unknown", "FolderNotFound"],
          ["unknown", { flagged: true }, undefined, "MessageNotFound"],
          ["unknown", {}, "trash", "MessageNotFound"],
          ...model.ended
            .slice(-1)
            .map((ended) => [ended, { flagged: true }, random.pick([undefined, "junk"]), "MessageNotFound"] as const),
        ] as ReadonlyArray<readonly [string, Flags, string | undefined, string]>)!;
        visit.same(
          yield* tag("change", (all) => all.change(account, id, flags, folderId)),
          error,
          "a change that cannot be",
        );
        const gone = tag("remove", (all) => all.remove(account, model.ended.at(-1) ?? "unknown", random.chance(0.5)));
        visit.same(yield* gone, "MessageNotFound", "a deletion by an id that ended");
      }),
    },
    {
      name: "change a folder that is read-only",
      isPossible: () => known().some(({ place }) => place === "Archive"),
      run: Effect.gen(function* () {
        const one = random.pick(known().filter(({ place }) => place === "Archive"))!;
        model.mailbox("Archive").isReadOnly = true;
        const failure = yield* Effect.flip(
          act("change", (all) => all.change(account, one.id!, { flagged: !one.flagged }, undefined)),
        );
        model.mailbox("Archive").isReadOnly = false;
        visit.same(
          [failure._tag, "reason" in failure && failure.reason],
          ["MailServerError", "not_permitted"],
          "a change in a folder that is read-only",
        );
      }),
    },
  ];
};
