import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The name of a built script or style. Another build has another hash in the name. */
const HASHED = /(-[\w-]{8})\.(js|css)\b/g;
const UPGRADED = /\.upgraded(?=\.(?:js|css)\b)/;

const NOT_KEPT = { "cache-control": "no-store" };

/** A proxy before a service. It serves the console of the current build, and no files of other builds. */
export const startUpgradedFront = async (base: string) => {
  const state = {
    /** The scripts and styles have new names, and the old names are gone. */
    isUpgraded: false,
    /** The paths of files that are missing in every build. */
    missing: /^$/,
    isDown: false,
    /** The delay of the API's answers, in milliseconds. */
    delayMillis: 0,
    /** How often a page was loaded. */
    pages: 0,
  };

  const ask = (asked: IncomingMessage, path: string, onAnswer: (answer: IncomingMessage) => Promise<void>): void => {
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    const forwarded = request(
      new URL(path, base),
      { method: asked.method!, headers },
      (answer) => void onAnswer(answer),
    );
    forwarded.on("error", () => asked.destroy());
    asked.on("close", () => asked.destroyed && !asked.complete && forwarded.destroy());
    asked.pipe(forwarded);
  };

  const serveConsole = (asked: IncomingMessage, response: ServerResponse): void => {
    const path = asked.url!;
    const isOfOther = /^\/assets\/.*\.(js|css)$/.test(path) && UPGRADED.test(path) !== state.isUpgraded;
    if (isOfOther || state.missing.test(path)) return void response.writeHead(404, NOT_KEPT).end();
    ask(asked, path.replace(UPGRADED, ""), async (answer) => {
      const parts: Array<Buffer> = [];
      for await (const part of answer) parts.push(part as Buffer);
      const isText = state.isUpgraded && /html|javascript|css/.test(answer.headers["content-type"] ?? "");
      const body = Buffer.concat(parts);
      const { etag: _, "content-length": __, ...headers } = answer.headers;
      response.writeHead(answer.statusCode!, { ...headers, ...NOT_KEPT });
      response.end(isText ? body.toString("utf8").replaceAll(HASHED, "$1.upgraded.$2") : body);
    });
  };

  const server = createServer((asked, response) => {
    if (state.isDown) return void asked.socket.destroy();
    if (asked.headers["sec-fetch-dest"] === "document") state.pages++;
    if (!asked.url!.startsWith("/api/")) return serveConsole(asked, response);
    ask(asked, asked.url!, async (answer) => {
      const isSlow = state.delayMillis > 0 && !asked.url!.startsWith("/api/events");
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, state.delayMillis));
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state, stop };
};
