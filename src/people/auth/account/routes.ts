import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { contextOf, createRouter } from "../../../http/routes.ts";
import { done } from "../sign-in/schema.ts";
import { addAccount } from "./add-account.ts";
import { changePassword } from "./change-password.ts";
import { getContact } from "./get-contact.ts";
import {
  addedAccount,
  addedAccountResponse,
  contact,
  passwordChange,
  profile,
  profileChange,
  timezoneChange,
} from "./schema.ts";
import { updateProfile, updateTimezone } from "./update-profile.ts";

const add = createRoute({
  method: "post",
  path: "/api/v1/auths/add",
  summary: "Make an account for somebody (administrators)",
  request: { body: { required: true, content: { "application/json": { schema: addedAccount } } } },
  responses: {
    200: {
      description: "The account and a token of it",
      content: { "application/json": { schema: addedAccountResponse } },
    },
  },
});

const changeProfile = createRoute({
  method: "post",
  path: "/api/v1/auths/update/profile",
  summary: "Change what the body names of one's own profile",
  request: { body: { required: true, content: { "application/json": { schema: profileChange } } } },
  responses: { 200: { description: "The profile as it is now", content: { "application/json": { schema: profile } } } },
});

const changeTimezone = createRoute({
  method: "post",
  path: "/api/v1/auths/update/timezone",
  summary: "Note the caller's time zone",
  request: { body: { required: true, content: { "application/json": { schema: timezoneChange } } } },
  responses: { 200: { description: "It is noted", content: { "application/json": { schema: done } } } },
});

const changePasswordRoute = createRoute({
  method: "post",
  path: "/api/v1/auths/update/password",
  summary: "Change one's own password; ends all other sessions",
  request: { body: { required: true, content: { "application/json": { schema: passwordChange } } } },
  responses: { 200: { description: "It is changed", content: { "application/json": { schema: z.literal(true) } } } },
});

const contactRoute = createRoute({
  method: "get",
  path: "/api/v1/auths/admin/details",
  summary: "Whom to ask; open to people who wait for approval",
  responses: { 200: { description: "An administrator", content: { "application/json": { schema: contact } } } },
});

export function accountRoutes() {
  const router = createRouter();

  router.openapi(add, async (c) =>
    c.json(await addAccount(contextOf(c), c.req.valid("json"), c.req.header("user-agent") ?? ""), 200),
  );

  router.openapi(changeProfile, async (c) => c.json(await updateProfile(contextOf(c), c.req.valid("json")), 200));

  router.openapi(changeTimezone, async (c) => {
    await updateTimezone(contextOf(c), c.req.valid("json").timezone);
    return c.json({ status: true as const }, 200);
  });

  router.openapi(changePasswordRoute, async (c) => {
    await changePassword(contextOf(c), c.req.valid("json"));
    return c.json(true as const, 200);
  });

  router.openapi(contactRoute, async (c) => c.json(await getContact(contextOf(c)), 200));

  return router;
}
