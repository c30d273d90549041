import { type Agent, request as httpRequest } from "node:http";
import type { WireRequest } from "./hostile.ts";

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>;
  readonly text: string;
}

/** Sends a request byte for byte, which `fetch` does not; returns the beginning of the answer. */
export const ask = (agent: Agent, base: string, { method, path, headers, body }: WireRequest, patience: number) =>
  new Promise<WireAnswer>((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const lengths = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = httpRequest(
      { agent, hostname, port, method, path, headers: { ...lengths, ...headers }, timeout: patience },
      (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        const parts: Array<Buffer> = [];
        const end = () => resolve({ status, headers: answered, text: Buffer.concat(parts).toString() });
        response.on("data", (part: Buffer) => parts.push(part)).on("end", end);
        response.on("error", end);
        if (answered["content-type"]?.startsWith("text/event-stream") === true) {
          end();
          request.destroy();
        }
      },
    );
    request.on("timeout", () => request.destroy(new Error(`no answer in ${patience} ms`)));
    request.on("error", reject);
    request.end(body);
  });
