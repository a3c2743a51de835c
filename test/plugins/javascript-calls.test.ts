import { describe } from "vitest";
import { describeCalls } from "./describe-calls.ts";
import { createNodePluginHost } from "./node-plugin-host.ts";

const host = createNodePluginHost();

describe("calls in this process", () => {
  describeCalls(() => host, 50);
});
