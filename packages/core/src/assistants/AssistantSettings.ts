import { Context } from "effect";

/** The operator's settings for assistants. */
export const AssistantSettings = Context.Reference<{
  /** `MCP_DYNAMIC_REGISTRATION`: whether clients may register themselves (RFC 7591). */
  readonly mayRegister: boolean;
}>("@postern/core/assistants/AssistantSettings", { defaultValue: () => ({ mayRegister: false }) });
