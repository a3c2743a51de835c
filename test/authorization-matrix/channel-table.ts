import {
  everyone,
  filter,
  forId,
  insideOrganization,
  owner,
  ownerOrSystemAdmin,
  type Cell,
  type Row,
} from "./cells.ts";

const base = "/api/v1/channels";
const list: Row = { may: everyone };
const one: Row = { ids: { id: "channel" }, may: ownerOrSystemAdmin };

/** System administrators find what they do not take part in. */
export const found =
  (may: Row["may"]): Row["may"] =>
  (cell) =>
    cell.caller === "system admin" && cell.variant.startsWith("foreign") ? 403 : may(cell);
/** People of other organizations are in no channel of this one, whoever asks. */
const atHome = ({ variant }: Cell) => (variant === "own" || variant === "foreign" ? "ok" : ([400, 404, 422] as const));
const people: NonNullable<Row["say"]> = ({ user_ids }) => ({ json: { user_ids: [user_ids] } });

/** Channels and who is in them, as rows of the table. */
export const channelTable: Readonly<Record<string, Row>> = {
  [`GET ${base}`]: list,
  [`GET ${base}/`]: list,
  [`GET ${base}/list`]: list,
  [`GET ${base}/browse`]: list,
  // Nobody talks to themselves.
  [`GET ${base}/users/:user_id`]: {
    ids: { user_id: "user" },
    may: ({ variant }) => (variant === "own" ? 422 : variant === "foreign" ? "ok" : [404, 422]),
  },
  [`POST ${base}/create`]: {
    ids: { user_ids: "user" },
    say: ({ user_ids }) => ({ json: { name: `c${crypto.randomUUID()}`, user_ids: [user_ids] } }),
    may: atHome,
  },
  [`GET ${base}/:id`]: one,
  [`POST ${base}/:id/update`]: { ...one, say: () => ({ json: { description: "Ahoy" } }) },
  [`DELETE ${base}/:id/delete`]: one,
  [`GET ${base}/:id/members`]: one,
  [`POST ${base}/:id/update/members/add`]: {
    ids: { id: "channel", user_ids: "user" },
    say: people,
    may: forId({ user_ids: atHome }, (cell) =>
      // Who calls is not at home there.
      cell.caller === "system admin" && cell.variant === "foreign organization" ? 422 : ownerOrSystemAdmin(cell),
    ),
  },
  [`POST ${base}/:id/update/members/remove`]: {
    ids: { id: "channel", user_ids: "channel member" },
    say: people,
    may: forId({ user_ids: filter }, ownerOrSystemAdmin),
  },
  [`POST ${base}/:id/members/:user_id/role`]: {
    ids: { id: "channel", user_id: "channel member" },
    say: () => ({ json: { role: "manager" } }),
    may: owner,
  },
  [`POST ${base}/:id/members/active`]: {
    ids: { id: "direct channel" },
    say: () => ({ json: { is_active: false } }),
    may: owner,
  },
  [`POST ${base}/:id/join`]: {
    ids: { id: "public channel" },
    may: (cell) => (cell.variant === "foreign" ? "ok" : found(insideOrganization)(cell)),
  },
  [`POST ${base}/:id/leave`]: {
    ids: { id: "public channel" },
    may: found((cell) => (cell.variant === "foreign" ? 403 : owner(cell))),
  },
  [`POST ${base}/:id/read`]: { ids: { id: "channel" }, say: () => ({ json: { seq: 0 } }), may: found(owner) },
};
