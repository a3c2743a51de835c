import * as z from "zod";
import { requireManager } from "../../../access.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
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

const add = defineRoute({
  method: "post",
  path: "/api/v1/auths/add",
  requires: requireManager,
  summary: "Create an account for another person (administrators)",
  request: { body: { required: true, content: { "application/json": { schema: addedAccount } } } },
  responses: {
    200: {
      description: "The account and a session token for it",
      content: { "application/json": { schema: addedAccountResponse } },
    },
  },
});

const changeProfile = defineRoute({
  method: "post",
  path: "/api/v1/auths/update/profile",
  summary: "Update the caller's profile; only the fields in the body change",
  request: { body: { required: true, content: { "application/json": { schema: profileChange } } } },
  responses: { 200: { description: "The updated profile", content: { "application/json": { schema: profile } } } },
});

const changeTimezone = defineRoute({
  method: "post",
  path: "/api/v1/auths/update/timezone",
  summary: "Store the caller's time zone",
  request: { body: { required: true, content: { "application/json": { schema: timezoneChange } } } },
  responses: { 200: { description: "Stored", content: { "application/json": { schema: done } } } },
});

const changePasswordRoute = defineRoute({
  method: "post",
  path: "/api/v1/auths/update/password",
  summary: "Change the caller's password; ends all other sessions",
  request: { body: { required: true, content: { "application/json": { schema: passwordChange } } } },
  responses: { 200: { description: "Changed", content: { "application/json": { schema: z.literal(true) } } } },
});

const contactRoute = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/details",
  access: "session",
  summary: "The administrator to contact; also for people who wait for approval",
  responses: {
    200: { description: "The administrator's name and address", content: { "application/json": { schema: contact } } },
  },
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
