import { storedSwitch } from "../../ui/stored-switch.ts";

/** The setting for showing a message with the others of its conversation. */
export const { turn: showConversations, useIsOn: useConversationsAreShown } = storedSwitch(
  "postern-conversations",
  true,
);

/** The setting for listing the messages of a conversation in one row. */
export const { turn: groupLists, useIsOn: useListsAreGrouped } = storedSwitch("postern-grouped", false);

/** The setting for listing the oldest arrivals first. */
export const { turn: listOldestFirst, useIsOn: useListsAreOldestFirst } = storedSwitch("postern-oldest-first", false);
