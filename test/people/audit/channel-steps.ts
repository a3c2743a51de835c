import type { Step } from "./step.ts";

const base = "/api/v1/channels";
const one = `${base}/:id`;
const step = (route: string, action: string, body?: Step["body"]): Step => ({
  who: "admin",
  route,
  actions: [`channel.${action}`],
  of: "channel",
  ...(body ? { body } : {}),
});
const member: Step["body"] = ({ user_id }) => ({ user_ids: [user_id] });

/** Channels: made, changed, people added, made managers and taken out, deleted. `user_id` is whom they are about. */
export const channelSteps: Step[] = [
  { ...step(`POST ${base}/create`, "created", () => ({ name: "tides", is_private: false })), makes: "channel" },
  step(`POST ${one}/update`, "updated", () => ({ description: "High and low water", is_private: true })),
  step(`POST ${one}/update/members/add`, "members_added", member),
  step(`POST ${one}/members/:user_id/role`, "role_updated", () => ({ role: "manager" })),
  step(`POST ${one}/update/members/remove`, "members_removed", member),
  step(`DELETE ${one}/delete`, "deleted"),
];
