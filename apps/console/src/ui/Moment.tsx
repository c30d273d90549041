import { dayAndTime, shortTime } from "./time.ts";

/** A point in time in short form, with the full form as its title. */
export const Moment = ({ at, whole = false }: { readonly at: string; readonly whole?: boolean }) => (
  <time dateTime={at} title={dayAndTime(at)}>
    {whole ? dayAndTime(at) : shortTime(at)}
  </time>
);
