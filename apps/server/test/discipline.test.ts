import { Clock, Effect } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lagOf, disciplineFrom, follow, timeAt } from "../src/clock/discipline.ts";
import { DisciplinedClock, monotonicMillis } from "../src/clock/DisciplinedClock.ts";

const START = 1_900_000_000_000;
const DAY = 24 * 3600 * 1000;

describe("the disciplined time", () => {
  it("advances with the monotonic clock from its first sample", () => {
    const discipline = disciplineFrom({ monotonic: 50, time: START });
    expect(timeAt(discipline, 50)).toBe(START);
    expect(timeAt(discipline, 1_050)).toBe(START + 1_000);
  });

  it("never runs backwards, never jumps, and is never more than a tenth too fast or slow [S9.1-3]", () => {
    const samples = fc.array(
      fc.record({
        wait: fc.integer({ min: 1, max: 60_000 }),
        off: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -2 * DAY, max: 2 * DAY })),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(samples, (readings) => {
        let discipline = disciplineFrom({ monotonic: 0, time: START });
        let moment = 0;
        for (const { wait, off } of readings) {
          const before = timeAt(discipline, moment);
          moment += wait;
          const passed = timeAt(discipline, moment) - before;
          expect(passed).toBeGreaterThanOrEqual(wait * 0.9 - 0.001);
          expect(passed).toBeLessThanOrEqual(wait * 1.1 + 0.001);
          const next = follow(discipline, { monotonic: moment, time: START + moment + off });
          expect(timeAt(next, moment)).toBeCloseTo(timeAt(discipline, moment), 3);
          discipline = next;
        }
      }),
    );
  });

  it("reaches the time that it follows, from any distance", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10 * 60_000, max: 10 * 60_000 }), (off) => {
        let discipline = disciplineFrom({ monotonic: 0, time: START });
        const sampleAt = (monotonic: number) => ({ monotonic, time: START + off + monotonic });
        let last = Math.abs(off);
        for (let moment = 30_000; moment <= 250 * 30_000; moment += 30_000) {
          const late = Math.abs(lagOf(discipline, sampleAt(moment)));
          expect(late).toBeLessThanOrEqual(last + 0.001);
          last = late;
          discipline = follow(discipline, sampleAt(moment));
        }
        expect(last).toBeLessThan(1);
      }),
    );
  });
});

describe("the clock of the service", () => {
  const newClock = () => new DisciplinedClock(Effect.runSync(Clock.Clock));

  it("is the machine's clock until it is set", () => {
    const clock = newClock();
    expect(Math.abs(clock.currentTimeMillisUnsafe() - Date.now())).toBeLessThan(1_000);
    clock.start({ monotonic: monotonicMillis(), time: START });
    expect(clock.currentTimeMillisUnsafe() - START).toBeLessThan(1_000);
    expect(Number(clock.currentTimeNanosUnsafe() / 1_000_000n) - START).toBeLessThan(1_000);
  });

  it("reports how far it was behind, and does not jump", () => {
    const clock = newClock();
    clock.start({ monotonic: monotonicMillis(), time: START });
    const late = clock.follow({ monotonic: monotonicMillis(), time: START + DAY });
    expect(Math.abs(late - DAY)).toBeLessThan(1_000);
    expect(clock.currentTimeMillisUnsafe() - START).toBeLessThan(1_000);
  });

  it("sleeps in real time", async () => {
    const began = monotonicMillis();
    await Effect.runPromise(Effect.provideService(Effect.sleep(30), Clock.Clock, newClock()));
    expect(monotonicMillis() - began).toBeGreaterThan(25);
  });

  it("is the Clock of effects", () => {
    const clock = newClock();
    clock.start({ monotonic: monotonicMillis(), time: START });
    const read = Effect.runSync(Effect.provideService(Clock.currentTimeMillis, Clock.Clock, clock));
    expect(read - START).toBeLessThan(1_000);
  });
});
