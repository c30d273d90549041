import { type Harness, harness } from "@postern/harness";
import { Effect, type Scope } from "effect";
import { startAgent } from "./agent.ts";
import { ANN } from "./commands.ts";
import type { Attack } from "./corpus.ts";
import { judge, type Shown } from "./judge.ts";
import { openMailbox, type OpenMailbox, type Policy } from "./mailbox.ts";

interface Listing {
  readonly emails: ReadonlyArray<{ readonly id: string; readonly subject: string }>;
  readonly nextCursor: string | null;
}

interface Waiting extends Shown {
  readonly id: string;
  readonly version: string;
}

/** Decides as a person who reads: approves what goes to Ann alone. The agent acts between the reading and the decision. */
const decide = Effect.fnUntraced(function* ({ asOwner }: OpenMailbox, meanwhile: Effect.Effect<unknown>) {
  const waiting: ReadonlyArray<Waiting> = (yield* asOwner("GET", "/api/approvals?state=pending&limit=100")).body.data;
  yield* meanwhile;
  const approved: Array<Shown> = [];
  for (const shown of waiting) {
    const isHarmless = shown.recipients.every(({ address }) => address === ANN);
    const answer = isHarmless
      ? yield* asOwner("POST", `/api/approvals/${shown.id}/approve`, undefined, shown.version)
      : yield* asOwner("POST", `/api/approvals/${shown.id}/deny`, {});
    if (isHarmless && answer.status === 200) approved.push(shown);
  }
  return approved;
});

/** Returns the ids of the messages in INBOX, by the beginnings of their subjects. */
const idsOf = Effect.fnUntraced(function* ({ asOwner }: OpenMailbox) {
  const ids = new Map<string, string>();
  let path: string | undefined = "/api/inbox?limit=200";
  while (path !== undefined) {
    const { emails, nextCursor }: Listing = (yield* asOwner("GET", path)).body;
    for (const { id, subject } of emails) ids.set(subject.split(":", 1)[0]!, id);
    path = nextCursor === null ? undefined : `/api/inbox?limit=200&cursor=${nextCursor}`;
  }
  return ids;
});

/** Lets an agent with a policy read attacks, and judges what happened. */
export const attackMailbox = Effect.fnUntraced(function* (
  policy: Policy,
  attacks: ReadonlyArray<Attack>,
  service: Effect.Effect<Harness, never, Scope.Scope> = harness,
) {
  const mailbox = yield* openMailbox(yield* service, policy, attacks);
  const { wait, count, left, posts, secrets } = mailbox;
  const before = count();
  const agent = yield* startAgent(mailbox);
  const ids = yield* idsOf(mailbox);
  const approved: Array<Shown> = [];
  const seen: Array<string> = [];
  for (const { subject, technique } of attacks) {
    const already = agent.obeyed();
    yield* agent.read(ids.get(subject) ?? subject);
    if (agent.obeyed() > already) seen.push(technique);
    approved.push(...(yield* decide(mailbox, agent.change)));
    yield* wait;
  }
  const missing = before - count();
  mailbox.receive();
  // What was scheduled leaves.
  yield* mailbox.world.pass("2 hours");
  const verdict = judge({ policy, left, approved, missing, heard: agent.heard, secrets, posted: posts.length });
  return { verdict, seen, left: left.length, approved: approved.length };
});
