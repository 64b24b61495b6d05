import type { Generated } from 'kysely'
import type { BuyerTables } from './buyer-tables.ts'
import type { CardTables } from './card-tables.ts'
import type { ImportTables } from './import-tables.ts'
import type { LetterTables } from './letter-tables.ts'
import type { ApiRequestRow, WebhookAttemptRow } from './log-tables.ts'
import type { ModelTables } from './model-tables.ts'
import type { OAuthTables } from './oauth-tables.ts'
import type { PeopleTables } from './people-tables.ts'
import type { SocialTables } from './social-tables.ts'

/** An event of the account's history, written in the transaction of its change; deliveries are made from it. */
export interface EventRow {
  account_id: string
  id: string
  type: string
  resource_id: string
  /** JSON: the resource as its retrieve operation showed it at that moment. */
  data: string
  /** JSON: old values of changed top-level fields; null except on updates. */
  previous_attributes: string | null
  created_at: string
}

/** A text by which the search over everything finds a row: one of its fields from one of its words on, folded. */
export interface SearchEntry {
  account_id: string
  /** The noun. */
  kind: string
  entry: string
  id: string
}

/** How far the rows of a kind have come that were there before the search over everything. */
export interface SearchProgress {
  kind: string
  after_account: string
  after_id: string
  done: number
}

/** What is left of a deleted row: enough for a list to go on after it, nothing of what it held. */
interface Tombstone {
  account_id: string
  id: string
  /** JSON of `SortKeys`. */
  sort_keys: string
  deleted_at: string
}

export interface ApiToken {
  account_id: string
  id: string
  /** The user the token acts for, who also made it. */
  user_id: string
  name: string
  right_name: string
  /** The role that it is limited to, where that is not its user's. */
  role_name: string | null
  token_hash: string
  last_four: string
  created_at: string
  last_used_at: string | null
  /** 1 for one that a command makes for a call on its own data: no rate limit counts for it. */
  unlimited: Generated<number>
}

/** `status` and `body`, encrypted JSON, are null while the first request with the key still runs. */
export interface IdempotencyKey {
  account_id: string
  user_id: string
  idempotency_key: string
  fingerprint: string
  claimed_at: string
  status: number | null
  body: string | null
  /** JSON of those of its first caller; null where an earlier release kept it. */
  rights: string | null
}

/** Some of the rows that a background program was begun with. */
interface BackgroundRowsRow {
  account_id: string
  program_id: string
  /** Of the first of them, from 0. */
  place: number
  /** In their order, without the prefix that they share, separated by spaces. */
  ids: string
  expires_at: string | null
}

/** What is left of a caller's budget under one policy. */
interface RateBucket {
  account_id: string
  caller_id: string
  bucket: string
  permits: number
  refilled_at: number
}

/** What is left of an account's budget of letters. */
interface LetterBucket {
  account_id: string
  /** The kind of letter, and the hash of the recipient where it is about one. */
  bucket: string
  permits: number
  /** Milliseconds since 1970. */
  refilled_at: number
}

interface ClientBucket {
  client_key: string
  permits: number
  refilled_at: number
}

/** The answer of a program that may happen only once, written in the transaction of its effects. */
export interface ProgramResultRow {
  account_id: string
  /** The user whose it is, and the key; the key alone where an earlier release kept it. */
  once_key: string
  fingerprint: string
  /** The tool's answer as JSON, encrypted. */
  answer: string
  /** JSON of the rights that the program ran with; null in rows of earlier releases. */
  rights: string | null
  committed_at: string
}

/** A change of an account's credit balance; the sum of the changes is the balance. */
export interface CreditEntryRow {
  account_id: string
  id: string
  /** `charged`: spent after its reservation was returned. */
  kind: 'opening' | 'granted' | 'added' | 'reserved' | 'settled' | 'returned' | 'charged'
  delta: number
  /** What the credits are for, such as `web_map`, and which one of these. */
  reason: string
  reference: string | null
  /** The entry that this one closes: a reservation is closed once. */
  reservation: string | null
  balance_after: number
  created_at: string
  /** The run of a task that has spent them. */
  run: string | null
}

/** A file of a build of a site; its bytes are in the store that the build names, under the file's id. */
export interface SiteFileRow {
  account_id: string
  build: string
  path: string
  id: string
  content_type: string
  size: number
  /** In hexadecimal. */
  sha256: string
}

