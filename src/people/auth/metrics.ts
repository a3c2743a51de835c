import { Counter } from "../../lib/metrics/series.ts";

export const signInCount = new Counter({
  name: "parley_sign_ins",
  help: "Sign-ins, right and wrong. The way is password, passkey, sso or key; keys are counted when they are wrong.",
  labels: ["way", "outcome"],
  maxSeries: 10,
});
