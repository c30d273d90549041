import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { Context, Effect, Layer } from "effect";
import type { SmtpBehaviour, TakenMessage } from "./SmtpBehaviour.ts";
import { serveSmtp, type SmtpStage } from "./smtp-session.ts";

export interface ScriptedSmtpOptions {
  /** EHLO lines; by default SIZE, 8BITMIME, SMTPUTF8, DSN, PIPELINING and AUTH PLAIN. */
  readonly extensions?: ReadonlyArray<string>;
  /** Returns the user of an access token that is accepted in addition to the configured ones. */
  readonly userOf?: (token: string) => string | undefined;
}

const EXTENSIONS = ["SIZE 36700160", "8BITMIME", "SMTPUTF8", "DSN", "PIPELINING", "AUTH PLAIN"];

/** A scripted SMTP server on a free loopback port, which records what it received and accepted. */
export class ScriptedSmtp extends Context.Service<
  ScriptedSmtp,
  {
    readonly host: "127.0.0.1";
    readonly port: number;
    readonly behave: (behaviour: SmtpBehaviour) => void;
    /** Sets a user's password; other passwords are refused. */
    readonly setPassword: (user: string, password: string) => void;
    /** Sets a user's access token; other tokens are refused. */
    readonly setToken: (user: string, token: string) => void;
    /**
     * Sets the function that is called after each stage of a session. The session waits until the function has ended.
     */
    readonly onStage: (watch: (stage: SmtpStage) => Promise<void> | void) => void;
    readonly taken: () => ReadonlyArray<TakenMessage>;
    /** Returns the lines that clients sent, in order. */
    readonly lines: () => ReadonlyArray<string>;
    /** Returns the number of connections accepted since the start. */
    readonly connections: () => number;
    /** Closes all connections; clients may reconnect. */
    readonly hangUp: () => void;
    readonly stop: Effect.Effect<void>;
    readonly start: Effect.Effect<void>;
  }
>()("@postern/testkit/ScriptedSmtp") {
  static readonly layer = (options: ScriptedSmtpOptions = {}): Layer.Layer<ScriptedSmtp> =>
    Layer.effect(
      ScriptedSmtp,
      Effect.gen(function* () {
        const [passwords, tokens] = [new Map<string, string>(), new Map<string, string>()];
        const [taken, lines]: [Array<TakenMessage>, Array<string>] = [[], []];
        const sockets = new Set<Socket>();
        let [behaviour, connections, port]: [SmtpBehaviour, number, number] = [{}, 0, 0];
        let watch: (stage: SmtpStage) => Promise<void> | void = () => {};
        let server: Server | undefined;

        const serve = (socket: Socket) => {
          connections++;
          sockets.add(socket);
          socket.on("close", () => sockets.delete(socket)).on("error", () => {});
          void serveSmtp(socket, {
            extensions: options.extensions ?? EXTENSIONS,
            behaviour: () => behaviour,
            knows: (user, password) => passwords.get(user) === password,
            knowsToken: (user, token) => tokens.get(user) === token || options.userOf?.(token) === user,
            took: (message) => void taken.push(message),
            said: (line) => void lines.push(line),
            stage: (stage) => watch(stage),
          });
        };
        const hangUp = () => {
          for (const socket of sockets) socket.destroy();
        };
        const start = Effect.promise(
          () =>
            new Promise<void>((resolve, reject) => {
              server = createServer(serve).on("error", reject);
              server.listen(port, "127.0.0.1", () => {
                port = (server!.address() as AddressInfo).port;
                resolve();
              });
            }),
        );
        const stop = Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              hangUp();
              if (server === undefined) return resolve();
              server.close(() => resolve());
              server = undefined;
            }),
        );
        yield* Effect.acquireRelease(start, () => stop);
        return ScriptedSmtp.of({
          host: "127.0.0.1",
          port,
          behave: (next) => void (behaviour = next),
          setPassword: (user, password) => void passwords.set(user, password),
          setToken: (user, token) => void tokens.set(user, token),
          onStage: (next) => void (watch = next),
          taken: () => taken,
          lines: () => lines,
          connections: () => connections,
          hangUp,
          stop,
          start,
        });
      }),
    );
}
