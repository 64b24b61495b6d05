import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatDuration } from '../../../format/durations.ts'
import { formatMoment } from '../../../format/moments.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { type Column, dataTable, factList, type Page } from '../../parts/markup.ts'
import { framed } from '../kit/answers.ts'
import { shown } from '../kit/call.ts'
import { number } from '../kit/value.ts'
import { type DashboardContext, pageAt } from '../kit/visit.ts'
import { changesTable } from './changes-table.ts'
import { numberedCode } from './code.ts'
import { did, outcome, type Run, said, titleOf } from './run.ts'
import { whoOf, withheldNotice } from './words.ts'

export const runPage = pageAt({
  path: '/runs/:id',
  see: 'programs.read',
  get: async (visit, { id }) => {
    const run = await shown(visit.call('GET /runs/{id}', { path: { id } }))
    const content = html`${problem(run)}<section class="card" aria-label="The run">${facts(visit, run)}</section>
${run.withheld ? withheldNotice('run') : runDetails(visit, run)}`
    const { words, isCode } = titleOf(run)
    const options = {
      // A program without a title comment gets its effects as title.
      title: isCode ? said(run) : words,
      crumbs: [{ words: 'Runs', address: `${visit.base}/runs` }],
      beside: outcome(run),
      lead: isCode || run.withheld ? '' : did(run),
      actions: run.withheld
        ? html``
        : html`<a class="button" href="${visit.base}/playground?run=${run.id}" data-turbo="false">Open in the playground</a>`,
    }
    return framed(visit, options, content)
  },
})

function runDetails(visit: DashboardContext, run: Run): Page {
  return html`${changes(visit, run)}
<section aria-labelledby="program"><h2 id="program">Program</h2>${numberedCode(run.code, run.error_line)}</section>
${calls(run)}`
}

function problem({ error, error_line, error_hint }: Run): Page {
  if (error === null) return html``
  const line =
    error_line === null || error.includes(`line ${error_line}`)
      ? ''
      : html`<p>Error on line ${error_line} of the program.</p>`
  return html`<section class="notice bad" aria-labelledby="why"><h2 id="why">Why it failed</h2><p class="prose">${error}</p>${line}
${error_hint === null ? '' : html`<p class="prose"><strong>How to fix it:</strong> ${error_hint}</p>`}</section>`
}

const KEPT: Record<Run['committed'], string> = {
  all: 'All of its changes',
  none: 'Nothing',
  partial: 'Changes made before it failed',
  unknown: 'Unknown: the database did not confirm the commit',
}

function facts(visit: DashboardContext, run: Run): Page {
  const { base, account } = visit
  return factList('fields', [
    ['Who', run.user_name && run.caller_kind === 'token' ? `${whoOf(run)}, for ${run.user_name}` : whoOf(run)],
    ['When', html`<time datetime="${run.created_at}">${formatMoment(run.created_at, account.timezone)}</time>`],
    ['Duration', `${formatDuration(run.duration_ms)}${run.runs > 1 ? `, ${counted(run.runs, 'attempt')}` : ''}`],
    ['Saved', run.dry_run ? 'Nothing: it was a dry run' : KEPT[run.committed]],
    run.plan !== null && [
      'Plan',
      html`<a href="${base}/plans/${run.plan}">${run.dry_run ? 'The plan it created' : 'The plan it applied'}</a>`,
    ],
    run.background !== null && [
      'Background program',
      html`<a href="${base}/background_programs/${run.background}">The program that it was a batch of</a>`,
    ],
    run.task_run !== null && ['Task', html`<a href="${base}/task_runs/${run.task_run}">View the task run</a>`],
  ])
}

function changes(visit: DashboardContext, run: Run): Page {
  if (Object.keys(run.changes).length === 0) return html``
  const words = run.dry_run ? 'What it would have changed' : 'What it changed'
  return html`<section aria-labelledby="changed"><h2 id="changed">${words}</h2>${changesTable(visit, run.changes, { planned: run.dry_run })}</section>`
}

function calls({ calls, calls_count }: Run): Page {
  if (calls.length === 0) return html``
  const left = calls_count - calls.length
  return html`<section aria-labelledby="calls"><h2 id="calls">Calls</h2>
${left > 0 ? html`<p class="lead">The last ${calls.length} of ${formatNumber(calls_count)}.</p>` : ''}
${dataTable({ caption: 'Calls', columns: CALL_COLUMNS, rows: calls })}</section>`
}

const CALL_COLUMNS: Column<Run['calls'][number]>[] = [
  {
    words: 'Call',
    cell: ({ method, path, error }) =>
      html`<code>${method} ${path}</code>${error ? html`<p class="call-error">${error}</p>` : ''}`,
  },
  {
    words: 'Status',
    cell: ({ status }) =>
      status === null
        ? html`<span class="none">no response</span>`
        : html`<span class="badge ${status >= 400 ? 'bad' : 'good'}">${status}</span>`,
  },
  { words: 'Duration', cell: ({ duration_ms: ms }) => (ms === undefined ? '' : number(formatDuration(ms))), end: true },
]
