import { Keys } from "@postern/core/auth";
import { Drafts } from "@postern/core/drafts";
import { sendingKeyOf, UploadRecords, Uploads } from "@postern/core/send";
import { Context, Effect, Fiber, Option, Stream } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { type Client, clientOf } from "./outbox-client.ts";

/** A time longer than the wait until the second attempt, in milliseconds. */
const SECOND_ATTEMPT = 70_000;
const KEY = { scopes: ["mail:send"], accounts: null, networks: null, expiresAt: null, notify: null } as const;

/**
 * A file is kept as long as a message that can still be sent, or any version of a draft, has it, regardless of the
 * order of attempts and saves. [S6.1-2] [S6.6-7] [S12.1-16]
 */
export const pins: Invariant = {
  name: "pins",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const client = clientOf(visit, cluster, yield* visit.signUp("pins"));
        yield* Effect.all([checkWaitingMessage(visit, cluster, client), checkDraft(visit, cluster, client)], {
          concurrency: "unbounded",
          discard: true,
        });
      }),
  }),
};

const upload = (visit: Visit, { account }: Client, name: string) =>
  visit.ask("upload", (services) =>
    Context.get(services, Uploads).receive(account, {
      name,
      type: "text/plain",
      bytes: Stream.make(new TextEncoder().encode(name)),
    }),
  );

const isPinned = (cluster: Cluster, { account }: Client, id: string): boolean =>
  Option.exists(
    cluster.ask((ports) => Context.get(ports, UploadRecords).find(account, id)),
    (found) => found.isPinned,
  );

/** The key of a message is deleted during the first attempt, so the message is held before the second one. */
const checkWaitingMessage = (visit: Visit, cluster: Cluster, client: Client) =>
  Effect.gen(function* () {
    const file = yield* upload(visit, client, "waiting.txt");
    const expect = (when: string) =>
      visit.same(isPinned(cluster, client, file.id), true, `whether the file of a message is kept ${when}`);
    const { key } = yield* visit.ask("make a key", (services) =>
      Context.get(services, Keys).make({ ...KEY, application: "pins", name: "pins", sendPerDay: null }),
    );
    const by = sendingKeyOf(key);
    const more = { attachments: [{ id: file.id }] };
    const running = yield* Effect.forkChild(client.send("slow later-pinned", { by, more }));
    yield* visit.wait(2_000);
    expect("during the first attempt");
    yield* visit.ask("delete the key", (services) => Context.get(services, Keys).remove(by.id));
    const { id } = yield* Fiber.join(running);
    yield* visit.wait(SECOND_ATTEMPT);
    visit.same(client.attempts(id).length, 1, "the attempts with a message whose key was deleted");
    expect("while it is held");
    visit.same(yield* client.release(id, null), "Answered", "a release");
    expect("while it waits again");
  });

/** A draft is saved with a file, then without it. */
const checkDraft = (visit: Visit, cluster: Cluster, client: Client) =>
  Effect.gen(function* () {
    const { account } = client;
    const file = yield* upload(visit, client, "drafted.txt");
    const request = (isWith: boolean) => ({
      to: "reader@far.test",
      subject: "a draft with a file",
      text: "simulated",
      attachments: isWith ? [{ id: file.id }] : [],
    });
    const ask = <A, E>(use: (drafts: Drafts["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("draft", (services) => use(Context.get(services, Drafts)));
    let { id, version } = yield* ask((drafts) => drafts.create(account, request(true)));
    for (const isWith of [true, true, false]) {
      const before = isPinned(cluster, client, file.id);
      visit.same(before, true, "whether the file of a draft is kept");
      ({ version } = yield* ask((drafts) => drafts.save(account, id, String(version), request(isWith))));
      visit.same(isPinned(cluster, client, file.id), isWith, "whether the file of a saved draft is kept");
    }
    yield* ask((drafts) => drafts.remove(account, id, String(version)));
  });
