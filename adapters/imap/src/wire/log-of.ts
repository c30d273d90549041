import type { Recording } from "@postern/core/accounts";
import type { ImapFlow, ImapFlowOptions } from "imapflow";

/** An entry of imapflow's log. Only these fields are read, because others may quote messages. */
interface Entry {
  readonly src?: string;
  readonly msg?: string;
  readonly data?: string;
  /** Whether the bytes belong to a sign-in; `data` then has a placeholder. */
  readonly hidden?: boolean;
  readonly version?: string;
  readonly algo?: string;
  readonly authorized?: boolean;
  readonly err?: { readonly code?: unknown };
}

/** A sign-in as imapflow logs it, with its secrets masked. */
const SIGN_IN = /^\S+ (LOGIN|AUTHENTICATE)\b/;

const lineOf = (text: string): Uint8Array => Buffer.from(`${text}\r\n`);

/** Returns the options that make imapflow write its traffic to a recording. */
export const logOf = (recording: Recording | undefined): Pick<ImapFlowOptions, "logger" | "logRaw"> => {
  if (recording === undefined) return { logger: false };
  let signIn: string | undefined;
  const noted = ({ src, version, algo, authorized }: Entry): void => {
    if ((src !== "tls" && src !== "connection") || version === undefined) return;
    recording.note(
      `${version} ${algo}, certificate ${authorized === true ? "trusted by its authority" : "not trusted by an authority"}`,
    );
  };
  const failed = ({ err }: Entry): void => {
    if (typeof err?.code === "string") recording.note(`error ${err.code}`);
  };
  const ignored = (): void => {};
  return {
    logRaw: true,
    logger: {
      trace: ({ msg, data = "", hidden = false }: Entry) => {
        if (msg !== "write to socket") return;
        recording.sent(hidden ? lineOf(signIn ?? "") : Buffer.from(data, "base64"));
        signIn = undefined;
      },
      debug: ({ src, msg = "" }: Entry) => {
        signIn = src === "c" && SIGN_IN.test(msg) ? msg : undefined;
      },
      info: noted,
      warn: failed,
      error: failed,
      fatal: ignored,
    },
  };
};

/** Notes the end of a recorded connection, and which side closed it. */
export const noteClose = (client: ImapFlow, recording: Recording): void => {
  const close = client.close.bind(client);
  let isOurs = false;
  client.close = () => {
    isOurs = true;
    close();
  };
  client.once("close", () => recording.note(isOurs ? "closed by Postern" : "closed by the server or the network"));
};
