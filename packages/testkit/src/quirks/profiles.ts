import type { Profile } from "./Profile.ts";
import { LARGE_PROFILES } from "./large-profiles.ts";
import { OTHER_PROFILES } from "./other-profiles.ts";

/** The mail servers that the quirk proxy imitates. */
export const PROFILES: ReadonlyArray<Profile> = [...LARGE_PROFILES, ...OTHER_PROFILES];

/** Returns the profile of this name. */
export const profileOf = (name: string): Profile => {
  const found = PROFILES.find((profile) => profile.name === name);
  if (found === undefined)
    throw new Error(`no profile ${name}; there are ${PROFILES.map((one) => one.name).join(", ")}`);
  return found;
};
