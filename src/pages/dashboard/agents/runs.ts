import { html } from 'hono/html'
import { formatDuration } from '../../../format/durations.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { filterForm, pageQuery } from '../derived/filters.ts'
import { pager } from '../derived/list.ts'
import { narrowed, refusedQuery } from '../derived/saved-views.ts'
import { framed } from '../kit/answers.ts'
import { refusalOf, rowsIn } from '../kit/call.ts'
import { number, rowLink, shortMoment } from '../kit/value.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { live } from './code.ts'
import { did, outcome, type Run, said, titleOf } from './run.ts'
import { whoOf } from './words.ts'

const ROWS = 25

export const runsPage: DashboardPage = {
  path: '/runs',
  see: 'programs.read',
  get: async (visit) => {
    const things = visit.catalogue.knownAt('runs')
    const list = things.list!
    const answer = await visit.call('GET /runs', { query: pageQuery(visit, list, ROWS) })
    const refusal = refusalOf(answer)
    const { rows: runs, more } = rowsIn(answer)
    const { tabs, chips, words } = await narrowed(visit, things)
    const content = html`${tabs}${filterForm(visit, list, { sorts: [], isEmpty: runs.length === 0 })}${chips}
${refusedQuery(visit, refusal, things.noun.fields)}
${live('runs', html`${runs.length > 0 ? runsTable(visit, runs) : empty(visit, words)}${pager(visit, runs, more)}`)}`
    const lead = 'Every program that an agent, a task or a person ran in the last 30 days.'
    return framed(visit, { title: 'Runs', lead, status: refusal ? answer.status : 200 }, content)
  },
}

export function runsTable(visit: DashboardContext, runs: Run[]): Page {
  const { base, account } = visit
  const columns: Column<Run>[] = [
    { words: 'Program', cell: (run) => programCell(base, run) },
    { words: 'Outcome', cell: outcome },
    { words: 'What it did', cell: did },
    { words: 'Who', cell: (run) => number(whoOf(run)) },
    { words: 'Duration', cell: ({ duration_ms }) => number(formatDuration(duration_ms)), end: true },
    { words: 'When', cell: ({ created_at: at }) => shortMoment(account, at) },
  ]
  return dataTable({ caption: 'Runs', columns, rows: runs })
}

/** Lists runs for merchants: by their effects, with links to the programs. */
export function runsInShort(visit: DashboardContext, runs: Run[]): Page {
  const { base, account } = visit
  const columns: Column<Run>[] = [
    {
      words: 'What it did',
      cell: (run) => html`<a class="row-link" href="${base}/runs/${run.id}">${said(run)}</a>${purpose(run)}`,
    },
    { words: 'Who', cell: whoOf },
    { words: 'Result', cell: outcome },
    { words: 'When', cell: ({ created_at: at }) => shortMoment(account, at) },
  ]
  return dataTable({ caption: 'Latest runs', columns, rows: runs })
}

function purpose(run: Run): Page {
  const { words, isCode } = titleOf(run)
  return isCode || run.withheld ? html`` : html`<span class="aside">${words}</span>`
}

function programCell(base: string, run: Run): Page {
  const { words, isCode } = titleOf(run)
  return rowLink(`${base}/runs/${run.id}`, isCode ? html`<code>${words}</code>` : words)
}

function empty(visit: DashboardContext, words: string): Page {
  const isNarrowed = [...visit.query.keys()].length > 0
  return isNarrowed
    ? html`<div class="empty"><p>No runs match${words}. <a href="${visit.path}">Show all runs</a></p></div>`
    : html`<div class="empty"><p>No program has run yet.</p><p><a class="button" href="${visit.base}/playground" data-turbo="false">Run a program in the playground</a></p></div>`
}
