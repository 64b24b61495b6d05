import { html } from 'hono/html'
import { nextPage } from '../developers/narrow.ts'
import { moment } from '../kit/moments.ts'
import type { DashboardPage } from '../kit/page.ts'
import { type Column, rowsTable } from '../kit/rows.ts'
import { rowsOf, shown } from '../kit/visit.ts'
import { counted, valueTitle } from '../kit/words.ts'
import { settingsPage } from './tabs.ts'

interface ShownEntry {
  id: string
  kind: string
  delta: number
  reason: string
  balance_after: number
  created_at: string
}

const ROWS = 50

/** The balance of credits, and every change of it. */
export const credits: DashboardPage = {
  path: '/settings/credits',
  get: async (visit) => {
    const after = visit.query.get('starting_after')
    const query = { limit: ROWS, ...(after && { starting_after: after }) }
    const { rows, more } = await rowsOf<ShownEntry>(visit.ask('GET', '/credit_entries', { query }))
    const { credit_balance } = await shown<{ credit_balance: number }>(visit.ask('GET', '/account'))
    const columns: Column<ShownEntry>[] = [
      { words: 'For', cell: ({ reason }) => valueTitle(reason) },
      { words: 'What', cell: ({ kind }) => valueTitle(kind) },
      { words: 'Change', cell: ({ delta }) => html`<span class="number">${signed(delta)}</span>`, end: true },
      {
        words: 'Balance',
        cell: ({ balance_after }) => html`<span class="number">${balance_after.toLocaleString('en')}</span>`,
        end: true,
      },
      { words: 'Time', cell: ({ created_at }) => moment(visit, created_at) },
    ]
    const content = html`<p class="setting-figure"><strong>${counted(credit_balance, 'credit')}</strong> left</p>
${rowsTable({ caption: 'Balance history', columns, rows })}${nextPage(visit, rows.at(-1)?.id, more)}`
    const lead = 'Some operations, such as reading the map of a web site, cost credits. What fails is given back.'
    return settingsPage(visit, { title: 'Credits', lead }, content)
  },
}

function signed(delta: number): string {
  return delta > 0 ? `+${delta.toLocaleString('en')}` : delta.toLocaleString('en').replace('-', '−')
}
