import { requireAdmin } from "../../access.ts";
import { listAllUsers } from "../../people/users/list-users.ts";
import { listFunctions, listTools } from "../../plugins/list-plugins.ts";
import { listAllFolders } from "../folders/list-folders.ts";
import type { Handler } from "./capabilities.ts";

/** What a plugin can read of the workspace: what its person sees of it, without the sources of plugins. */
export const workspaceRequests: Readonly<Record<string, Handler>> = {
  /** People: for administrators, as `user.get`. */
  async "user.list"(ctx) {
    requireAdmin(ctx);
    const { users } = await listAllUsers(ctx);
    return users.map(({ id, name, email, role }) => ({ id, name, email, role }));
  },
  "tool.list": (ctx) => listTools(ctx),
  "function.list": (ctx) => listFunctions(ctx),
  "folder.list": (ctx) => listAllFolders(ctx),
};
