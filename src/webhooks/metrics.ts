import { Counter, Histogram } from "../lib/metrics/series.ts";

export const attemptCount = new Counter({
  name: "parley_webhook_attempts",
  help: "Attempts to deliver outbound webhooks: taken, refused (another status than 2xx), or why there was no answer.",
  labels: ["outcome"],
});

export const attemptDuration = new Histogram({
  name: "parley_webhook_attempt_duration_seconds",
  unit: "seconds",
  help: "Time until the receiver of an outbound webhook answered, or until it was clear that it does not.",
  bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});

export const deliveryCount = new Counter({
  name: "parley_webhook_deliveries",
  help: "Outbound webhooks that came to an end: delivered, failed or cancelled.",
  labels: ["outcome"],
});
