import type { AttemptError, DeliveryState, WebhookEvent, WebhookShape } from "../../../webhooks/schema.ts";
import { inLanguage } from "../../languages/app.ts";
import { locale } from "../../lib/language.ts";

const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const number = new Intl.NumberFormat(locale);

/** Texts of the pages of outbound webhooks: the service's, and a person's own. */
export const texts = inLanguage("webhooks", {
  own: {
    title: "Notifications",
    sub: "Send a message to an address of yours when an answer is finished while you are away.",
    off: "User webhooks are switched off. Ask an administrator to switch them on.",
    offAdmin: "User webhooks are switched off, so nothing is sent to anyone's address.",
    offAdminAction: "Switch them on under Settings",
    notAllowed:
      "Your account isn't allowed to have a webhook. An administrator can give the permission “Use webhooks” to everyone or to one of your groups.",
  },
  service: {
    title: "Webhooks",
    sub: "What Parley sends to another system, and whether it was delivered.",
  },
  failed: "The webhook couldn't be loaded",
  endpoint: {
    title: "Endpoint",
    sub: {
      own: "Gets a message for each finished answer in your chats, unless you have Parley in view. Never for temporary chats.",
      service:
        "Gets a message for each new person, whether they signed up, came through single sign-on or provisioning, or were added by an administrator.",
    },
    url: "Address",
    urlHint:
      "Parley sends a POST with JSON. Slack, Discord, Teams and Google Chat addresses get messages in their own format.",
    urlLocked: "Set by the environment variable WEBHOOK_URL, and can only be changed there.",
    urlWrong: "Enter an address that starts with https:// or http://.",
    none: "No address is set.",
    always: "Also while I have Parley in view",
    alwaysHint: "Otherwise only if none of your tabs was in view during the last minute.",
    shape: (shape: WebhookShape) =>
      `Sent as ${{ generic: "JSON", slack: "a Slack message", discord: "a Discord message", teams: "a Teams card", google_chat: "a Google Chat message" }[shape]}.`,
    changes: { url: "address", is_always: "when it is sent" },
    notSaved: "The webhook couldn't be changed",
    saved: "The webhook was changed.",
    removed: "The address was removed. Nothing is sent any more.",
    switchOff: "Switch off",
    switchOn: "Switch on again",
    notSwitched: "The webhook couldn't be switched on or off",
    isOff: "Switched off: nothing is sent.",
    disabled: {
      gone: (at: string) =>
        `Switched off on ${at}: the receiver answered that it no longer exists (410). Check the address, then switch it on again.`,
      failing: (at: string) =>
        `Switched off on ${at}: no delivery was accepted for five days. Check the receiver, then switch it on again. You can send failed deliveries again below.`,
    },
    failing: (at: string) =>
      `No delivery has been accepted since ${at}. Parley keeps trying. After five days, it switches this webhook off.`,
    paused: (at: string) => `The receiver asked for a pause. Parley continues at ${at}.`,
  },
  secret: {
    title: "Signature",
    sub: "Each delivery is signed according to the Standard Webhooks specification, so the receiver can verify that it comes from Parley.",
    label: "Secret",
    hint: "Give it to the receiver. It checks the headers webhook-id, webhook-timestamp and webhook-signature, for example with one of the standardwebhooks libraries.",
    show: "Show secret",
    hide: "Hide secret",
    failed: "The secret couldn't be loaded",
    none: "The secret is created when you set an address.",
    rotate: "Create a new secret",
    both: (at: string) =>
      `Until ${at}, deliveries are also signed with the previous secret. Give the new one to the receiver by then.`,
    ask: {
      title: "Create a new secret?",
      text: "Give the new secret to the receiver. For one day, deliveries are signed with both secrets, so none is rejected.",
      action: "Create new secret",
      failed: "The secret couldn't be changed",
    },
  },
  test: {
    action: "Send a test",
    sending: "Sending a test…",
    good: (outcome: string) => `The test was accepted: ${outcome}.`,
    bad: (outcome: string) =>
      `The test was not accepted: ${outcome}. Its delivery below shows what was sent and what came back.`,
    failed: "The test couldn't be sent",
  },
  tiles: { delivered: "Delivered", waiting: "Waiting", failed: "Failed", taken: "Accepted attempts" },
  period: "Period",
  periods: { hour: "Last 48 hours", day: "Last 30 days" },
  refresh: "Refresh",
  plots: {
    failed: "The figures couldn't be loaded",
    success: {
      title: { hour: "Attempts by hour", day: "Attempts by day" },
      label: { hour: "Attempts by hour, accepted and failed", day: "Attempts by day, accepted and failed" },
      lower: "Accepted",
      upper: "Failed",
    },
    latency: {
      title: { hour: "Response time by hour", day: "Response time by day" },
      label: {
        hour: "Response time by hour: median and 95th percentile",
        day: "Response time by day: median and 95th percentile",
      },
      lower: "Median",
      upper: "95th percentile",
    },
    time: { hour: "Hour", day: "Day" },
    nothing: "–",
  },
  log: {
    title: "Deliveries",
    failed: "The deliveries couldn't be loaded",
    none: "Nothing has been sent yet. Send a test to check the receiver.",
    noneSet: "Nothing has been sent yet. Set an address first.",
    noneOfFilter: "No deliveries match the filter.",
    more: "Show more",
    moreFailed: "More deliveries couldn't be loaded",
    state: "State",
    allStates: "All states",
    event: "Event",
    allEvents: "All events",
    columns: { what: "Event", how: "Result", attempts: "Attempts", when: "When" },
    next: "next try",
    replayOf: "Sent again manually",
    kept: "Deliveries are kept for 30 days.",
  },
  events: { new_user: "New person", chat_response: "Finished answer", test: "Test" } satisfies Record<
    WebhookEvent,
    string
  >,
  states: {
    pending: "Waiting",
    delivered: "Delivered",
    failed: "Failed",
    cancelled: "Not sent",
  } satisfies Record<DeliveryState, string>,
  errors: {
    timeout: "No answer within 15 seconds",
    private_address: "Private address",
    redirect: "Redirect",
    tls: "TLS error",
    unreachable: "Unreachable",
    secret_unreadable: "Create a new signing secret",
    unfinished: "In progress",
  } satisfies Record<AttemptError, string>,
  milliseconds: (count: string) => `${count} ms`,
  seconds: (count: string) => `${count} s`,
  detail: {
    failed: "The delivery couldn't be loaded",
    id: "Delivery ID",
    body: "Content",
    attempt: (count: number) => `Attempt ${number.format(count)}`,
    noAttempts: "No attempt has been made yet.",
    request: "Request",
    response: "Response",
    noResponse: "There was no answer.",
    empty: "Empty",
    headers: "Headers",
    nextAt: (at: string) => `Next attempt at ${at}.`,
    replay: "Send again",
    replayed: "The delivery is being sent again.",
    notReplayed: "The delivery couldn't be sent again",
    off: "Switch the webhook on first to send this again.",
  },
  disabled: {
    toast: { own: "Your webhook was switched off", service: "The service webhook was switched off" },
    open: "See why",
  },
  at: (milliseconds: number) => moment.format(milliseconds),
});
