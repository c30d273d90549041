import { createServer, type IncomingMessage } from "node:http";
import { createPostern } from "@postern/server";

const { PORT = "3000", DATA_DIR = "./data", ROBINS_TOKEN } = process.env;
if (!ROBINS_TOKEN) throw new Error("Set ROBINS_TOKEN to the token that Robin shows");

/** The users of this program by their tokens, each with the address of a mailbox. */
const users = new Map([[`Bearer ${ROBINS_TOKEN}`, "demo@postern.test"]]);
const authorization = ({ headers }: IncomingMessage | Request) =>
  headers instanceof Headers ? headers.get("authorization") : headers.authorization;
const postern = await createPostern({
  sandbox: true,
  dataDir: DATA_DIR,
  baseUrl: `http://127.0.0.1:${PORT}`,
  authenticate: (request) => users.get(authorization(request) ?? ""),
});
await postern.start();
await postern.signIn("demo@postern.test", "demo"); // Called once per mailbox: verifies and stores its password.

const server = createServer(postern.node);
server.listen(Number(PORT), "127.0.0.1", () => console.log(`listens at http://127.0.0.1:${PORT}`));
process.once("SIGTERM", async () => {
  server.close();
  await postern.stop();
});
