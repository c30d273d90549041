// A process that runs tests against mutants. A fault may end the process, or cause an endless loop; the next job gets a
// new process.
import { fork } from "node:child_process";
import { resolve } from "node:path";

/** The silence after which a process counts as hanging. */
const SILENCE_MILLIS = 600_000;

/** The result of a job that did not reach the process. */
const GONE = Symbol("gone");

export class MutantProcess {
  #child;

  async #start() {
    const child = fork(".config/mutant-runner.mjs", {
      execArgv: ["--conditions=@postern/source", "--disable-warning=ExperimentalWarning", "--expose-gc"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    await new Promise((done) => child.once("message", done));
    return child;
  }

  end() {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  /**
   * Sends a job, passes each of its messages to `heard`, and returns the last one; undefined if the process ended
   * before.
   */
  async #run(job, heard = () => {}) {
    this.#child ??= await this.#start();
    const child = this.#child;
    let timer;
    const answer = await new Promise((done) => {
      timer = setTimeout(done, SILENCE_MILLIS);
      child.on("message", (message) => {
        timer.refresh();
        heard(message);
        if (message.done) done(message);
      });
      child.once("exit", () => done(undefined));
      child.once("error", () => done(GONE));
      child.send(job, (error) => error !== null && done(GONE));
    });
    clearTimeout(timer);
    child.removeAllListeners();
    // The effects of an earlier job ended the process between the two jobs.
    if (answer === GONE) {
      this.end();
      return this.#run(job, heard);
    }
    if (answer === undefined || answer.isTainted || answer.isFull) this.end();
    return answer;
  }

  /** Returns the test that a mutant fails; null if none does. */
  async judge({ file, start, end, by }, files) {
    const job = { mutant: { path: resolve(file), start, end, by }, files };
    const first = await this.#run(job);
    // An earlier mutant may have left effects behind.
    const answer = first?.isTainted ? await this.#run(job) : first;
    if (answer === undefined) return "no end";
    return answer.isTainted ? null : answer.failed;
  }

  /** Passes the record of each test file to `heard`. */
  async record(files, heard) {
    await this.#run({ record: files }, (message) => message.test !== undefined && heard(message));
    this.end();
  }
}
