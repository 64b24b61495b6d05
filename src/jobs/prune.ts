import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { DAY_MS, timestampOf } from '../contract/values/values.ts'
import { KEPT_MS } from '../pipeline/idempotency.ts'
import { PLANS_KEPT_MS } from '../pipeline/program-plans.ts'
import { RESULT_KEPT_MS } from '../pipeline/program-results.ts'
import type { Db, ShopScope, Tables } from '../resources/tables.ts'

/** How long events are kept, so that people and receivers of webhooks can read them later. */
const EVENTS_KEPT_MS = 30 * DAY_MS
const RUNS_KEPT_MS = 30 * DAY_MS
/** How long emails are kept after they were created, long after the last attempt to send them. */
const EMAILS_KEPT_MS = 30 * DAY_MS
/** How long finished jobs are kept, so that failures can be investigated. */
const JOBS_KEPT_MS = 7 * DAY_MS
/** How long markers of deleted rows are kept, longer than anyone takes to page through a list. */
const TOMBSTONES_KEPT_MS = 7 * DAY_MS
/** How long received deliveries are recognized as repetitions. Senders that follow Standard Webhooks retry for 75.5 hours. */
const DELIVERIES_KEPT_MS = 4 * DAY_MS
/** How long used authorization codes are kept, so that a second use is detected. */
const CODES_KEPT_MS = DAY_MS
/** How long revoked connections are kept: as long as runs, so that runs can name their client. */
const CONNECTIONS_KEPT_MS = RUNS_KEPT_MS
/** How long uses of daily caps are kept: longer than the time within which reserved credits can be returned. */
const USES_KEPT_MS = 7 * DAY_MS
/** How long rate limit buckets are kept. By then, they have all refilled. */
const BUCKETS_KEPT_MS = DAY_MS
/** The number of rows that one transaction deletes. A pause follows, in which others can write. */
const STEP = 100
const PAUSE_MS = 5

/** A table whose rows are deleted when they reach a certain age. */
export interface RetentionRule {
  table: keyof Tables & string
  keptMs: number
  /** The column from which the age is counted. It has an index. */
  since: string
  /** Set if the column contains milliseconds since 1970 instead of a timestamp. */
  inMs?: true
  /** Exempts rows that are still needed. `before` is the time before which rows are deleted. */
  unless?(before: string | number): RawBuilder<boolean>
  key: string[]
}

/** How long the request log is kept. It is meant for recent problems. */
const REQUESTS_KEPT_MS = 7 * DAY_MS
/** How long the activity log is kept: twelve months, because people often ask much later who did something. */
const LOG_KEPT_MS = 365 * DAY_MS
/** The number of days over which a delivery is retried. Its first attempts are kept as long as the delivery itself. */
const RETRIED_DAYS = 4

const RETENTION_RULES: RetentionRule[] = [
  { table: 'api_requests', keptMs: REQUESTS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'log_entries', keptMs: LOG_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'events', keptMs: EVENTS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'program_runs', keptMs: RUNS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'emails', keptMs: EMAILS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
  { table: 'email_bodies', keptMs: EMAILS_KEPT_MS, since: 'created_at', key: ['account_id', 'id'] },
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
    unless: hasRecentProgram,
  },
  { table: 'background_programs', keptMs: 0, since: 'expires_at', key: ['account_id', 'id'] },
  { table: 'background_rows', keptMs: 0, since: 'expires_at', key: ['account_id', 'program_id', 'place'] },
  // Sessions and links are deleted as soon as they expire.
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
  { table: 'connections', keptMs: CONNECTIONS_KEPT_MS, since: 'revoked_at', key: ['account_id', 'id'] },
  { table: 'token_uses', keptMs: USES_KEPT_MS, since: 'day', key: ['account_id', 'token_id', 'day'] },
]

interface PruneOptions {
  /** The number of days that webhook deliveries are kept. */
  webhookDays: number
  /** The rules of features, in addition to those of the core. */
  rules?: readonly RetentionRule[]
  now?: number
}

/** Deletes old rows in steps. */
export async function pruneOld(
  database: ShopScope,
  { webhookDays, rules = [], now = Date.now() }: PruneOptions,
): Promise<void> {
  const [key, attemptDays] = [['account_id', 'id'], webhookDays + RETRIED_DAYS]
  const webhookRules: RetentionRule[] = [
    { table: 'webhook_events', keptMs: webhookDays * DAY_MS, since: 'finished_at', key },
    { table: 'webhook_attempts', keptMs: attemptDays * DAY_MS, since: 'created_at', key },
  ]
  for (const kept of [...RETENTION_RULES, ...rules, ...webhookRules]) {
    const beforeMs = now - kept.keptMs
    const before = kept.inMs ? beforeMs : timestampOf(new Date(beforeMs))
    while ((await database.transaction(({ db }) => removeSome(db, kept, before), { lowPriority: true })) === STEP)
      await delay(PAUSE_MS)
  }
}

/** Matches plans whose background program is running or ended recently, because its progress is read by the plan's id. */
function hasRecentProgram(before: string | number): RawBuilder<boolean> {
  return sql`exists (
    select 1 from background_programs as begun
    where begun.account_id = program_plans.account_id and begun.plan in (program_plans.id, program_plans.replaced_by)
    and begun.batches_count > 0 and (begun.finished_at is null or begun.finished_at >= ${before})
  )`
}

/** Deletes the oldest rows of a table. Returns the number of deleted rows. */
async function removeSome(
  db: Db,
  { table, since, key, unless }: RetentionRule,
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
