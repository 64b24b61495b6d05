import { html } from 'hono/html'
import { formatNumber } from '../../../format/numbers.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { storageUse } from '../../../resources/dashboard/storage-use.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { moment, number } from '../kit/value.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { title } from '../kit/words.ts'
import { settingsPage } from './tabs.ts'

type StorageUse = ValueOf<typeof storageUse>

/** Labels of database tables whose names only developers would understand. */
const WORDS: Record<string, string> = {
  access_grants: 'Access of buyers',
  api_requests: 'Request log',
  counters: 'Numbers given to invoices',
  customer_tags_counts: 'Counts of customers by tag',
  email_bodies: 'Contents of e-mails',
  idempotency_keys: 'Stored responses of requests',
  letter_buckets: 'Limits of e-mails',
  letter_turns: 'Notifications to the team',
  log_entries: 'Log of who did what',
  program_results: 'Stored responses of programs',
  program_plans: 'Plans',
  program_runs: 'Program runs',
  tombstones: 'Deletion markers',
  webhook_attempts: 'Delivery attempts',
  webhook_events: 'Webhook deliveries',
}

export const storagePage: DashboardPage = {
  path: '/settings/storage',
  see: 'account.read',
  get: async (visit) => {
    const use = await visit.read(storageUse)
    const lead =
      'Everything the account stores, except file contents. Events, deliveries, e-mails and logs are deleted automatically after some time.'
    return settingsPage(visit, { title: 'Storage', lead }, content(visit, use))
  },
}

function content(visit: DashboardContext, use: StorageUse): Page {
  const columns: Column<StorageUse['kinds'][number]>[] = [
    { words: 'What', cell: ({ kind }) => WORDS[kind] ?? title(kind) },
    { words: 'Records', cell: ({ rows }) => number(formatNumber(rows)), end: true },
    { words: 'Size', cell: ({ bytes }) => number(bytesInWords(bytes)), end: true },
  ]
  const when = use.measured_at === null ? 'being measured' : html`measured ${moment(visit, use.measured_at)}`
  return html`${notice(use)}<p class="setting-figure"><strong>${bytesInWords(use.used_bytes)}</strong> of ${bytesInWords(use.limit_bytes)} used, ${when}</p>
${dataTable({ caption: 'Storage by type', columns, rows: use.kinds })}`
}

function notice({ used_bytes, limit_bytes, outsider_bytes }: StorageUse): Page {
  if (used_bytes >= limit_bytes)
    return html`<p class="notice bad">Storage is full. Nothing new can be created until something is deleted. Payments and refunds still work.</p>`
  if (used_bytes >= outsider_bytes)
    return html`<p class="notice wait">Storage is nearly full. Forms, event sources and new checkouts no longer accept data from outside. Payments still work.</p>`
  return html``
}
