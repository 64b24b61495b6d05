import { html } from 'hono/html'
import { bytesInWords } from '../../../contract/bytes.ts'
import type { Page } from '../../parts/document.ts'
import { moment } from '../kit/moments.ts'
import type { DashboardPage } from '../kit/page.ts'
import { type Column, rowsTable } from '../kit/rows.ts'
import { shown, type Visit } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { settingsPage } from './tabs.ts'

interface Kind {
  kind: string
  bytes: number
  rows: number
}

interface ShownUse {
  limit_bytes: number
  outsider_bytes: number
  used_bytes: number
  measured_at: string | null
  kinds: Kind[]
}

/** Kinds whose names say little to those who have not built the service. */
const WORDS: Record<string, string> = {
  api_requests: 'Log of requests',
  idempotency_keys: 'Kept answers of requests',
  program_results: 'Kept answers of programs',
  program_plans: 'Plans',
  program_runs: 'Runs of programs',
  tombstones: 'Marks of deleted records',
  webhook_attempts: 'Attempts of deliveries',
  webhook_events: 'Webhook deliveries',
}

/** What the records of the account take, and how much they may. */
export const storage: DashboardPage = {
  path: '/settings/storage',
  get: async (visit) => {
    const use = await shown<ShownUse>(visit.ask('GET', '/storage_use'))
    const lead =
      'Everything that the account keeps apart from the bytes of its files. Events, deliveries, e-mails and logs are removed by themselves after some time.'
    return settingsPage(visit, { title: 'Storage', lead }, content(visit, use))
  },
}

function content(visit: Visit, use: ShownUse): Page {
  const columns: Column<Kind>[] = [
    { words: 'What', cell: ({ kind }) => WORDS[kind] ?? valueTitle(kind) },
    { words: 'Records', cell: ({ rows }) => html`<span class="number">${rows.toLocaleString('en')}</span>`, end: true },
    { words: 'Size', cell: ({ bytes }) => html`<span class="number">${bytesInWords(bytes)}</span>`, end: true },
  ]
  const when = use.measured_at === null ? 'being measured' : html`measured ${moment(visit, use.measured_at)}`
  return html`${notice(use)}<p class="setting-figure"><strong>${bytesInWords(use.used_bytes)}</strong> of ${bytesInWords(use.limit_bytes)} used, ${when}</p>
${rowsTable({ caption: 'What takes the storage', columns, rows: use.kinds })}`
}

function notice({ used_bytes, limit_bytes, outsider_bytes }: ShownUse): Page {
  if (used_bytes >= limit_bytes)
    return html`<p class="notice bad">The storage is full: nothing new can be made until something is deleted. Payments and refunds go on.</p>`
  if (used_bytes >= outsider_bytes)
    return html`<p class="notice wait">The storage is nearly full: forms, event sources and new checkouts take nothing more from outside. Payments go on.</p>`
  return html``
}
