import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatChange, formatNumber } from '../../../format/numbers.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { pager } from '../derived/list.ts'
import { answeredRows, shown } from '../kit/call.ts'
import { moment, number } from '../kit/value.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { settingsPage } from './tabs.ts'

type Entry = Shown<'credit_entry'>

const ROWS = 50

const KINDS: Record<Entry['kind'], string> = {
  opening: 'First credits',
  granted: 'Granted',
  added: 'Added',
  reserved: 'Set aside for the work',
  settled: 'Work done, the rest came back',
  returned: 'Work failed, all came back',
  charged: 'Spent',
}

export const creditsPage: DashboardPage = {
  path: '/settings/credits',
  see: 'account.read',
  get: async (visit) => {
    const after = visit.query.get('starting_after')
    const query = { limit: ROWS, ...(after && { starting_after: after }) }
    const { rows, more } = await answeredRows(visit.call('GET /credit_entries', { query }))
    const { credit_balance } = await shown(visit.call('GET /account'))
    const columns: Column<Entry>[] = [
      { words: 'For', cell: (entry) => purpose(visit, entry) },
      { words: 'What', cell: ({ kind }) => KINDS[kind] },
      { words: 'Change', cell: ({ delta }) => number(formatChange(delta)), end: true },
      { words: 'Balance', cell: ({ balance_after }) => number(formatNumber(balance_after)), end: true },
      { words: 'Time', cell: ({ created_at }) => moment(visit, created_at) },
    ]
    const content = html`<p class="setting-figure"><strong>${counted(credit_balance, 'credit')}</strong> left</p>
${dataTable({ caption: 'Balance history', columns, rows })}${pager(visit, rows, more)}`
    const lead =
      'Mapping a website and the model of the service cost credits. They are reserved before the work, and what it does not use is returned. The operator of this service can add more.'
    return settingsPage(visit, { title: 'Credits', lead }, content)
  },
}

function purpose(visit: DashboardContext, entry: Entry): Page {
  const spender = entry.run && html` <a class="hint" href="${visit.base}/task_runs/${entry.run}">in a run of a task</a>`
  return html`${purposeText(entry)}${spender ?? ''}`
}

function purposeText({ kind, reason, reference }: Entry): Page | string {
  if (kind === 'opening') return 'Opening of the account'
  if (kind === 'granted') return `Credits of ${reference}`
  if (kind === 'added') return reason
  if (reason === 'task_run') return 'Model, for a task'
  if (reason === 'question') return 'Model, for a question'
  if (reason !== 'web_map' || reference === null) return valueTitle(reason)
  return html`Map of <a href="${`https://${reference}/`}" rel="noreferrer">${reference}</a>`
}
