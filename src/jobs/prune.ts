import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { timestampOf } from '../contract/values/values.ts'
import type { Scope } from '../database/database.ts'
import { KEPT_MS } from '../pipeline/idempotency.ts'
import { PLANS_KEPT_MS } from '../pipeline/program-plans.ts'
import { RESULT_KEPT_MS } from '../pipeline/program-results.ts'
import type { Tables } from '../resources/tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Receivers and people may look back this long. */
const EVENTS_KEPT_MS = 30 * DAY_MS
const RUNS_KEPT_MS = 30 * DAY_MS
/** Long after their last attempt. */
const EMAILS_KEPT_MS = 30 * DAY_MS
/** Long enough to look into what failed. */
const JOBS_KEPT_MS = 7 * DAY_MS
/** Nobody pages through a list for longer. */
const TOMBSTONES_KEPT_MS = 7 * DAY_MS
/** Senders that follow Standard Webhooks repeat a delivery for 75.5 hours. */
const DELIVERIES_KEPT_MS = 4 * DAY_MS
/** A second use of a code is noticed for so long. */
const CODES_KEPT_MS = DAY_MS
/** As long as the runs of a client are kept, they can name it. */
const CONNECTIONS_KEPT_MS = RUNS_KEPT_MS
/** Any bucket is full again by then. */
const BUCKETS_KEPT_MS = DAY_MS
/** Rows that one transaction removes, and the pause until the next: others have most of the writer meanwhile. */
const STEP = 100
const PAUSE_MS = 5

/** What is kept for a time only. */
interface Kept {
  table: keyof Tables & string
  keptMs: number
  /** From when on it is kept; the column has an index. */
  since: string
  /** Whether that is in milliseconds since 1970, not a timestamp. */
  inMs?: true
  /** Of these rows, those that are kept for another reason. `before` is the time before which rows are removed. */
  unless?(before: string | number): RawBuilder<boolean>
  key: string[]
}

/** The log of requests is for what went wrong a short while ago. */
const REQUESTS_KEPT_MS = 7 * DAY_MS
/** Twelve months: who did what is asked long afterwards. */
const LOG_KEPT_MS = 365 * DAY_MS
/** Retries of a delivery go on for as long; its first attempts stay as long as it does. */
const RETRIED_DAYS = 4

const KEPT: Kept[] = [
  { table: 'api_requests', keptMs: REQUESTS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'log_entries', keptMs: LOG_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'events', keptMs: EVENTS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'program_runs', keptMs: RUNS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'emails', keptMs: EMAILS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'tombstones', keptMs: TOMBSTONES_KEPT_MS, since: 'deleted_at', key: ['account_id', 'id'] },
  {
    table: 'idempotency_keys',
    keptMs: KEPT_MS,
    since: 'claimed_at',
    key: ['account_id', 'user_id', 'idempotency_key'],
  },
  {
    table: 'event_source_deliveries',
    keptMs: DELIVERIES_KEPT_MS,
    since: 'received_at',
    key: ['account_id', 'event_source', 'delivery_key'],
  },
  { table: 'jobs', keptMs: JOBS_KEPT_MS, since: 'finished_at', key: ['account_id', 'id'] },
  {
    table: 'program_plans',
    keptMs: PLANS_KEPT_MS,
    since: 'expires_at',
    key: ['account_id', 'id'],
    unless: begunAndAsked,
  },
  { table: 'background_programs', keptMs: 0, since: 'expires_at', key: ['account_id', 'id'] },
  { table: 'background_rows', keptMs: 0, since: 'expires_at', key: ['account_id', 'program_id', 'place'] },
  // Whoever is signed in, and whoever has a link, has it until it expires.
  { table: 'sessions', keptMs: 0, since: 'expires_at', key: ['id'] },
  { table: 'verifications', keptMs: 0, since: 'expires_at', key: ['id'] },
  { table: 'buyer_links', keptMs: 0, since: 'expires_at', key: ['account_id', 'token_hash'] },
  { table: 'buyer_sessions', keptMs: 0, since: 'expires_at', key: ['account_id', 'token_hash'] },
  { table: 'address_changes', keptMs: 0, since: 'expires_at', key: ['user_id'] },
  { table: 'program_results', keptMs: RESULT_KEPT_MS, since: 'committed_at', key: ['account_id', 'once_key'] },
  { table: 'oauth_clients', keptMs: 0, since: 'expires_at', key: ['id'] },
  { table: 'oauth_codes', keptMs: CODES_KEPT_MS, since: 'expires_at', key: ['account_id', 'code_hash'] },
  { table: 'oauth_tokens', keptMs: 0, since: 'expires_at', key: ['account_id', 'id'] },
  { table: 'client_buckets', keptMs: BUCKETS_KEPT_MS, since: 'refilled_at', inMs: true, key: ['client_key'] },
  { table: 'letter_buckets', keptMs: BUCKETS_KEPT_MS, since: 'refilled_at', inMs: true, key: ['account_id', 'bucket'] },
  { table: 'notification_addresses', keptMs: 0, since: 'expires_at', key: ['account_id', 'id'] },
  { table: 'social_authorizations', keptMs: 0, since: 'expires_at', key: ['account_id', 'id'] },
  { table: 'social_apps', keptMs: 0, since: 'expires_at', key: ['account_id', 'server'] },
  { table: 'connections', keptMs: CONNECTIONS_KEPT_MS, since: 'revoked_at', key: ['account_id', 'id'] },
]

/** Removes what was kept for long enough, in steps. How long deliveries of webhooks are kept is a setting. */
export async function pruneOld(database: Scope<Tables>, webhookDays: number, now = Date.now()): Promise<void> {
  for (const kept of [...KEPT, deliveries(webhookDays), attempts(webhookDays)]) {
    const beforeMs = now - kept.keptMs
    const before = kept.inMs ? beforeMs : timestampOf(new Date(beforeMs))
    while ((await database.transaction(({ db }) => removeSome(db, kept, before), { patient: true })) === STEP)
      await delay(PAUSE_MS)
  }
}

function deliveries(days: number): Kept {
  return { table: 'webhook_events', keptMs: days * DAY_MS, since: 'finished_at', key: ['account_id', 'id'] }
}

function attempts(days: number): Kept {
  const keptMs = (days + RETRIED_DAYS) * DAY_MS
  return { table: 'webhook_attempts', keptMs, since: 'created_at', key: ['account_id', 'id'] }
}

/** The background program that a plan has begun is not over, or not for long: whoever planned it asks for it by the plan's id. */
function begunAndAsked(before: string | number): RawBuilder<boolean> {
  return sql`exists (
    select 1 from background_programs as begun
    where begun.account_id = program_plans.account_id and begun.plan in (program_plans.id, program_plans.replaced_by)
    and begun.batches_count > 0 and (begun.finished_at is null or begun.finished_at >= ${before})
  )`
}

/** Removes the oldest rows; returns how many. */
async function removeSome(
  db: Kysely<Tables>,
  { table, since, key, unless }: Kept,
  before: string | number,
): Promise<number> {
  const but = unless ? sql`and not ${unless(before)}` : sql``
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${sql.ref(since)} < ${before} ${but}
      order by ${sql.ref(since)} limit ${sql.lit(STEP)}
    )`.execute(db)
  return Number(numAffectedRows)
}
