import * as z from "zod";
import { requireAdmin } from "../access.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { listChatTasks, listTasks, stopChatTasks, stopTask } from "./tasks.ts";

const done = z.object({ status: z.literal(true), message: z.string() });
const ofChat = { params: z.object({ chat_id: z.string() }) };

function answers<S extends z.ZodType>(description: string, schema: S) {
  return { 200: { description, content: { "application/json": { schema } } } };
}

/** Running answers, in Open WebUI's tasks API. */
export function taskRoutes() {
  const router = createRouter();
  const all = defineRoute({
    method: "get",
    path: "/api/tasks",
    requires: requireAdmin,
    summary: "All running answers (administrators)",
    responses: answers("Run ids", z.object({ tasks: z.array(z.string()) })),
  });
  router.openapi(all, async (c) => c.json({ tasks: await listTasks(contextOf(c)) }, 200));

  const ofOneChat = defineRoute({
    method: "get",
    path: "/api/tasks/chat/{chat_id}",
    summary: "Running answers of a chat",
    request: ofChat,
    responses: answers("Run ids", z.object({ task_ids: z.array(z.string()) })),
  });
  router.openapi(ofOneChat, async (c) =>
    c.json({ task_ids: await listChatTasks(contextOf(c), c.req.valid("param").chat_id) }, 200),
  );

  const stopOne = defineRoute({
    method: "post",
    path: "/api/tasks/stop/{run_id}",
    summary: "Stop a running answer; its text is kept",
    request: { params: z.object({ run_id: z.string() }) },
    responses: answers("Stopped", done),
  });
  router.openapi(stopOne, async (c) => {
    await stopTask(contextOf(c), c.req.valid("param").run_id);
    return c.json({ status: true as const, message: "Stopped" }, 200);
  });

  const stopOfChat = defineRoute({
    method: "post",
    path: "/api/tasks/chat/{chat_id}/stop",
    summary: "Stop all running answers of a chat; their text is kept",
    request: ofChat,
    responses: answers("Stopped", done),
  });
  router.openapi(stopOfChat, async (c) => {
    const count = await stopChatTasks(contextOf(c), c.req.valid("param").chat_id);
    return c.json({ status: true as const, message: count === 0 ? "Nothing was running" : "Stopped" }, 200);
  });
  return router;
}
