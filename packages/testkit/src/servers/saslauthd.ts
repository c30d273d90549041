import { createServer, type Server } from "node:net";
import { once } from "node:events";

/** Checks passwords by the protocol of saslauthd: user, password, service and realm, each with its length. */
export const saslauthd = async (path: string, isGood: (user: string, password: string) => boolean): Promise<Server> => {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      const fields = fieldsOf(received);
      if (fields === undefined) return;
      const [user = "", password = "", , realm = ""] = fields;
      const verdict = Buffer.from(isGood(realm === "" ? user : `${user}@${realm}`, password) ? "OK" : "NO");
      socket.end(Buffer.concat([Buffer.from([0, verdict.length]), verdict]));
    });
  }).listen(path);
  await once(server, "listening");
  return server;
};

/** Returns the four fields, or undefined until all have arrived. */
const fieldsOf = (bytes: Buffer): ReadonlyArray<string> | undefined => {
  const fields: Array<string> = [];
  let at = 0;
  while (fields.length < 4) {
    if (bytes.length < at + 2) return undefined;
    const end = at + 2 + bytes.readUInt16BE(at);
    if (bytes.length < end) return undefined;
    fields.push(bytes.toString("utf8", at + 2, end));
    at = end;
  }
  return fields;
};
