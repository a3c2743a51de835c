/** What one of something costs, measured on one machine. */
export interface Cost {
  /** Milliseconds of processor time: of the service, and of the database. */
  service: number;
  database: number;
  /** Round trips to the database that only read, and batches that write. */
  reads: number;
  writes: number;
  /** As the database counts them; this is what hosted ones charge for. */
  rowsRead: number;
  rowsWritten: number;
}

/** What people do, measured one by one. */
export const actions = ["list", "open", "search", "turn", "post"] as const;
export type Action = (typeof actions)[number];
export type Costs = Record<Action, Cost>;

/** What is assumed of people; change it to your own. */
export interface Habits {
  regions: number;
  /** Of all people, on a working day. */
  activeShare: number;
  /** Of all people, with an open tab in the busiest hour of their region. */
  openShare: number;
  /** On a working day, for each active person. */
  each: Record<Action, number>;
  /** People who have a channel's tab open while somebody posts, and events of one answer. */
  audience: number;
  eventsOfAnswer: number;
  /** Of a day's work, in its busiest hour: regions are spread around the world. */
  busiestHour: number;
  workingDays: number;
  /** Bytes of the database for one turn and one post, with their indexes; of files for each person. */
  bytesOfTurn: number;
  bytesOfPost: number;
  fileBytes: number;
  filesADay: number;
}

export const habits: Habits = {
  regions: 50,
  activeShare: 0.3,
  openShare: 0.1,
  each: { list: 40, open: 20, search: 3, turn: 15, post: 5 },
  audience: 20,
  eventsOfAnswer: 200,
  busiestHour: 0.09,
  workingDays: 22,
  bytesOfTurn: 4000,
  bytesOfPost: 1200,
  fileBytes: 20_000_000,
  filesADay: 0.2,
};

/** Dollars, as the providers' public pages said in 2026: an input, to be checked before anybody relies on it. */
export const prices = {
  workers: { base: 5, request: 0.3 / 1e6, cpuMs: 0.02 / 1e6, includedRequests: 10e6, includedCpuMs: 30e6 },
  objects: { request: 0.15 / 1e6, gigabyteSecond: 12.5 / 1e6, includedRequests: 1e6, includedSeconds: 400_000 },
  /** A message is written, read and deleted. */
  queues: { operation: 0.4 / 1e6, included: 1e6 },
  storage: { gigabyte: 0.015, write: 4.5 / 1e6, read: 0.36 / 1e6 },
  database: {
    base: 416.58,
    rowRead: 0.8 / 1e9,
    rowWritten: 0.8 / 1e6,
    gigabyte: 0.45,
    includedReads: 250e9,
    includedWrites: 250e6,
    includedGigabytes: 50,
  },
};

/** What one part of the service can do, from measurements here or from its provider's documentation. */
export interface Limits {
  /** Batches that one database writes in a second: one after the other. */
  writesPerSecond: number;
  /** Round trips that read, of one database, on as many processors as the machine has. */
  readsPerSecond: number;
  /** Gigabytes that one database may have. */
  databaseGigabytes: number;
}

export interface Simulated {
  people: number;
  /** In the busiest hour. */
  perSecond: { requests: number; reads: number; writes: number; events: number; turns: number };
  /** Objects that are awake or hibernate with an open socket in the busiest hour, and those of channels. */
  objects: { people: number; channels: number; awake: number };
  /** In a month. */
  month: { requests: number; queueMessages: number; rowsRead: number; rowsWritten: number; gigabytes: number };
  /** Databases that the writes of the busiest hour need, at 70 % of what one can, and copies for reading. */
  databases: number;
  replicas: number;
  dollars: Record<"workers" | "objects" | "queues" | "files" | "database", number>;
  /** Shares of what one database, or one channel, can do: the largest breaks first. */
  load: Record<"writes" | "reads" | "size", number>;
  breaksFirst: string;
}

/** Objects stay in memory so long after their last work, seconds, with so much of it. */
const object = { idleSeconds: 10, gigabytes: 0.128 };
const secondsOfAnswer = 10;
const over = (used: number, included: number) => Math.max(0, used - included);
const comfortable = 0.7;

export function simulate(people: number, costs: Costs, limits: Limits, assumed: Habits = habits): Simulated {
  const active = people * assumed.activeShare;
  const day = (of: (cost: Cost) => number) =>
    actions.reduce((all, action) => all + active * assumed.each[action] * of(costs[action]), 0);
  const busiest = (perDay: number) => (perDay * assumed.busiestHour) / 3600;
  const turns = active * assumed.each.turn;
  const posts = active * assumed.each.post;
  const requests = actions.reduce((all, action) => all + active * assumed.each[action], 0);
  const events = turns * assumed.eventsOfAnswer + posts * assumed.audience;
  const { workingDays } = assumed;
  const month = {
    requests: requests * workingDays,
    // A file is read and embedded; a post or answer with a webhook is delivered: two for each file.
    queueMessages: active * assumed.filesADay * 2 * workingDays,
    rowsRead: day((cost) => cost.rowsRead) * workingDays,
    rowsWritten: day((cost) => cost.rowsWritten) * workingDays,
    gigabytes: ((turns * assumed.bytesOfTurn + posts * assumed.bytesOfPost) * workingDays * 12) / 1e9,
  };
  const [reads, writes] = [busiest(day((cost) => cost.reads)), busiest(day((cost) => cost.writes))];
  const load = {
    writes: writes / limits.writesPerSecond,
    reads: reads / limits.readsPerSecond,
    size: month.gigabytes / limits.databaseGigabytes,
  };
  const databases = Math.ceil(Math.max(load.writes, load.size) / comfortable);
  const awakeSeconds = turns * (secondsOfAnswer + object.idleSeconds) + posts * object.idleSeconds;
  const objectRequests = (turns * 3 + posts * 2 + active * 20) * workingDays;
  const { workers, objects, queues, storage, database } = prices;
  const fileGigabytes = (people * assumed.fileBytes) / 1e9;
  const dollars = {
    workers:
      workers.base +
      over(month.requests, workers.includedRequests) * workers.request +
      over(day((cost) => cost.service) * workingDays, workers.includedCpuMs) * workers.cpuMs,
    objects:
      over(objectRequests, objects.includedRequests) * objects.request +
      over(awakeSeconds * workingDays * object.gigabytes, objects.includedSeconds) * objects.gigabyteSecond,
    queues: over(month.queueMessages * 3, queues.included) * queues.operation,
    files:
      fileGigabytes * storage.gigabyte +
      active * assumed.filesADay * workingDays * (2 * storage.write + 4 * storage.read),
    database:
      database.base +
      over(month.rowsRead, database.includedReads) * database.rowRead +
      over(month.rowsWritten, database.includedWrites) * database.rowWritten +
      over(month.gigabytes, database.includedGigabytes) * database.gigabyte,
  };
  const [breaksFirst] = Object.entries(load).toSorted(([, a], [, b]) => b - a)[0]!;
  return {
    people,
    perSecond: {
      requests: busiest(requests),
      reads,
      writes,
      events: busiest(events),
      turns: busiest(turns),
    },
    objects: {
      people: people * assumed.openShare,
      channels: Math.ceil((people * assumed.openShare) / assumed.audience),
      awake: busiest(awakeSeconds),
    },
    month,
    databases,
    replicas: Math.ceil(load.reads / comfortable) > databases ? Math.ceil(load.reads / comfortable) - databases : 0,
    dollars,
    load,
    breaksFirst,
  };
}
