import type { CardTables } from './card-tables.ts'
import type { OAuthTables } from './oauth-tables.ts'
import type { PeopleTables } from './people-tables.ts'

/** The account's own model for its tasks, which replaces the service's model. */
interface OwnModelRow {
  account_id: string
  id: string
  provider: 'anthropic' | 'openai-compatible'
  model_id: string
  base_url: string | null
  sealed_key: string | null
  tokens_per_day: number
  updated_at: string
}

interface ModelTables {
  own_models: OwnModelRow
  /** `tokens` are those of the service's model, `own_tokens` those of the account's own model. */
  model_tokens: { account_id: string; day: string; tokens: number; own_tokens: number }
}

/** The use of a token with daily caps on one day (UTC). */
interface TokenUseRow {
  account_id: string
  token_id: string
  day: string
  credits: number
  emails: number
  /** In minor units of the currency of the token's cap. */
  refunds: number
}

/** Whether a kind of email is sent: to the account's buyers if `user_id` is empty, otherwise to that member of the account. */
interface LetterChoiceRow {
  account_id: string
  user_id: string
  letter: string
  wanted: number
}

/** The next email of one kind to the members of an account. */
interface LetterTurnRow {
  account_id: string
  letter: string
  /** The job that writes the email; null if none is scheduled. */
  job: string | null
  /** The email reports the events since this time. */
  since: string
  last_at: string | null
}

interface EmailBodyRow {
  account_id: string
  id: string
  /** The content of the email as encrypted JSON. */
  sealed: string
  created_at: string
}

interface LetterTables {
  letter_choices: LetterChoiceRow
  letter_turns: LetterTurnRow
  email_bodies: EmailBodyRow
}

/** A link in an email to a buyer, to sign in or to verify a new address. */
interface BuyerLinkRow {
  account_id: string
  token_hash: string
  purpose: 'sign_in' | 'address'
  customer: string
  email: string
  /** In real time, even if the account has a test clock. */
  expires_at: string
}

/** The session of a buyer who is signed in to a shop's page. */
interface BuyerSessionRow {
  account_id: string
  token_hash: string
  customer: string
  /** The customer's email address at the start of the session. */
  email: string
  created_at: string
  /** In real time, even if the account has a test clock. */
  expires_at: string
}

/** Tokens are stored only as hashes. */
interface BuyerTables {
  buyer_links: BuyerLinkRow
  buyer_sessions: BuyerSessionRow
}

/** A search key of a row: the text of one of its fields, starting at one of its words, normalized for the search. */
export interface SearchEntry {
  account_id: string
  /** The name of the row's noun, such as `customer`. */
  kind: string
  entry: string
  id: string
}

/** The progress of indexing rows that are older than the search index, for one kind of rows. */
export interface SearchProgress {
  kind: string
  after_account: string
  after_id: string
  done: number
}

/** A marker that stays when a row is deleted, so that a list can continue after that row. It contains only its sort keys. */
interface Tombstone {
  account_id: string
  id: string
  /** JSON of the row's `SortKeys`. */
  sort_keys: string
  deleted_at: string
}

/** A claimed idempotency key. `status` and `body` (encrypted JSON) are null while the first request with the key is in progress. */
export interface IdempotencyKey {
  account_id: string
  user_id: string
  idempotency_key: string
  fingerprint: string
  claimed_at: string
  status: number | null
  body: string | null
  /** JSON: the rights of the first request's caller; null in rows of earlier releases. */
  rights: string | null
}

/** A part of the list of row ids that a background program processes. */
interface BackgroundRowsRow {
  account_id: string
  program_id: string
  /** The position of the part's first id in the whole list, from 0. */
  place: number
  /** The ids in order, without their common prefix, separated by spaces. */
  ids: string
  expires_at: string | null
}

/** The number of requests that a caller may still send at once under one rate limit. */
interface RateBucket {
  account_id: string
  caller_id: string
  bucket: string
  permits: number
  refilled_at: number
}

/** The number of emails that an account may still send at once. */
interface LetterBucket {
  account_id: string
  /** The kind of email, with a hash of the recipient if the limit is per recipient. */
  bucket: string
  permits: number
  /** The time in milliseconds since 1970. */
  refilled_at: number
}

interface ClientBucket {
  client_key: string
  permits: number
  refilled_at: number
}

