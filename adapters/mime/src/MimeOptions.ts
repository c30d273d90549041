import { Duration } from "effect";

/** Limits for parsing messages. */
export interface MimeOptions {
  /** Maximum number of threads; 2 by default. */
  readonly workers?: number;
  /** CPU time for one message; 5 seconds. */
  readonly timeout?: Duration.Input;
  /** How long a caller waits, also for a worker and on a machine that is busy with other work; 20 seconds. */
  readonly patience?: Duration.Input;
  /** Heap of one worker in MiB; 256. */
  readonly memory?: number;
  /** Time after which an idle worker ends; 30 seconds. */
  readonly idle?: Duration.Input;
  /**
   * The worker's module, `@postern/mime/worker`, where a bundler put it; by default found beside this one or in the
   * package.
   */
  readonly workerUrl?: URL | string | undefined;
}

/** The options with all defaults filled in; times in milliseconds. */
export interface MimeSettings {
  readonly workers: number;
  readonly timeout: number;
  readonly patience: number;
  readonly memory: number;
  readonly idle: number;
  readonly workerUrl: URL | string | undefined;
}

export const settingsOf = ({
  workers = 2,
  timeout,
  patience,
  memory = 256,
  idle,
  workerUrl,
}: MimeOptions): MimeSettings => ({
  workers,
  timeout: Duration.toMillis(timeout ?? "5 seconds"),
  patience: Duration.toMillis(patience ?? "20 seconds"),
  memory,
  idle: Duration.toMillis(idle ?? "30 seconds"),
  workerUrl,
});
