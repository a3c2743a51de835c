import type { Driver, DriverKind } from "./driver.ts";
import { functionModel } from "./function-model/driver.ts";
import { localRuntime } from "./local-runtime/driver.ts";
import { messagesNative } from "./messages-native/driver.ts";
import { openAiCompatible } from "./openai-compatible.ts";

/** One line for each kind of model there is. */
const drivers: Record<DriverKind, Driver> = {
  openai: openAiCompatible,
  local: localRuntime,
  anthropic: messagesNative,
  function: functionModel,
};

export function driverOf(kind: DriverKind): Driver {
  return drivers[kind];
}
