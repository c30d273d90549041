import { createPostern } from "@postern/server";
import { fastify } from "fastify";

const { PORT = "3000", DATA_DIR = "./data" } = process.env;
const postern = await createPostern({ sandbox: true, dataDir: DATA_DIR, baseUrl: `http://127.0.0.1:${PORT}/mail` });
await postern.start();

const app = fastify();
app.register(
  async (mail) => {
    mail.removeAllContentTypeParsers();
    mail.addContentTypeParser("*", (_request, _body, done) => done(null)); // Postern reads the bodies.
    mail.all("/*", (request, reply) => {
      reply.hijack();
      postern.node(request.raw, reply.raw);
    });
  },
  { prefix: "/mail" },
);
await app.listen({ port: Number(PORT), host: "127.0.0.1" });
console.log(`listens at http://127.0.0.1:${PORT}/mail`);
process.once("SIGTERM", () => Promise.all([app.close(), postern.stop()]));

await postern.signIn("demo@postern.test", "demo");
for await (const event of postern.events("demo@postern.test")) console.log(event.event);
