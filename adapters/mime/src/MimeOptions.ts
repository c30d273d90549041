import { Duration } from "effect";

/** The bounds messages are parsed in ("MIME"). */
export interface MimeOptions {
  /** Threads at a time; 2 unless told. */
  readonly workers?: number;
  /** For one message, and for its turn; 5 seconds. */
  readonly timeout?: Duration.Input;
  /** Of one worker's heap, in MiB; 256. */
  readonly memory?: number;
  /** How long an idle worker stays; 30 seconds. */
  readonly idle?: Duration.Input;
  /** The worker's module, `@postern/mime/worker`, where a bundler put it; found beside this one or in the package. */
  readonly worker?: URL | string;
}

/** The options with nothing left open; times in milliseconds. */
export interface MimeSettings {
  readonly workers: number;
  readonly timeout: number;
  readonly memory: number;
  readonly idle: number;
  readonly worker: URL | string | undefined;
}

export const settingsOf = ({ workers = 2, timeout, memory = 256, idle, worker }: MimeOptions): MimeSettings => ({
  workers,
  timeout: Duration.toMillis(timeout ?? "5 seconds"),
  memory,
  idle: Duration.toMillis(idle ?? "30 seconds"),
  worker,
});
