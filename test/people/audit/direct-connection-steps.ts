import { secrets, type Step } from "./step.ts";

const base = "/api/v1/users/user/connections";

/** A person's own connection: made, changed, deleted. */
export const directConnectionSteps: Step[] = [
  {
    who: "ada",
    route: `POST ${base}`,
    actions: ["direct_connection.created"],
    makes: "direct connection",
    body: () => ({
      base_url: `https://models.invalid/v1?key=${secrets.query}`,
      key: secrets.directProvider,
      enabled: false,
    }),
  },
  {
    who: "ada",
    route: `PATCH ${base}/:id`,
    actions: ["direct_connection.updated"],
    of: "direct connection",
    body: () => ({ name: "Mine", key: `${secrets.directProvider}-2` }),
  },
  { who: "ada", route: `DELETE ${base}/:id`, actions: ["direct_connection.deleted"], of: "direct connection" },
];
