import { setTimeout as sleep } from "node:timers/promises";
import { httpLoad } from "../load/http-load.ts";
import type { Run } from "../figures/statistics.ts";

/** The address of a running EmailEngine, and its access token. */
export interface EmailEngineAt {
  readonly url: string;
  readonly token: string;
}

/** The IMAP account that EmailEngine reads. */
export interface ImapAccount {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

const ACCOUNT = "postern-bench";
const CONNECTED_WITHIN = 120_000;

/** An account of a running EmailEngine on the mail server of the benchmarks; deleted by `remove`. */
export class EmailEngine {
  readonly #at: EmailEngineAt;

  private constructor(at: EmailEngineAt) {
    this.#at = at;
  }

  /** Adds the account and waits until EmailEngine has connected it. */
  static async add(at: EmailEngineAt, { port, user, password }: ImapAccount): Promise<EmailEngine> {
    const engine = new EmailEngine(at);
    const imap = { host: "127.0.0.1", port, secure: false, auth: { user, pass: password } };
    await engine.#call("POST", "/v1/account", { account: ACCOUNT, name: "Bench", email: user, imap });
    for (const until = Date.now() + CONNECTED_WITHIN; Date.now() < until; await sleep(250)) {
      const { state } = (await engine.#call("GET", `/v1/account/${ACCOUNT}`)) as { readonly state?: string };
      if (state === "connected") return engine;
    }
    await engine.remove();
    throw new Error("EmailEngine did not connect to the mail server of the benchmarks within two minutes");
  }

  /** Reads the first page of INBOX. */
  page(connections: number, millis: number): Promise<Run> {
    return this.#load("messages?path=INBOX&page=0&pageSize=50", connections, millis);
  }

  /** Lists the folders with their counts. */
  folders(connections: number, millis: number): Promise<Run> {
    return this.#load("mailboxes?counters=true", connections, millis);
  }

  async remove(): Promise<void> {
    await this.#call("DELETE", `/v1/account/${ACCOUNT}`);
  }

  #load(path: string, connections: number, millis: number): Promise<Run> {
    const url = new URL(`/v1/account/${ACCOUNT}/${path}`, this.#at.url).href;
    return httpLoad({ url, headers: { authorization: `Bearer ${this.#at.token}` }, connections, millis });
  }

  async #call(method: string, path: string, json?: object): Promise<unknown> {
    const answer = await fetch(new URL(path, this.#at.url), {
      method,
      headers: { authorization: `Bearer ${this.#at.token}`, "content-type": "application/json" },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    if (!answer.ok) throw new Error(`EmailEngine answered ${answer.status} to ${method} ${path}`);
    return await answer.json();
  }
}
