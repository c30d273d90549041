import type { Act, Answer, History, Step, Violation } from "./History.ts";

type Acts<K extends Act["act"]> = Step & { readonly act: Extract<Act, { readonly act: K }> };
type Told<K extends Act["act"]> = Acts<K> & { readonly answer: Answer };

const stepsOf = <K extends Act["act"]>({ steps }: History, act: K): ReadonlyArray<Acts<K>> =>
  steps.filter((step): step is Acts<K> => step.act.act === act);

/** Returns the steps whose request was accepted. */
const accepted = <K extends Act["act"]>(history: History, act: K): ReadonlyArray<Told<K>> =>
  stepsOf(history, act).filter((step): step is Told<K> => step.answer?.status === 200);

/** Returns whether one step had ended before the other began. */
const precedes = (one: Step, other: Step): boolean => one.until < other.from;

const violation = (rule: string, ...seen: ReadonlyArray<unknown>): Violation => ({
  rule,
  detail: seen.map((one) => JSON.stringify(one)).join("\n  "),
});

/** At most one of several saves of a version of a draft is accepted, and each version has one text (spec 12.1). */
const versions = (history: History): ReadonlyArray<Violation> => {
  const saves = accepted(history, "save draft");
  const replaced = Map.groupBy(saves, ({ act }) => `${act.of} ${act.version}`);
  const twice = [...replaced.values()]
    .filter((same) => same.length > 1)
    .map((same) => violation("a version of a draft is replaced once", ...same));
  const shown = [
    ...accepted(history, "create draft").map((step) => ({
      draft: step.answer.id,
      ...step.answer,
      text: step.act.text,
    })),
    ...saves.map((step) => ({ draft: step.act.of, ...step.answer, text: step.act.text })),
    ...accepted(history, "read draft").map((step) => ({ draft: step.act.of, ...step.answer })),
  ];
  const differing = [...Map.groupBy(shown, ({ draft, version }) => `${draft} ${version}`).values()]
    .filter((same) => new Set(same.map(({ text }) => text)).size > 1)
    .map((same) => violation("a version of a draft has one text", ...same));
  return [...twice, ...differing];
};

/** The version of a draft never goes back: a read that begins after an answer returns the version of the answer or a later one. */
const monotone = (history: History): ReadonlyArray<Violation> => {
  const told = [...accepted(history, "save draft"), ...accepted(history, "read draft")];
  return accepted(history, "read draft").flatMap((read) => {
    const later = told.find(
      (step) =>
        step.act.of === read.act.of &&
        precedes(step, read) &&
        Number(step.answer.version) > Number(read.answer.version),
    );
    return later === undefined ? [] : [violation("an acknowledged save is read", later, read)];
  });
};

/** A draft that was deleted stays deleted. */
const deletions = (history: History): ReadonlyArray<Violation> => {
  const removals = new Map(accepted(history, "remove draft").map((step) => [step.act.of, step]));
  return accepted(history, "read draft").flatMap((read) => {
    const removal = removals.get(read.act.of);
    return removal !== undefined && precedes(removal, read)
      ? [violation("a deleted draft is not found", removal, read)]
      : [];
  });
};

/** Repeated requests with one key send one message (spec 6.2), and an accepted message reaches the server once. */
const sends = (history: History): ReadonlyArray<Violation> => {
  const canceled = new Set(accepted(history, "cancel").map(({ act }) => act.subject));
  const mayBeMissing = new Set([...history.unknown, ...stepsOf(history, "cancel").map(({ act }) => act.subject)]);
  const copies = Map.groupBy(history.taken, (subject) => subject);
  const attempts = stepsOf(history, "send");
  return [...Map.groupBy(attempts, ({ act }) => act.subject)].flatMap(([subject, same]) => {
    const receipts = accepted({ ...history, steps: same }, "send");
    const ids = new Set(receipts.map(({ answer }) => answer.id));
    const count = copies.get(subject)?.length ?? 0;
    return [
      ...(ids.size > 1 ? [violation("one key makes one message", ...receipts)] : []),
      ...(count > 1 ? [violation("a message is sent once", subject, count)] : []),
      ...(count === 0 && receipts.length > 0 && !mayBeMissing.has(subject)
        ? [violation("an accepted message is sent", ...receipts)]
        : []),
      ...(count > 0 && canceled.has(subject) ? [violation("a cancelled message is not sent", subject)] : []),
    ];
  });
};

/** A folder is listed from the answer to its creation until its removal is requested, and never after the answer to the removal. */
const folders = (history: History): ReadonlyArray<Violation> => {
  const removals = stepsOf(history, "remove folder");
  const made = accepted(history, "create folder");
  return accepted(history, "list folders").flatMap((list) => {
    const names = list.answer.names ?? [];
    const missing = made.filter(
      (step) =>
        precedes(step, list) &&
        !names.includes(step.act.name) &&
        !removals.some(({ act, from }) => act.of === step.answer.id && from < list.until),
    );
    const back = removals.filter(
      (step) => step.answer?.status === 200 && precedes(step, list) && names.includes(step.act.name),
    );
    return [
      ...missing.map((step) => violation("a created folder is listed", step, list)),
      ...back.map((step) => violation("a removed folder is not listed", step, list)),
      ...(new Set(names).size < names.length ? [violation("a name is listed once", list)] : []),
    ];
  });
};

/** A read returns the flag of a write that no other write had replaced before the read began. */
const flags = (history: History): ReadonlyArray<Violation> => {
  const writes = Map.groupBy(stepsOf(history, "flag"), ({ act }) => act.of);
  return accepted(history, "read flag").flatMap((read) => {
    const all = (writes.get(read.act.of) ?? []).filter(({ from, answer }) => from < read.until && !isRefused(answer));
    const replaced = (write: Step) => all.some((other) => precedes(write, other) && precedes(other, read));
    const possible = all.filter((write) => !replaced(write)).map(({ act }) => act.flagged);
    const untouched = !all.some((write) => precedes(write, read));
    const allowed = untouched ? [false, ...possible] : possible;
    return allowed.includes(read.answer.flagged === true) ? [] : [violation("the last flag is read", ...all, read)];
  });
};

const isRefused = (answer: Answer | undefined): boolean => answer !== undefined && answer.status !== 200;

/** A session works until its end is requested, and never after the answer to this request (spec 3). */
const sessions = (history: History): ReadonlyArray<Violation> => {
  const ends = new Map(stepsOf(history, "log out").map((step) => [step.act.of, step]));
  return stepsOf(history, "use session").flatMap((use) => {
    const end = ends.get(use.act.of);
    const ended = end?.answer?.status === 200 && precedes(end, use);
    if (ended && use.answer?.status === 200) return [violation("an ended session is refused", end, use)];
    const alive = end === undefined || use.until < end.from;
    return alive && use.answer?.status === 401 ? [violation("a session works until it ends", use)] : [];
  });
};

/** Returns the promises about drafts, sending, folders, flags and sessions that a history breaks; empty if it breaks none. */
export const checkHistory = (history: History): ReadonlyArray<Violation> =>
  [versions, monotone, deletions, sends, folders, flags, sessions].flatMap((rule) => rule(history));
