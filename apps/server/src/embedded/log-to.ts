import { Layer, Logger, type LogLevel, References } from "effect";
import { lineOf } from "../process/flat-json.ts";
import type { PosternLogger } from "./PosternLogger.ts";

/** Passes log entries of a level and above to the logger of the host; without a logger nothing is logged. */
export const logTo = (logger: PosternLogger | undefined, least: LogLevel.LogLevel): Layer.Layer<never> => {
  if (logger === undefined) return Logger.layer([]);
  const passing = Logger.make((options) => {
    const { time: _time, level: _level, message, ...fields } = lineOf(options);
    logger[METHODS[options.logLevel] ?? "debug"](String(message), fields);
  });
  return Layer.merge(Logger.layer([passing]), Layer.succeed(References.MinimumLogLevel, least));
};

const METHODS: Partial<Record<LogLevel.LogLevel, keyof PosternLogger>> = {
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "error",
};