/** The clock of a test account; see `AccountClock`. */
export interface AccountClockRow {
  account_id: string
  /** The account's own id. */
  id: string
  moment: string
  since: string
  /** Set while it is being moved forward: by whom, where to, and when the mover counts as lost. */
  advance_id: string | null
  target: string | null
  leased_until: string | null
  /** Where a command has asked a server to move it. */
  requested: string | null
}

/**
 * Work that was enqueued. It waits until `run_at`, by the system's clock (`waiting`) or by that of its test account
 * (`waiting_for_clock`), and is then `due`; `leased_until` is when an attempt that was never finished counts as lost.
 */
export interface JobRow {
  account_id: string
  id: string
  name: string
  /** JSON. */
  payload: string
  /** `due`: the job is one transaction; `outside`: it works outside as well; `long`: for minutes. */
  lane: 'due' | 'outside' | 'long'
  state: 'waiting' | 'waiting_for_clock' | 'due' | 'working' | 'done' | 'failed'
  attempts: number
  run_at: string
  leased_until: string | null
  last_error: string | null
  created_at: string
  finished_at: string | null
  /** JSON: the run of a task that it comes from. */
  origin: string | null
}

/** What a customer may use because of a purchase. Rows are ended, never deleted, so that it can be said why access ended. */
interface AccessGrantRow {
  account_id: string
  id: string
  customer: string
  product: string
  price_variant: string
  order_id: string
  /** Access that lasts as long as the subscription; null for a one-time purchase. */
  subscription: string | null
  starts_at: string
  /** Null while no end is known. */
  ends_at: string | null
}

/** Numbers that an account counts without gaps. */
interface CounterRow {
  account_id: string
  name: string
  value: number
}

/** What deliveries to a webhook endpoint come to, and which process makes them. */
interface WebhookQueueRow {
  account_id: string
  endpoint_id: string
  /** When it last acknowledged an event. */
  last_delivery_at: string | null
  /** Failed attempts since then. */
  failure_count: number
  /** When the first of these was. */
  failing_since: string | null
  /** The process that delivers to it, until `leased_until`: milliseconds since 1970, by the clock of the database. */
  holder: string | null
  leased_until: number
}

/** What the last poll of an event source has left for the next one. */
interface EventSourceMemoryRow {
  account_id: string
  event_source: string
  /** Text of the source's provider. */
  memory: string
}

/** A delivery to the address of an event source, so that its repetition is known. */
interface EventSourceDeliveryRow {
  account_id: string
  event_source: string
  /** Hash of the sender's own id of it. */
  delivery_key: string
  received_at: string
}

/** What the rows of an account took in one table when they were measured; the row without a table's name is of none. */
interface StorageUsageRow {
  account_id: string
  table_name: string
  bytes: number
  row_count: number
  measured_at: string
}

/** Tables that no noun declares. People and their places in accounts: a user may belong to several, so the row carries none. */
export interface SystemTables
  extends PeopleTables,
    OAuthTables,
    ModelTables,
    CardTables,
    BuyerTables,
    ImportTables,
    LetterTables,
    SocialTables {
  memberships: { account_id: string; user_id: string; role: string; created_at: string }
  settings: { name: string; value: string }
  account_deletions: { id: string; begun_at: string; payment_webhooks: string | null }
  api_tokens: ApiToken
  customer_tags: { account_id: string; customer_id: string; tag_id: string }
  /** Triggers of `customer_tags` keep it. */
  customer_tags_counts: { account_id: string; tag_id: string; customers: number }
  events: EventRow
  search_entries: SearchEntry
  search_progress: SearchProgress
  tombstones: Tombstone
  idempotency_keys: IdempotencyKey
  rate_buckets: RateBucket
  client_buckets: ClientBucket
  letter_buckets: LetterBucket
  program_results: ProgramResultRow
  background_rows: BackgroundRowsRow
  jobs: JobRow
  account_clocks: AccountClockRow
  site_files: SiteFileRow
  credit_entries: CreditEntryRow
  formation_document_contents: { account_id: string; id: string; base64: string }
  access_grants: AccessGrantRow
  counters: CounterRow
  webhook_queues: WebhookQueueRow
  webhook_attempts: WebhookAttemptRow
  api_requests: ApiRequestRow
  event_source_memories: EventSourceMemoryRow
  event_source_deliveries: EventSourceDeliveryRow
  storage_usage: StorageUsageRow
}
