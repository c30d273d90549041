import { createPostern } from "@postern/server";
import express from "express";

const { PORT = "3000", DATA_DIR = "./data" } = process.env;
const postern = await createPostern({ sandbox: true, dataDir: DATA_DIR, baseUrl: `http://127.0.0.1:${PORT}/mail` });
await postern.start();
await postern.signIn("demo@postern.test", "demo");

const app = express();
app.use("/mail", (request, response) => postern.node(request, response));
app.post("/welcome/:address", async (request, response) => {
  const message = { to: request.params.address, subject: "Welcome", text: "Your account is ready." };
  response.json(await postern.send("demo@postern.test", message));
});

const server = app.listen(Number(PORT), "127.0.0.1", () => console.log(`listens at http://127.0.0.1:${PORT}/mail`));
process.once("SIGTERM", async () => {
  server.close();
  await postern.stop();
});
