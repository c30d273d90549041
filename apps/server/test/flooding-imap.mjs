// An IMAP server that accepts every sign-in. A line on stdin names a command; after this command, the server sends
// lines endlessly.
import { createServer } from "node:net";
import { createInterface } from "node:readline";

const CAPABILITIES = "IMAP4rev1 IDLE";
const COUNTS = "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 2] next\r\n";
const ANSWERS = {
  CAPABILITY: `* CAPABILITY ${CAPABILITIES}\r\n`,
  LIST: '* LIST () "/" INBOX\r\n',
  SELECT: COUNTS,
  EXAMINE: COUNTS,
  STATUS: "* STATUS INBOX (MESSAGES 1 UNSEEN 0 UIDNEXT 2 UIDVALIDITY 7)\r\n",
};
let after = "";
let poured = 0;
createInterface({ input: process.stdin }).on("line", (verb) => {
  if (verb === "?") console.log(poured);
  else after = verb;
});

const pour = (socket) => {
  const chunk = "* 7 EXISTS\r\n".repeat(5_000);
  const go = () => {
    if (socket.destroyed) return;
    poured += chunk.length;
    if (socket.write(chunk)) setImmediate(go);
    else socket.once("drain", go);
  };
  go();
};

createServer((socket) => {
  socket.on("error", () => {});
  if (after === "greeting") return pour(socket);
  socket.write(`* OK [CAPABILITY ${CAPABILITIES}] ready\r\n`);
  let rest = "";
  socket.on("data", (bytes) => {
    const lines = (rest + bytes.toString("latin1")).split("\r\n");
    rest = lines.pop();
    for (const line of lines) {
      const [tag, named = ""] = line.split(" ");
      const verb = named.toUpperCase();
      if (after !== "" && verb === after) return pour(socket);
      if (verb === "IDLE") socket.write("+ idling\r\n");
      else socket.write(`${ANSWERS[verb] ?? ""}${tag} OK done\r\n`);
    }
  });
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
