import { html } from 'hono/html'
import { formatDuration } from '../../../words/durations.ts'
import { formatMoment } from '../../../words/moments.ts'
import { inSentence } from '../../../words/sentences.ts'
import type { Page } from '../../parts/document.ts'
import { filterForm, narrowing } from '../derived/filters.ts'
import { withQuery } from '../kit/addresses.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { refusalOf, rowsIn } from '../kit/ask.ts'
import { framed } from '../kit/frame.ts'
import type { DashboardPage } from '../kit/page.ts'
import type { Visit } from '../kit/visit.ts'
import { live } from './live.ts'
import { did, outcome, type Run, titleOf } from './run.ts'
import { whoOf } from './words.ts'

const ROWS = 25

/** Everything that agents, tasks and people ran, the newest first. */
export const runsPage: DashboardPage = {
  path: '/runs',
  get: async (visit) => {
    const list = visit.catalogue.at('runs')!.list!
    const after = visit.query.get('starting_after')
    const query = { ...narrowing(visit, list), limit: ROWS, ...(after && { starting_after: after }) }
    const answer = await visit.ask('GET /runs', { query })
    const refusal = refusalOf(answer)
    const { rows: runs, more } = rowsIn(answer)
    const content = html`${filterForm(visit, list, { sorts: [], isEmpty: runs.length === 0 })}
${refusal ? html`<p class="notice bad" role="alert">${inSentence(refusal.message)} <a href="${visit.path}">Clear filters</a></p>` : ''}
${live('runs', html`${runs.length > 0 ? runsTable(visit, runs) : empty(visit)}${more ? next(visit, runs.at(-1)!.id) : ''}`)}`
    const lead = 'Every program that an agent, a task or a person ran in the last 30 days.'
    return dashboardAnswer(framed(visit, { title: 'Runs', lead }, content), { status: refusal ? answer.status : 200 })
  },
}

/** Runs, each with what it did, who ran it and how long it took. */
export function runsTable(visit: Visit, runs: Run[]): Page {
  return html`<div class="table"><table><caption class="unseen">Runs</caption>
<thead><tr><th scope="col">Program</th><th scope="col">Outcome</th><th scope="col">What it did</th><th scope="col">Who</th><th scope="col" class="end">Duration</th><th scope="col">When</th></tr></thead>
<tbody>${runs.map((run) => row(visit, run))}</tbody></table></div>`
}

function row({ base, account }: Visit, run: Run): Page {
  const { id, created_at, duration_ms } = run
  const { words, isCode } = titleOf(run.code)
  return html`<tr><th scope="row"><a class="row-link" href="${base}/runs/${id}">${isCode ? html`<code>${words}</code>` : words}</a></th>
<td data-label="Outcome">${outcome(run)}</td>
<td data-label="What it did">${did(run)}</td>
<td data-label="Who"><span class="number">${whoOf(run)}</span></td>
<td data-label="Duration" class="end"><span class="number">${formatDuration(duration_ms)}</span></td>
<td data-label="When"><time class="number" datetime="${created_at}">${formatMoment(created_at, account.timezone)}</time></td></tr>`
}

function empty(visit: Visit): Page {
  const isNarrowed = [...visit.query.keys()].length > 0
  return isNarrowed
    ? html`<div class="empty"><p>Nothing matches. <a href="${visit.path}">Show all runs</a></p></div>`
    : html`<div class="empty"><p>No program has run yet.</p><p><a class="button" href="${visit.base}/playground" data-turbo="false">Run a program in the playground</a></p></div>`
}

function next(visit: Visit, last: string): Page {
  const query = { ...Object.fromEntries(visit.query), starting_after: last }
  return html`<nav class="pager" aria-label="Pages"><a class="button" rel="next" href="${withQuery(visit.path, query)}">Next page</a></nav>`
}
