import { html } from 'hono/html'
import { counted } from '../../../words/counts.ts'
import { formatChange, formatNumber } from '../../../words/numbers.ts'
import type { Page } from '../../parts/document.ts'
import { type Column, dataTable } from '../../parts/table.ts'
import { nextPage } from '../developers/narrow.ts'
import { rowsAs, shownAs } from '../kit/ask.ts'
import { moment } from '../kit/moments.ts'
import type { DashboardPage } from '../kit/page.ts'
import type { Visit } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { settingsPage } from './tabs.ts'

interface ShownEntry {
  id: string
  kind: string
  delta: number
  reason: string
  reference: string | null
  run: string | null
  balance_after: number
  created_at: string
}

const ROWS = 50

const KINDS: Record<string, string> = {
  opening: 'First credits',
  granted: 'Granted',
  added: 'Added',
  reserved: 'Set aside for the work',
  settled: 'Work done, the rest came back',
  returned: 'Work failed, all came back',
  charged: 'Spent',
}

/** The balance of credits, and every change of it. */
export const credits: DashboardPage = {
  path: '/settings/credits',
  get: async (visit) => {
    const after = visit.query.get('starting_after')
    const query = { limit: ROWS, ...(after && { starting_after: after }) }
    const { rows, more } = await rowsAs<ShownEntry>(visit.askAny('GET', '/credit_entries', { query }))
    const { credit_balance } = await shownAs<{ credit_balance: number }>(visit.askAny('GET', '/account'))
    const columns: Column<ShownEntry>[] = [
      { words: 'For', cell: (entry) => purpose(visit, entry) },
      { words: 'What', cell: ({ kind }) => KINDS[kind] ?? valueTitle(kind) },
      { words: 'Change', cell: ({ delta }) => html`<span class="number">${formatChange(delta)}</span>`, end: true },
      {
        words: 'Balance',
        cell: ({ balance_after }) => html`<span class="number">${formatNumber(balance_after)}</span>`,
        end: true,
      },
      { words: 'Time', cell: ({ created_at }) => moment(visit, created_at) },
    ]
    const content = html`<p class="setting-figure"><strong>${counted(credit_balance, 'credit')}</strong> left</p>
${dataTable({ caption: 'Balance history', columns, rows })}${nextPage(visit, rows.at(-1)?.id, more)}`
    const lead =
      'Mapping a website costs credits. They are reserved before the work and returned if it fails. The operator of this service can add more.'
    return settingsPage(visit, { title: 'Credits', lead }, content)
  },
}

/** What an entry is for, with a link to what it was spent on and to the run that spent it. */
function purpose(visit: Visit, { kind, reason, reference, run }: ShownEntry): Page {
  const spender = run && html` <a class="hint" href="${visit.base}/task_runs/${run}">in a run of a task</a>`
  return html`${named(kind, reason, reference)}${spender ?? ''}`
}

function named(kind: string, reason: string, reference: string | null): Page | string {
  if (kind === 'opening') return 'Opening of the account'
  if (kind === 'granted') return `Credits of ${reference}`
  if (kind === 'added') return reason
  if (reason !== 'web_map' || reference === null) return valueTitle(reason)
  return html`Map of <a href="${`https://${reference}/`}" rel="noreferrer">${reference}</a>`
}
