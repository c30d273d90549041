import { Effect, type Scope } from "effect";
import { imapProxy } from "./imap-proxy.ts";

/** A loopback proxy of an IMAP server that answers some commands with NO. */
export interface RefusingProxy {
  readonly port: number;
  /** Makes the proxy answer commands with a matching name with `NO` and this text; undefined forwards all. */
  readonly refuse: (name: RegExp | undefined, text?: string) => void;
  /** The names of the commands refused so far. */
  readonly refused: ReadonlyArray<string>;
}

export const refusingProxy = (port: number): Effect.Effect<RefusingProxy, never, Scope.Scope> =>
  Effect.map(imapProxy(port), (proxy) => {
    const refused: Array<string> = [];
    const refuse: RefusingProxy["refuse"] = (wanted, text = "[NOPERM] not allowed") => {
      proxy.rewrite = {
        command: (line) => {
          const name = /^\S+ ((?:UID )?\S+)/.exec(line)?.[1];
          if (name === undefined || wanted?.test(name) !== true) return line;
          refused.push(name);
          return { answer: `NO ${text}` };
        },
      };
    };
    return { port: proxy.port, refuse, refused };
  });
