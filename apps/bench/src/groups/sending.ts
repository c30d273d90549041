import { Dovecot, freePort } from "@postern/testkit";
import { Effect } from "effect";
import { connectImap } from "../load/connect-imap.ts";
import { startFloor } from "../processes/floor-process.ts";
import type { NodemailerJob } from "../floors/nodemailer.ts";
import type { SinkAnswer } from "../floors/smtp-sink.ts";
import type { Group } from "./group.ts";
import { httpLoad } from "../load/http-load.ts";
import { PASSWORD } from "../processes/mail-server.ts";
import { measureAll } from "./measure.ts";
import { mailAt, signIn, startService } from "../processes/service.ts";
import type { Run } from "../figures/statistics.ts";

const USER = "sender@bench.test";
/** The number of connections to the SMTP server, the same as the service uses for an account. */
const SMTP_CONNECTIONS = 3;
const UNLIMITED = { SEND_RATE_PER_MINUTE: "999999999", SEND_RATE_PER_DAY: "999999999" };

const [ACCEPTED, DELIVERED, COPIED] = ["send, accepted", "send, delivered", "send, copied to Sent"] as const;

/**
 * `POST /api/send` compared with nodemailer's pool, to one sink, and with nodemailer and imapflow that make the same copies.
 * The service also journals each message.
 */
export const sending: Group = {
  rows: [ACCEPTED, DELIVERED, COPIED],
  inQuick: true,
  mail: "empty",
  run: (bench) =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      yield* dovecot.setPassword(USER, PASSWORD);
      return yield* Effect.promise(async () => {
        const sink = startFloor<object, SinkAnswer>("smtp-sink.ts");
        const { port } = await sink.run({});
        const nodemailer = startFloor<NodemailerJob, Run>("nodemailer.ts");
        const { base, pid, stop } = await startService(await freePort(), {
          ...mailAt(dovecot.port, port),
          ...UNLIMITED,
        });
        const token = await signIn(base, USER, PASSWORD);
        const reader = await connectImap({ user: USER, port: dovecot.port, password: PASSWORD });
        const { millis } = bench.plan;
        const accepted = (connections: number) =>
          httpLoad({
            url: `${base}/api/send`,
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            body: JSON.stringify({ to: "someone@elsewhere.test", subject: "Figures", text: "The figures.\n" }),
            connections,
            millis,
            pid,
            base,
          });
        const taken = async () => (await sink.run({})).taken;
        const copiesInSent = async () => {
          const status = await reader.status("Sent", { messages: true });
          return status === false ? 0 : (status.messages ?? 0);
        };
        /** Returns the run with the rate of messages that arrived, some of them after the answers to their requests. */
        const countedBy = async (count: () => Promise<number>, connections: number): Promise<Run> => {
          const [began, before] = [performance.now(), await count()];
          const run = await accepted(connections);
          const [ended, after] = [performance.now(), await count()];
          return { ...run, perSecond: ((after - before) * 1000) / (ended - began) };
        };
        const bare = (connections: number) => ({ port, user: USER, connections, pool: SMTP_CONNECTIONS, millis });
        const beside = (connections: number) => nodemailer.run(bare(connections));
        const copies = { port: dovecot.port, password: PASSWORD };
        const report = await measureAll(bench, [
          { name: ACCEPTED, floor: "nodemailer", ours: accepted, beside },
          { name: DELIVERED, floor: "nodemailer", ours: (connections) => countedBy(taken, connections), beside },
          {
            name: COPIED,
            floor: "nodemailer and imapflow",
            ours: (connections) => countedBy(copiesInSent, connections),
            beside: (connections) => nodemailer.run({ ...bare(connections), copies }),
          },
        ]);
        await reader.logout();
        await stop();
        nodemailer.stop();
        sink.stop();
        return report;
      });
    }),
};
