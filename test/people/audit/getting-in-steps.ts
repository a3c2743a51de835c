import { secrets, type Step } from "./step.ts";

/** Invitations, links for new passwords and the mail server. */
export const gettingInSteps: Step[] = [
  {
    who: "admin",
    route: "POST /api/v1/invitations",
    actions: ["invitation.created"],
    body: () => ({ email: "nia@north.example", role: "user" }),
  },
  {
    who: "admin",
    route: "POST /api/v1/users/:id/reset_link",
    actions: ["user.reset_link_created"],
    of: "added",
    body: () => ({}),
  },
  {
    who: "admin",
    route: "PUT /api/v1/mail/password",
    actions: ["mail.password_updated"],
    body: () => ({ password: secrets.mail }),
  },
];
