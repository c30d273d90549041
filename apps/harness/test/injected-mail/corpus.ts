import { COMMANDS } from "./commands.ts";
import { HIDDEN, VISIBLE } from "./techniques.ts";

/** An attack: its mails, and how it was made. */
export interface Attack {
  readonly subject: string;
  readonly technique: string;
  readonly command: string;
  readonly mails: ReadonlyArray<string>;
}

/** Every technique with every command. */
export const CORPUS: ReadonlyArray<Attack> = Object.entries({ ...VISIBLE, ...HIDDEN }).flatMap(
  ([technique, write], t) =>
    COMMANDS.map((command, c) => {
      const subject = `attack ${t} ${c}`;
      return { subject, technique, command, mails: write(command, subject) };
    }),
);

/** Whether a person sees the command of an attack, so that an agent does, too. */
export const isSeen = ({ technique }: Attack): boolean => !(technique in HIDDEN);

/** One attack of every technique; those that a person sees have every command. */
export const SAMPLE = CORPUS.filter(
  (_, n) => n % COMMANDS.length === Math.floor(n / COMMANDS.length) % COMMANDS.length,
);
