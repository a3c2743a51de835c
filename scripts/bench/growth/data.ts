import { DatabaseSync } from "node:sqlite";
import { pairText } from "../../../src/db/search-words.ts";
import { positionBits } from "../../../src/documents/retrieval/chunk-number.ts";
import { idOf, textOf } from "./text.ts";

/** How much there is. */
export interface GrowthSize {
  people: number;
  chats: number;
  files: number;
  channelMessages: number;
  ledgerRows: number;
  /** Chats of one person, beside the others. */
  chatsOfOne: number;
}

/** Everything that the issue of growth names, at 1. */
const full = { people: 20_000, chats: 200_000, files: 50_000, channelMessages: 2_000_000, ledgerRows: 5_000_000 };

export function sizeAt(scale: number, chatsOfOne = 20_000): GrowthSize {
  const scaled = Object.fromEntries(Object.entries(full).map(([name, count]) => [name, Math.round(count * scale)]));
  return { ...(scaled as unknown as typeof full), chatsOfOne };
}

export const messagesOfChat = 10;
export const passagesOfFile = 20;
const peopleOfChannel = 20;
const organizations = 20;
/** All of these are in the first organization, at every size. */
const colleagues = 54;
/** The moment of the newest row; seconds. */
const newest = Math.floor(Date.now() / 1000);
const defaultOrganization = "00000000-0000-7000-8000-000000000001";

/** People whose part of it is the same at every size, and one (`lead`) whose organization grows. */
export const callers = { root: 0, collector: 1, member: 2, organizationAdmin: 3, lead: colleagues } as const;
export type GrowthCaller = keyof typeof callers;
export const personId = (caller: GrowthCaller) => idOf("person", callers[caller]);
export const sessionId = (caller: GrowthCaller) => idOf("session", callers[caller]);

/**
 * Fills a database that has the schema and nothing in it: everybody has the same share of chats, files, messages and calls, at every
 * size. Nobody else may have it open. Indexes and triggers are taken off and put back, and full-text indexes built in one go.
 */
export function fillDatabase(file: string, size: GrowthSize): void {
  const database = new DatabaseSync(file);
  const { journal_mode: journal } = database.prepare("PRAGMA journal_mode").get() as { journal_mode: string };
  database.exec(
    "PRAGMA journal_mode = DELETE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -800000; PRAGMA foreign_keys = OFF; PRAGMA temp_store = FILE",
  );
  const whole = { deterministic: true };
  database.function("id_of", whole, (kind, row) => idOf(String(kind), Number(row)));
  database.function("text_of", whole, (seed, words) => textOf(Number(seed), Number(words)));
  database.function("pair_text", whole, (text) => pairText(String(text)));
  const putBack = takeOff(database);
  for (const statement of statements(size)) database.exec(statement);
  for (const statement of putBack) database.exec(statement);
  database.exec(`PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = ${journal}`);
  database.close();
}

/** @returns what makes them again */
function takeOff(database: DatabaseSync): string[] {
  const parts = database
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL")
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name } of parts) database.exec(`DROP ${type} "${name}"`);
  return parts.map(({ sql }) => sql);
}

/** `n` from 0; the statement reads it from `rows`. */
const rows = (count: number, insert: string, select: string) =>
  `INSERT INTO ${insert} WITH RECURSIVE rows(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM rows WHERE n + 1 < ${count}) ${select}`;

/** Numbers from 0 as a table. */
const series = (count: number) => `json_each('${JSON.stringify([...Array(count).keys()])}')`;

/** The time of a row among so many: over ten months, which is less than anything is kept; the last one now. */
const timeOf = (count: number) => `(${newest} - ${300 * 86_400} * (${count} - 1 - n) / ${count})`;

