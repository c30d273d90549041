import { type FuzzedReader, scriptedSocket, TURN_END } from "@postern/testkit";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { boundReplies, withoutEmptyMessages } from "../src/nodemailer-internals.ts";
import { providerMessageId } from "../src/provider-message-id.ts";
import { failureOf, loginOutcome, type SmtpError } from "../src/smtp-failure.ts";
import { smtpReply } from "../src/smtp-reply.ts";

const REPLIES = [
  "250 2.0.0 OK <DM6PR01.123@DM6PR01.prod.outlook.com> [Hostname=DM6PR01.prod.outlook.com]",
  "550-5.1.1 The email account that you tried to reach\r\n550-5.1.1 does not exist. Please try\r\n550 5.1.1 https://support.x.test/?p=NoSuchUser - gsmtp",
  "535-5.7.8 Username and Password not accepted\n535 5.7.8 see x",
  "454 4.7.0 Too many login attempts, please try again later.",
  "250 Ok 0102018a3f4b5c6d-0a1b2c3d-0000-1111-2222-333344445555-000000",
  "421",
];

/** The greeting, then the answers to commands and to the dot. */
const CONVERSATIONS = [
  [
    "220 x.test ESMTP\r\n",
    "EHLO|250-x.test\r\n250-SIZE 1000000\r\n250-AUTH PLAIN LOGIN\r\n250-DSN\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
    "AUTH|235 2.7.0 in\r\n",
    "MAIL|250 2.1.0 ok\r\n",
    "RCPT|250 2.1.5 ok\r\n",
    "RCPT|550 5.1.1 no\r\n",
    "DATA|354 go\r\n",
    ".|250 2.0.0 queued as 1\r\n",
    "QUIT|221 bye\r\n",
  ],
  [
    "220-a\r\n220 b\r\n",
    "EHLO|502 no EHLO\r\n",
    "HELO|250 hi\r\n",
    "AUTH|235 in\r\n",
    "MAIL|250 ok\r\n",
    "RCPT|452-4.2.2 full\r\n452 later\r\n",
    "RCPT|554 no\r\n",
  ],
  ["220 x\r\n", "EHLO|250-PIPELINING\r\n250 AUTH PLAIN\r\n", "AUTH|334 \r\n", "421 4.3.2 closing\r\n"],
].map((pieces) => pieces.join(TURN_END));

/** Greets, signs in and sends a message to two recipients, whatever the server answers. */
const converse = async (input: Buffer): Promise<void> => {
  const socket = scriptedSocket(input);
  const connection = new SMTPConnection({
    host: "127.0.0.1",
    connection: Object.assign(socket, { setKeepAlive: () => socket, setTimeout: () => socket }) as never,
    ignoreTLS: true,
    maxResponseSize: 64 << 10,
    logger: false,
  });
  boundReplies(connection);
  const step = (run: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      connection.once("error", reject);
      connection.once("end", () => reject(new Error("closed")));
      run((error) => (error ? reject(error) : resolve()));
    });
  try {
    await step((done) => connection.connect(done));
    withoutEmptyMessages(connection);
    if (connection.allowsAuth) await step((done) => connection.login({ user: "jane", pass: "secret" } as never, done));
    await step((done) => connection.send({ from: "a@x.test", to: ["b@x.test", "c@x.test"] }, "A: b\r\n\r\nc", done));
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    failureOf(error as SmtpError);
    loginOutcome(error as SmtpError, 1);
  } finally {
    connection.on("error", () => {});
    connection.close();
  }
};

export const readers: ReadonlyArray<FuzzedReader> = [
  {
    name: "smtp/reply",
    corpus: REPLIES,
    read: (input) => {
      const response = input.toString();
      const { code, text } = smtpReply(response);
      providerMessageId(text, "email-smtp.eu-west-1.amazonaws.com");
      const error = Object.assign(new Error(response), { code: "EAUTH", response, responseCode: code });
      failureOf(error);
      loginOutcome(error, 1);
    },
  },
  { name: "smtp/conversation", corpus: CONVERSATIONS, read: converse, weight: 20 },
];
