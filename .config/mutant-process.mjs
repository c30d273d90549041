// A process that runs tests against mutants. A fault may end the process, or cause an endless loop; the next job gets a
// new process.
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";

/** The silence after which a process counts as hanging. */
const SILENCE_MILLIS = 600_000;

/** The result of a job that did not reach the process. */
const GONE = Symbol("gone");

class MutantProcess {
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

  /** Sends a job, and returns its answer; undefined if the process ended before. */
  async #run(job) {
    this.#child ??= await this.#start();
    const child = this.#child;
    let timer;
    const answer = await new Promise((done) => {
      timer = setTimeout(done, SILENCE_MILLIS);
      child.on("message", (message) => {
        timer.refresh();
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
      return this.#run(job);
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

  /** Returns the record of a test file; undefined if its tests ended the process. */
  async record(file) {
    return (await this.#run({ record: file }))?.record;
  }
}

/** Passes each of several jobs to one of as many processes as there are processors, and ends the processes. */
export const inMutantProcesses = async (jobs, run) => {
  const rest = jobs.values();
  const work = async () => {
    const runner = new MutantProcess();
    for (const job of rest) await run(runner, job);
    runner.end();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
};