function statements(size: GrowthSize): string[] {
  const channels = Math.max(4, Math.ceil(size.people / 20));
  const owner = `id_of('person', n % ${size.people})`;
  const organizationOf = (person: string) =>
    `(CASE WHEN ${person} < ${colleagues} THEN '${defaultOrganization}' ELSE id_of('organization', ${person} % ${organizations}) END)`;
  const organization = organizationOf(`(n % ${size.people})`);
  const { chats, chatsOfOne } = size;
  const chatRow = (
    id: string,
    person: string,
    place: string,
    at: string,
    count: string,
  ) => `SELECT ${id}, ${person}, ${place},
    text_of(n, 5), '["model"]', '{}', '{}', '{}', '{}', 'm${messagesOfChat - 1}', n % ${count} % 50 = 0, n % ${count} % 20 = 1, ${at}, ${at} FROM rows`;
  const chatColumns =
    "chats (id, user_id, organization_id, title, models, params, meta, variables, extra, current_message_id, pinned, archived, created_at, updated_at)";
  return [
    rows(
      organizations,
      "organizations (id, name, features, created_at, updated_at)",
      `SELECT id_of('organization', n), 'Organization ' || n, '{}', ${newest}, ${newest} FROM rows`,
    ),
    "INSERT INTO storage_totals (scope) SELECT id FROM organizations WHERE true ON CONFLICT DO NOTHING",
    rows(
      size.people,
      "users (id, email, name, role, organization_id, organization_role, last_active_at, created_at, updated_at, user_name, scim)",
      `SELECT ${owner}, 'person' || n || '@harbour.example', 'Person ' || n, CASE n WHEN ${callers.root} THEN 'admin' ELSE 'user' END, ${organization},
        CASE WHEN n IN (${callers.organizationAdmin}, ${callers.lead}) THEN 'admin' ELSE 'member' END, ${timeOf(size.people)}, ${timeOf(size.people)}, ${timeOf(size.people)},
        'person' || n, json_object('scim', json_object('external_id', 'external-' || n)) FROM rows`,
    ),
    "INSERT INTO identities (source, provider, external_id, user_id) SELECT 'scim', key, value ->> 'external_id', users.id FROM users, json_each(scim)",
    rows(
      size.people,
      "sessions (id, user_id, created_at, last_used_at)",
      `SELECT id_of('session', n), ${owner}, unixepoch(), unixepoch() FROM rows`,
    ),
    rows(
      size.people / 2,
      "api_keys (id, user_id, name, hash, created_at)",
      `SELECT id_of('key', n), ${owner}, 'Key', 'hash ' || n, ${newest} FROM rows`,
    ),
    rows(
      Math.ceil(size.people / 20),
      "groups (id, organization_id, name, permissions, created_at, updated_at)",
      `SELECT id_of('group', n), CASE WHEN n < 3 THEN '${defaultOrganization}' ELSE id_of('organization', n % ${organizations}) END, 'Group ' || n, '{}', ${newest}, ${newest} FROM rows`,
    ),
    rows(
      size.people,
      "group_members (group_id, user_id, created_at)",
      `SELECT id_of('group', n / 20), ${owner}, ${newest} FROM rows`,
    ),
    rows(chats, chatColumns, chatRow("id_of('chat', n)", owner, organization, timeOf(chats), String(size.people))),
    rows(
      chatsOfOne,
      chatColumns,
      chatRow(
        "id_of('collected', n)",
        `'${personId("collector")}'`,
        `'${defaultOrganization}'`,
        timeOf(chatsOfOne),
        "50",
      ),
    ),
    `INSERT INTO messages (chat_id, user_id, id, parent_id, role, content, model, extra, created_at, updated_at)
      SELECT c.id, c.user_id, 'm' || n.value, CASE WHEN n.value > 0 THEN 'm' || (n.value - 1) END, CASE n.value % 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
        text_of(c.number * ${messagesOfChat} + n.value, 20), 'model', '{}', c.created_at, c.created_at
      FROM chats c, ${series(messagesOfChat)} n ORDER BY c.number, n.value`,
    "INSERT INTO chat_tags (chat_id, name, user_id) SELECT id, 'Tag ' || (number % 7), user_id FROM chats WHERE number % 5 = 0",
    rows(
      size.people,
      "folders (id, user_id, organization_id, name, model_ids, meta, created_at, updated_at)",
      `SELECT id_of('folder', n), ${owner}, ${organization}, 'Folder', '[]', '{}', ${newest}, ${newest} FROM rows`,
    ),
    "UPDATE chats SET folder_id = (SELECT id FROM folders f WHERE f.rowid = (chats.number - 1) % (SELECT count(*) FROM folders) + 1) WHERE number % 8 = 0 AND number <= 200000",
    `INSERT INTO chat_shares (id, chat_id, user_id, organization_id, title, created_at, updated_at)
      SELECT id_of('share', number), id, user_id, organization_id, title, created_at, updated_at FROM chats WHERE number % 50 = 3`,
    ...documents(size, owner, organization),
    rows(
      channels,
      "channels (id, organization_id, kind, name, head, last_message_at, member_count, created_at, updated_at)",
      `SELECT id_of('channel', n), CASE WHEN n < 3 THEN '${defaultOrganization}' ELSE id_of('organization', n % ${organizations}) END, 'public', 'channel-' || n,
        ${Math.floor(size.channelMessages / channels)}, ${newest}, ${peopleOfChannel}, ${newest}, ${newest} FROM rows`,
    ),
    rows(
      channels * peopleOfChannel,
      "channel_members (channel_id, user_id, joined_at)",
      `SELECT id_of('channel', n / ${peopleOfChannel}),
        id_of('person', CASE WHEN n < ${3 * peopleOfChannel} THEN n % ${peopleOfChannel} ELSE ${colleagues} + n % ${size.people - colleagues} END), ${newest} FROM rows WHERE true ON CONFLICT DO NOTHING`,
    ),
    rows(
      size.channelMessages,
      "channel_messages (id, channel_id, seq, user_id, content, sender, created_at, updated_at, organization_id)",
      `SELECT id_of('post', n), id_of('channel', n % ${channels}), n / ${channels} + 1, ${owner}, text_of(n, 15), ${owner}, ${timeOf(size.channelMessages)} * 1000, ${timeOf(size.channelMessages)} * 1000,
        CASE WHEN n % ${channels} < 3 THEN '${defaultOrganization}' ELSE id_of('organization', n % ${channels} % ${organizations}) END FROM rows`,
    ),
    rows(
      size.ledgerRows,
      `usage_records (id, at, user_id, key_id, organization_id, model, base_model, connection_id, api, state, input, cached, cache_write, output, reasoning,
        total, is_estimated, requests, duration_ms, first_ms)`,
      `SELECT id_of('call', n), ${timeOf(size.ledgerRows)}, ${owner}, '', ${organization}, 'model-' || (n % 5), 'model-' || (n % 5), 'connection', 'chat', 'done', 500, 0, 0, 200, 0, 700, 0, 1,
        2000, 300 FROM rows`,
    ),
    ...records(size, owner, organization),
    `INSERT INTO person_totals (user_id, organization_id, bytes, files, chats) SELECT u.id, u.organization_id, coalesce(f.bytes, 0), coalesce(f.files, 0), coalesce(c.chats, 0) FROM users u
      LEFT JOIN (SELECT user_id, sum(size) AS bytes, count(*) AS files FROM files GROUP BY 1) f ON f.user_id = u.id
      LEFT JOIN (SELECT user_id, count(*) AS chats FROM chats GROUP BY 1) c ON c.user_id = u.id WHERE true ON CONFLICT DO NOTHING`,
    `UPDATE storage_totals SET (bytes, files) = (SELECT coalesce(sum(bytes), 0), coalesce(sum(files), 0) FROM person_totals WHERE organization_id = scope OR scope = 'service')`,
    "INSERT INTO chat_search (chat_search) VALUES ('rebuild')",
    "INSERT INTO message_search (message_search) VALUES ('rebuild')",
    `INSERT INTO channel_search (rowid, place, content)
      SELECT number, replace(organization_id, '-', '') || ' ' || replace(channel_id, '-', ''), content FROM channel_messages ORDER BY number`,
    `INSERT INTO chat_pairs (rowid, user_id, title) SELECT number, user_id, pair_text(title) FROM chats WHERE title GLOB (SELECT pattern FROM unspaced) ORDER BY number`,
    `INSERT INTO message_pairs (rowid, user_id, content) SELECT number, user_id, pair_text(content) FROM messages WHERE content GLOB (SELECT pattern FROM unspaced) ORDER BY number`,
    `INSERT INTO channel_pairs (rowid, place, content)
      SELECT number, replace(organization_id, '-', '') || ' ' || replace(channel_id, '-', ''), pair_text(content) FROM channel_messages
      WHERE content GLOB (SELECT pattern FROM unspaced) ORDER BY number`,
  ];
}

