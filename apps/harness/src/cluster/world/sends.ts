import { MessageSender, OpenTracker, Outbox, Uploads } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Exit, Stream } from "effect";
import type { Cluster } from "../Cluster.ts";
import { factsOf } from "../Fact.ts";
import type { Script } from "../Script.ts";
import { USERS } from "./accounts.ts";
import { repeatRequest } from "./repeat-request.ts";

interface Send {
  readonly account: AccountId;
  readonly subject: string;
  readonly key: string | undefined;
  readonly to: ReadonlyArray<string>;
  readonly sendAt: string | undefined;
  readonly trackOpens: boolean;
  readonly files: ReadonlyArray<string>;
}

/** Adds acts in which users send, most of them with an `Idempotency-Key`, repeat unanswered requests, and cancel messages. */
export const sendActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, facts, smtp } = cluster;

  script.often(Math.ceil(script.minutes * 4), (number) => {
    const others = [`friend-${number}@far.test`, `refused-${number}@far.test`, `later-${number}@far.test`];
    const account = random.pick(USERS)!;
    const send: Send = {
      account,
      subject: `message ${number}`,
      key: random.chance(0.8) ? `key-${number}` : undefined,
      to: [`colleague-${number}@far.test`, ...random.some(others, random.between(0, 4))],
      sendAt: random.chance(0.1) ? new Date(timeline.now + random.between(5_000, 60_000)).toISOString() : undefined,
      trackOpens: random.chance(0.3),
      files: [],
    };
    if (random.chance(0.25)) {
      const uploaded = (id: string) => ask(cluster, { ...send, files: [id] }, 8);
      return repeatRequest(
        cluster,
        `upload for ${send.subject}`,
        (services) => upload(services, account),
        ({ id }) => uploaded(id),
      );
    }
    ask(cluster, send, 8);
    if (send.key !== undefined && random.chance(0.15)) timeline.after(30, () => ask(cluster, send, 2));
  });

  script.often(Math.ceil(script.minutes / 2), () => {
    const sent = random.pick(factsOf(facts, "SendAccepted"));
    if (sent === undefined) return;
    cluster.request(`cancel ${sent.subject}`, (services) =>
      Context.get(services, Outbox).cancel(sent.account, sent.id),
    );
  });

  script.often(Math.ceil(script.minutes), () => {
    const image = random.pick(smtp.images)?.id;
    if (image === undefined) return;
    cluster.request(`open ${image}`, (services) =>
      Context.get(services, OpenTracker).recordHit(image, "Firefox/140", ""),
    );
  });

  script.often(Math.ceil(script.minutes), () => {
    const probability = () => (random.chance(0.5) ? 0 : random.next() / 2);
    smtp.conduct = {
      busy: probability(),
      cutBeforeDot: probability(),
      refused: probability(),
      cutAfterDot: probability(),
      slow: random.pick([10, 500, 5_000, 40_000]),
    };
  });
};

const ask = (cluster: Cluster, send: Send, repeats: number): void => {
  const { account, subject, key, to, sendAt, trackOpens, files } = send;
  const body = trackOpens ? { html: "<p>simulated</p>", trackOpens } : { text: "simulated" };
  cluster.request(
    `send ${subject}${key === undefined ? "" : ` with ${key}`}`,
    (services) =>
      Context.get(services, MessageSender).send(
        account,
        { to, subject, sendAt, attachments: files.map((id) => ({ id })), ...body },
        key,
      ),
    (exit) => {
      if (exit !== null && Exit.isSuccess(exit)) {
        cluster.facts.push({ _tag: "SendAccepted", account, subject, key, id: exit.value.id });
      } else if (key !== undefined && repeats > 0) {
        cluster.timeline.after(cluster.random.between(200, 8_000), () => ask(cluster, send, repeats - 1));
      }
    },
  );
};

const upload = (services: Context.Context<Uploads>, account: AccountId) =>
  Context.get(services, Uploads).receive(account, {
    name: "notes.txt",
    type: "text/plain",
    bytes: Stream.make(new TextEncoder().encode("simulated")),
  });
