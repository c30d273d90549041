import { type HttpBindings, serve } from "@hono/node-server";
import { createPostern } from "@postern/server";
import { Hono } from "hono";

const { PORT = "3000", DATA_DIR = "./data" } = process.env;
const postern = await createPostern({ sandbox: true, dataDir: DATA_DIR, baseUrl: `http://127.0.0.1:${PORT}/mail` });
await postern.start();

const app = new Hono();
app.mount("/mail", (request: Request, { incoming }: HttpBindings) =>
  postern.fetch(request, { clientAddress: incoming.socket.remoteAddress }),
);
app.get("/", (context) => context.text("The mailbox is at /mail"));

const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" }, () =>
  console.log(`listens at http://127.0.0.1:${PORT}/mail`),
);
process.once("SIGTERM", async () => {
  server.close();
  await postern.stop();
});
