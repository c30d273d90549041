import { Duplex } from "node:stream";

/** Separates the messages that a server of {@link scriptedSocket} sends one at a time. */
export const TURN_END = "\x1e";
/** The label at the beginning of a piece that answers only commands with this word among their first words. */
const LABEL = /^([A-Z.]+)\|/;
/** The number of turns of the event loop for which the server waits for the next command. */
const PATIENCE = 30;
/** The maximum number of pieces, because the client gets time to answer each piece. */
const MAX_PIECES = 40;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const labelOf = (piece: string): string | undefined => LABEL.exec(piece)?.[1];

/**
 * Returns the socket of a server that sends the first piece of `input` at the start, and one piece in answer to each
 * command: `LIST|…` to a LIST, a piece without a label to any command. `TAG` stands for the first word of the command.
 * If no command arrives, the server continues with the next piece; after the last piece it closes the connection.
 */
export const scriptedSocket = (input: Buffer): Duplex => {
  const [greeting = "", ...pieces] = input.toString("latin1").split(TURN_END, MAX_PIECES);
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
  const answer = (command: string): string | undefined => {
    const words = command.split(" ", 3);
    const labelled = pieces.findIndex((piece) => words.includes(labelOf(piece) ?? "none"));
    const isUnanswered = labelled < 0 && command !== "" && labelOf(pieces[0]!) !== undefined;
    const [piece] = isUnanswered ? [] : pieces.splice(Math.max(labelled, 0), 1);
    return piece?.replace(LABEL, "").replaceAll("TAG", words[0]!);
  };
  const say = async (): Promise<void> => {
    socket.push(Buffer.from(greeting, "latin1"));
    while (pieces.length > 0 && !socket.destroyed) {
      for (let left = PATIENCE; left > 0 && commands.length === 0; left--) await turn();
      const said = answer(commands.shift() ?? "");
      if (said !== undefined) socket.push(Buffer.from(said, "latin1"));
    }
    for (let left = PATIENCE; left > 0 && !socket.destroyed; left--) await turn();
    socket.push(null);
    await turn();
    socket.destroy();
  };
  setImmediate(() => void say());
  return socket;
};
