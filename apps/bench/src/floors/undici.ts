import { createHmac } from "node:crypto";
import { Pool } from "undici";
import { cpuMillis } from "../figures/process-figures.ts";

/** The floor of webhooks, in a separate process: signs bodies of the same size and sends them to the same sink. */
export interface UndiciJob {
  readonly port: number;
  readonly posts: number;
  readonly lanes: number;
}

export interface UndiciAnswer {
  readonly millis: number;
  readonly cpuMillis: number;
}

const BODY = JSON.stringify({ event: "email.received", data: { subject: "Figures", pad: "x".repeat(400) } });

const send = async ({ port, posts, lanes }: UndiciJob): Promise<UndiciAnswer> => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: lanes, pipelining: 1 });
  const [began, before] = [performance.now(), cpuMillis(process.pid)];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < posts; n = next++) {
      const sign = (text: string) => createHmac("sha256", "whsec_bench").update(text).digest("base64");
      const headers = {
        "content-type": "application/json",
        "webhook-id": `bare_${n}`,
        "x-service-signature": `sha256=${sign(BODY)}`,
        "webhook-signature": `v1,${sign(`bare_${n}.1.${BODY}`)}`,
      };
      await (await pool.request({ path: "/", method: "POST", body: BODY, headers })).body.dump();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const answer = { millis: performance.now() - began, cpuMillis: cpuMillis(process.pid) - before };
  await pool.close();
  return answer;
};

process.on("message", (job: UndiciJob) => void send(job).then((answer) => process.send?.(answer)));
process.on("disconnect", () => process.exit());
