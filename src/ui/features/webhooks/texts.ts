import type { AttemptError, DeliveryState, WebhookEvent, WebhookShape } from "../../../webhooks/schema.ts";

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const number = new Intl.NumberFormat();

/** What the pages of outbound webhooks say: the service's, and one's own. */
export const texts = {
  own: {
    title: "Notifications",
    sub: "Have an address of yours told when an answer is finished while you are away.",
    off: "User webhooks are switched off here. Ask an administrator to switch them on.",
    offAdmin: "User webhooks are switched off here, so nobody’s address is told of anything.",
    offAdminAction: "Switch them on under Settings",
    notAllowed:
      "Your account may not have a webhook. An administrator can allow it for everyone or for one of your groups; “Be told elsewhere” is the name of the permission.",
  },
  service: {
    title: "Webhooks",
    sub: "What Parley tells another system of yours, and whether it was heard.",
  },
  failed: "The webhook could not be loaded",
  endpoint: {
    title: "Where to",
    sub: {
      own: "Told of each finished answer in your chats, unless you have Parley in view. Temporary chats are never told of.",
      service:
        "Told of each new person, however they came: by signing up, single sign-on, provisioning or an administrator.",
    },
    url: "Address",
    urlHint:
      "Parley sends a POST with JSON. Slack, Discord, Teams and Google Chat addresses get messages in their own form.",
    urlLocked: "Set where the service is started (WEBHOOK_URL), and can only be changed there.",
    urlWrong: "An address begins with https:// or http://.",
    none: "No address is set.",
    always: "Also while I have Parley in view",
    alwaysHint: "Otherwise only when no tab of yours was in view during the last minute.",
    shape: (shape: WebhookShape) =>
      `Sent as ${{ generic: "JSON", slack: "a Slack message", discord: "a Discord message", teams: "a Teams card", google_chat: "a Google Chat message" }[shape]}.`,
    changes: { url: "address", is_always: "when it is told" },
    notSaved: "The webhook was not changed",
    saved: "The webhook is changed.",
    removed: "The address is removed. Nothing is sent any more.",
    switchOff: "Switch off",
    switchOn: "Switch on again",
    notSwitched: "Nothing was switched",
    isOff: "Switched off: nothing is sent.",
    disabled: {
      gone: (at: string) =>
        `Switched off on ${at}: the receiver said that it is gone (410). Check the address, then switch it on again.`,
      failing: (at: string) =>
        `Switched off on ${at}: nothing was taken for five days. Check the receiver, then switch it on again; failed deliveries can be sent again below.`,
    },
    failing: (at: string) =>
      `Nothing has been taken since ${at}. Parley goes on trying; after five days it switches this webhook off.`,
    paused: (at: string) => `The receiver asked for a pause: Parley goes on at ${at}.`,
  },
  secret: {
    title: "Signature",
    sub: "Each delivery is signed after the Standard Webhooks specification, so that the receiver can tell that it comes from here.",
    label: "Secret",
    hint: "Give it to the receiver. It checks the headers webhook-id, webhook-timestamp and webhook-signature, for example with one of the standardwebhooks libraries.",
    show: "Show secret",
    hide: "Hide secret",
    failed: "The secret could not be loaded",
    none: "There is a secret as soon as there is an address.",
    rotate: "Make a new secret",
    both: (at: string) =>
      `Until ${at} deliveries carry a signature with the secret before, too. Give the new one to the receiver by then.`,
    ask: {
      title: "Make a new secret?",
      text: "The receiver has to be given the new one. For a day deliveries are signed with both, so that none is refused meanwhile.",
      action: "Make new secret",
      failed: "The secret was not changed",
    },
  },
  test: {
    action: "Send a test",
    sending: "Sending a test…",
    good: (outcome: string) => `The test was taken: ${outcome}.`,
    bad: (outcome: string) =>
      `The test was not taken: ${outcome}. Its delivery below shows what was sent and what came back.`,
    failed: "The test was not sent",
  },
  tiles: { delivered: "Delivered", waiting: "Waiting", failed: "Given up", taken: "Attempts taken" },
  period: "Period",
  periods: { hour: "Last 48 hours", day: "Last 30 days" },
  refresh: "Load again",
  plots: {
    failed: "The figures could not be loaded",
    success: {
      title: { hour: "Attempts by hour", day: "Attempts by day" },
      label: { hour: "Attempts by hour, taken and not taken", day: "Attempts by day, taken and not taken" },
      lower: "Taken",
      upper: "Not taken",
    },
    latency: {
      title: { hour: "Time to the answer by hour", day: "Time to the answer by day" },
      label: {
        hour: "Time until the receiver has answered by hour: half of the attempts, and 95 of 100",
        day: "Time until the receiver has answered by day: half of the attempts, and 95 of 100",
      },
      lower: "Half within",
      upper: "95 of 100 within",
    },
    time: { hour: "Hour", day: "Day" },
    nothing: "–",
  },
  log: {
    title: "Deliveries",
    failed: "The deliveries could not be loaded",
    none: "Nothing has been sent yet. A test shows whether the receiver hears you.",
    noneSet: "Nothing has been sent yet. Set an address first.",
    noneOfFilter: "No delivery is like that.",
    more: "Show more",
    moreFailed: "No more could be loaded",
    state: "State",
    allStates: "All states",
    event: "Event",
    allEvents: "All events",
    columns: { what: "What", how: "How it went", attempts: "Attempts", when: "When" },
    next: "again",
    replayOf: "Sent again by hand",
    kept: "Deliveries are kept for 30 days.",
  },
  events: { new_user: "New person", chat_response: "Finished answer", test: "Test" } satisfies Record<
    WebhookEvent,
    string
  >,
  states: {
    pending: "Waiting",
    delivered: "Delivered",
    failed: "Given up",
    cancelled: "Not sent",
  } satisfies Record<DeliveryState, string>,
  errors: {
    timeout: "No answer within 15 seconds",
    private_address: "Private address",
    redirect: "Redirect",
    tls: "No secure connection",
    unreachable: "Cannot be reached",
    unfinished: "Under way",
  } satisfies Record<AttemptError, string>,
  milliseconds: (count: string) => `${count} ms`,
  seconds: (count: string) => `${count} s`,
  detail: {
    failed: "The delivery could not be loaded",
    id: "Id that the receiver sees",
    body: "What is told",
    attempt: (count: number) => `Attempt ${number.format(count)}`,
    noAttempts: "No attempt has been made yet.",
    request: "Request",
    response: "Response",
    noResponse: "There was no answer.",
    empty: "Empty",
    headers: "Headers",
    nextAt: (at: string) => `Tried again at ${at}.`,
    replay: "Send again",
    replayed: "It is being sent again.",
    notReplayed: "It was not sent again",
    off: "Switch the webhook on first to send this again.",
  },
  disabled: {
    toast: { own: "Your webhook was switched off", service: "The service’s webhook was switched off" },
    open: "See why",
  },
  at: (milliseconds: number) => moment.format(milliseconds),
};