/** The stored response of a program with `# once:`, written in the transaction of its changes. */
export interface ProgramResultRow {
  account_id: string
  /** The user and the key, separated by a space; in rows of earlier releases only the key. */
  once_key: string
  fingerprint: string
  /** Encrypted JSON: the response of the tool. */
  answer: string
  /** JSON: the rights with which the program ran; null in rows of earlier releases. */
  rights: string | null
  committed_at: string
}

/** The clock of a test account. It showed `moment` at the real time `since`, and runs at normal speed from there. */
export interface AccountClockRow {
  account_id: string
  /** The id of the account. */
  id: string
  moment: string
  since: string
  /** Set while the clock is advanced to `target`. After `leased_until`, the advance counts as abandoned. */
  advance_id: string | null
  target: string | null
  leased_until: string | null
  /** The time to which a CLI command has asked the server to advance the clock. */
  requested: string | null
}

/**
 * A job in the queue. It waits until `run_at` by the system clock (`waiting`) or by its test account's clock (`waiting_for_clock`), and is
 * then `due`. After `leased_until`, an attempt that has not ended counts as lost.
 */
export interface JobRow {
  account_id: string
  id: string
  name: string
  /** JSON: the arguments of the job. */
  payload: string
  /** `due`: the job is one transaction. `outside`: it also does external I/O. `long`: it does external I/O for minutes. */
  lane: 'due' | 'outside' | 'long'
  state: 'waiting' | 'waiting_for_clock' | 'due' | 'working' | 'done' | 'failed'
  attempts: number
  run_at: string
  leased_until: string | null
  last_error: string | null
  created_at: string
  finished_at: string | null
  /** JSON: the task run that has enqueued the job, and the tokens with daily caps that caused it. */
  origin: string | null
}

/** A customer's access to a product. Rows are never deleted, so that the reason why access ended stays known. */
interface AccessGrantRow {
  account_id: string
  id: string
  customer: string
  product: string
  price_variant: string
  order_id: string
  /** The subscription that provides the access; null for a one-time purchase. */
  subscription: string | null
  starts_at: string
  /** When the access ends; null if no end is known. */
  ends_at: string | null
}

/** A counter of an account that leaves no gaps, for example for invoice numbers. */
interface CounterRow {
  account_id: string
  name: string
  value: number
}

/** The delivery state of a webhook endpoint, and the process that has leased it. */
interface WebhookQueueRow {
  account_id: string
  endpoint_id: string
  /** When the endpoint last acknowledged an event. */
  last_delivery_at: string | null
  /** The number of attempts that have failed since `last_delivery_at`. */
  failure_count: number
  /** When the first of these attempts failed. */
  failing_since: string | null
  /** The process that has leased the endpoint until `leased_until`, in milliseconds since 1970 by the database's clock. */
  holder: string | null
  leased_until: number
}

/** The state that one poll of an event source stores for the next poll. */
interface EventSourceMemoryRow {
  account_id: string
  event_source: string
  /** Text whose format only the source's provider knows. */
  memory: string
}

/** A delivery that an event source has received, stored so that repetitions are recognized. */
interface EventSourceDeliveryRow {
  account_id: string
  event_source: string
  /** A hash of the id that the sender gave the delivery. */
  delivery_key: string
  received_at: string
}

/** The measured size of an account's rows in one table. A row with an empty `table_name` says that the account was measured. */
interface StorageUsageRow {
  account_id: string
  table_name: string
  bytes: number
  row_count: number
  measured_at: string
}

/** The tables that no noun declares. A user may belong to several accounts through `memberships`. */
export interface SystemTables extends PeopleTables, OAuthTables, ModelTables, CardTables, BuyerTables, LetterTables {
  memberships: { account_id: string; user_id: string; role: string; created_at: string }
  settings: { name: string; value: string }
  account_deletions: { id: string; begun_at: string; payment_webhooks: string | null }
  token_uses: TokenUseRow
  customer_tags: { account_id: string; customer_id: string; tag_id: string }
  /** The number of customers with each tag. Triggers on `customer_tags` update it. */
  customer_tags_counts: { account_id: string; tag_id: string; customers: number }
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
  access_grants: AccessGrantRow
  counters: CounterRow
  webhook_queues: WebhookQueueRow
  event_source_memories: EventSourceMemoryRow
  event_source_deliveries: EventSourceDeliveryRow
  storage_usage: StorageUsageRow
}
