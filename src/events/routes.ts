import { heldCredential, requireSession } from "../access.ts";
import { AppError } from "../errors.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { renderProblem } from "../http/render-problem.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { said, saidFrame, streamQuery } from "./schema.ts";
import { socketRights } from "./socket-rights.ts";
import { readSeen, streamFrames } from "./stream-frames.ts";

const path = "/api/v1/events";

const socketRoute = defineRoute({
  method: "get",
  path,
  access: "session",
  summary: "The live socket: a WebSocket with the events of the caller's chats",
  responses: { 101: { description: "The socket is open" }, 426: { description: "Not an upgrade request" } },
});

const streamRoute = defineRoute({
  method: "get",
  path: `${path}/stream`,
  access: "session",
  summary: "The same events as server-sent events, where no WebSocket gets through",
  request: { query: streamQuery },
  responses: { 200: { description: "The events; `Last-Event-ID` goes on after one of them" } },
});

const frameRoute = defineRoute({
  method: "post",
  path: `${path}/frames`,
  access: "session",
  summary: "A frame of a tab that reads the stream",
  request: jsonBody(saidFrame),
  responses: answers("The frame has arrived", said),
});

/** The live socket. Frames are in src/shared/live-protocol.ts, because OpenAPI cannot describe them. */
export function eventRoutes() {
  const router = createRouter();
  router.raw(socketRoute, async (c) => {
    const ctx = contextOf(c);
    const user = requireSession(ctx);
    if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
      const refusal = new AppError("upgrade_required", "This is a WebSocket endpoint: send an upgrade request");
      const { body, contentType } = renderProblem(refusal, c.get("requestId"));
      // A 426 names the protocol it asks for (RFC 9110, section 15.5.22).
      return new Response(JSON.stringify(body), {
        status: refusal.status,
        headers: { "content-type": contentType, upgrade: "websocket", connection: "upgrade" },
      });
    }
    return ctx.live.connect(heldCredential(user), c.req.raw, socketRights(ctx));
  });

  router.openapi(streamRoute, async (c) => {
    const ctx = contextOf(c);
    const user = requireSession(ctx);
    const { wait, visible } = c.req.valid("query");
    const upgrade = new Request(new URL(path, c.req.url), { headers: { upgrade: "websocket" } });
    const { webSocket } = await ctx.live.connect(heldCredential(user), upgrade, socketRights(ctx));
    if (!webSocket) throw new AppError("not_ready", "The events cannot be read now: try again");
    const options = {
      seen: readSeen(c.req.header("last-event-id")),
      isVisible: visible === "true",
      waitSeconds: wait,
    };
    return streamFrames(webSocket, options, c.req.raw.signal);
  });

  router.openapi(frameRoute, async (c) => {
    const ctx = contextOf(c);
    const { session_id: tab, frame } = c.req.valid("json");
    const hasArrived = await ctx.live.receive(heldCredential(requireSession(ctx)), tab, JSON.stringify(frame));
    if (!hasArrived) throw new AppError("not_found", "This tab is not connected");
    return c.json({ status: true as const }, 200);
  });
  return router;
}
