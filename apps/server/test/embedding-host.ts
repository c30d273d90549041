// A program that embeds the service, uses it, stops it, and should then exit by itself.
import { createPostern } from "@postern/server";

const [dataDir = ""] = process.argv.slice(2);
const postern = await createPostern({ dataDir, sandbox: true });
await postern.start();
await postern.signIn("demo@postern.test", "demo");
void (async () => {
  for await (const event of postern.events("demo@postern.test")) throw new Error(event.event);
})();
const folders = await postern.folders("demo@postern.test");
const listeners = process.listenerCount("SIGTERM") + process.listenerCount("SIGINT");
await postern.stop();
const again = await createPostern({ dataDir, sandbox: true });
await again.stop();
process.send?.({ folders: folders.length, listeners });
process.disconnect?.();
