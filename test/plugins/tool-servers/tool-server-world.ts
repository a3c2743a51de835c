import { attachToolServers } from "../../../src/plugins/tool-servers/attach-tool-servers.ts";
import type { ToolServerView } from "../../../src/plugins/tool-servers/schema.ts";
import type { Attachment, ToolOutcome, ToolScope } from "../../../src/plugins/tool.ts";
import { contextFor } from "../../models/context-for.ts";
import type { Person, World } from "../../world.ts";
import { toolScope } from "./tool-scope.ts";

/** Adds a server over the API, and waits until the service has looked at it. */
export async function addServer(world: World, as: Person, values: Record<string, unknown>): Promise<ToolServerView> {
  const { status, body } = await world.call<ToolServerView>("/api/v1/tool-servers", { json: values, as });
  if (status !== 200) throw new Error(`the server was not taken: ${status} ${JSON.stringify(body)}`);
  await world.settled();
  return body;
}

export async function attach(
  world: World,
  person: Person,
  ...servers: Pick<ToolServerView, "id">[]
): Promise<Attachment> {
  return attachToolServers(
    await contextFor(world, person),
    servers.map(({ id }) => `server:${id}`),
  );
}

export async function callTool(
  attachment: Attachment,
  name: string,
  args: Record<string, unknown> = {},
  scope: Partial<ToolScope> = {},
): Promise<ToolOutcome> {
  const tool = attachment.tools.find(({ spec }) => spec.name === name);
  if (!tool)
    throw new Error(`there is no tool ${name} among ${attachment.tools.map(({ spec }) => spec.name).join(", ")}`);
  return tool.call(args, toolScope(scope));
}

/** A grant for everyone. */
export const toEveryone = [{ principal_type: "user", principal_id: "*", permission: "read" }];
