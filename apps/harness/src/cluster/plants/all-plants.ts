import { accountPlants } from "./account-plants.ts";
import { draftPlants } from "./draft-plants.ts";
import { grantPlants } from "./grant-plants.ts";
import { mailPlants } from "./mail-plants.ts";
import type { Plant } from "./Plant.ts";
import { refusalPlants } from "./refusal-plants.ts";
import { sendingPlants } from "./sending-plants.ts";
import { webhookPlants } from "./webhook-plants.ts";

/** Every planted bug. */
export const allPlants: ReadonlyArray<Plant> = [
  ...sendingPlants,
  ...webhookPlants,
  ...mailPlants,
  ...draftPlants,
  ...accountPlants,
  ...grantPlants,
  ...refusalPlants,
];
