import { Duration } from "effect";

/** Limits for parsing messages. */
export interface MimeOptions {
  /** Maximum number of threads; 2 by default. */
  readonly workers?: number;
  /** CPU time for one message; 5 seconds by default. */
  readonly timeout?: Duration.Input;
  /** How long a caller waits, including the wait for a worker and on a busy machine; 20 seconds by default. */
  readonly patience?: Duration.Input;
  /** Heap of one worker in MiB; 256 by default. */
  readonly memory?: number;
  /** Time after which an idle worker ends; 30 seconds by default. */
  readonly idle?: Duration.Input;
  /**
   * The URL of the worker's module, `@postern/mime/worker`, if a bundler moved the module. By default the module is
   * searched beside this one and in the package.
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