function documents({ files, people }: GrowthSize, owner: string, organization: string): string[] {
  const bases = Math.max(1, Math.floor(files / 20));
  return [
    rows(
      files,
      "files (id, user_id, organization_id, filename, content_type, size, created_at, updated_at, state, version, versions, text_length, chunk_count)",
      `SELECT id_of('file', n), ${owner}, ${organization}, text_of(n, 2) || '.txt', 'text/plain', 16000 + n % 1000, ${timeOf(files)}, ${timeOf(files)}, 'completed', 1, 1, 16000, ${passagesOfFile} FROM rows`,
    ),
    `INSERT INTO file_texts (number, file_id, version, length, chunk_count, created_at) SELECT rowid, id, 1, 16000, ${passagesOfFile}, created_at FROM files`,
    `INSERT INTO file_chunks (number, file_id, version, position, text, headings, start, "end", tokens)
      SELECT (t.number << ${positionBits}) + n.value, t.file_id, 1, n.value, text_of(t.number * ${passagesOfFile} + n.value, 100), '[]', n.value * 800, n.value * 800 + 800, 200
      FROM file_texts t, ${series(passagesOfFile)} n ORDER BY t.number, n.value`,
    `INSERT INTO chunk_search (rowid, scope, headings, body) SELECT number, 't' || (number >> ${positionBits}), '', text FROM file_chunks ORDER BY number`,
    rows(
      bases,
      "knowledge (id, user_id, organization_id, name, meta, created_at, updated_at)",
      `SELECT id_of('base', n), ${owner}, ${organization}, text_of(n, 3), '{}', ${timeOf(bases)}, ${timeOf(bases)} FROM rows`,
    ),
    // What a person has is in bases of the same person.
    `INSERT INTO knowledge_files (knowledge_id, file_id, content_hash, user_id, created_at)
      SELECT id_of('base', (rowid - 1) % ${people} % ${bases}), id, 'hash ' || rowid, user_id, created_at FROM files`,
  ];
}

