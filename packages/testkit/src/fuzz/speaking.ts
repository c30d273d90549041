import { Duplex } from "node:stream";

/** Separates what a server of {@link speaking} says at a time. */
export const THEN = "\x1e";
/** Turns of the event loop that a client may take for its next command. */
const PATIENCE = 8;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Returns the socket of a server that says one piece of `input` at the start and one to each command, whatever it is: `TAG`
 * stands for its first word. Where no command comes it goes on, and after the last piece it hangs up.
 */
export const speaking = (input: Buffer): Duplex => {
  const pieces = input.toString("latin1").split(THEN);
  const commands: Array<string> = [];
  let unfinished = "";
  const socket = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => {
      const lines = (unfinished + chunk.toString("latin1")).split("\r\n");
      unfinished = lines.pop()!;
      commands.push(...lines);
      done();
    },
  });
  socket.on("error", () => {});
  const say = async (): Promise<void> => {
    for (const piece of pieces) {
      const tag = commands.shift()?.split(" ", 1)[0] ?? "";
      socket.push(Buffer.from(piece.replaceAll("TAG", tag), "latin1"));
      for (let left = PATIENCE; left > 0 && commands.length === 0; left--) await turn();
      if (socket.destroyed) return;
    }
    socket.push(null);
    await turn();
    socket.destroy();
  };
  setImmediate(() => void say());
  return socket;
};
