import { Duration } from "effect";

/** Limits for parsing messages. */
export interface MimeOptions {
  /** Maximum number of threads; 2 by default. */
  readonly workers?: number;
  /** Time for one message, including its wait for a worker; 5 seconds. */
  readonly timeout?: Duration.Input;
  /** Heap of one worker in MiB; 256. */
  readonly memory?: number;
  /** Time after which an idle worker ends; 30 seconds. */
  readonly idle?: Duration.Input;
  /**
   * The worker's module, `@postern/mime/worker`, where a bundler put it; by default found beside this one or in the
   * package.
   */
  readonly worker?: URL | string;
}

/** The options with all defaults filled in; times in milliseconds. */
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