/** What else grows with the people. */
function records({ people }: GrowthSize, owner: string, organization: string): string[] {
  const events = people * 25;
  return [
    rows(
      events,
      "audit_events (id, at, actor_id, actor_kind, action, target_type, target_id, organization_id, detail, request_id)",
      `SELECT id_of('event', n), ${timeOf(events)}, ${owner}, 'user', CASE n % 5 WHEN 0 THEN 'auth.signed_in' ELSE 'chat.deleted' END, CASE n % 5 WHEN 0 THEN 'user' ELSE 'chat' END,
        CASE n % 5 WHEN 0 THEN ${owner} ELSE id_of('chat', n) END, ${organization}, '{}', 'request' FROM rows`,
    ),
    rows(
      people,
      "feedback (id, user_id, organization_id, type, rating, model_id, data, meta, created_at, updated_at)",
      `SELECT id_of('rating', n), ${owner}, ${organization}, 'rating', 1, 'model-' || (n % 5), '{}', '{}', ${timeOf(people)}, ${timeOf(people)} FROM rows`,
    ),
    rows(
      people * 5,
      "memories (id, user_id, content, source, created_at, updated_at)",
      `SELECT id_of('memory', n), ${owner}, text_of(n, 10), 'person', ${timeOf(people * 5)}, ${timeOf(people * 5)} FROM rows`,
    ),
    rows(
      Math.ceil(people / 5),
      "prompts (id, user_id, organization_id, command, name, content, tags, version_id, created_at, updated_at)",
      `SELECT id_of('prompt', n), ${owner}, ${organization}, 'prompt-' || n, text_of(n, 3), text_of(n, 50), '["Tag"]', '', ${newest}, ${newest} FROM rows`,
    ),
  ];
}
