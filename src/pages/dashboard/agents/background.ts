import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatMoment } from '../../../format/moments.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { type Fact, factList, type Page } from '../../parts/markup.ts'
import { answeredRows } from '../kit/call.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { live, numberedCode } from './code.ts'
import { titleOf } from './run.ts'
import { runsTable } from './runs.ts'
import { happened, whoOf, withheldNotice } from './words.ts'

type Background = Viewed<'background_program'>

const BATCHES = 10
const TONES: Partial<Record<Background['state'], string>> = {
  waiting_for_approval: 'wait',
  failed: 'bad',
  done: 'good',
}

function state({ state }: Background): Page {
  return html`<span class="badge ${TONES[state] ?? ''}">${valueTitle(state)}</span>`
}

function bar({ place, rows_count }: Background): Page {
  const words = `${formatNumber(place)} of ${counted(rows_count, 'row')}`
  return html`<progress class="background-bar" max="${Math.max(rows_count, 1)}" value="${rows_count === 0 ? 1 : place}" aria-label="Rows done">${words}</progress> <span class="number">${words}</span>`
}

function progress(visit: DashboardContext, program: Background): Promise<Page> {
  const { changes, left_out_count, batches_count, value_sum, value_sums, last_value } = program
  const { next_at, expected_end_at, plan, task_run } = program
  const moment = (at: string) => html`<time datetime="${at}">${formatMoment(at, visit.account.timezone)}</time>`
  const did = Object.entries(changes).map(([event, count]) => sentenceCase(happened(event, count)))
  const facts: (Fact | false)[] = [
    ['Batches done', formatNumber(batches_count)],
    did.length > 0 && [
      'What happened',
      html`${did.map((words, index) => html`${index > 0 ? html`<br>` : ''}${words}`)}`,
    ],
    left_out_count > 0 && ['Deleted before their batch', counted(left_out_count, 'row')],
    value_sum !== null && ['Sum of the results', formatNumber(value_sum)],
    value_sums !== null && [
      'Sums of the results',
      html`${Object.entries<number>(JSON.parse(value_sums)).map(([name, sum], index) => html`${index > 0 ? html`<br>` : ''}${name}: ${formatNumber(sum)}`)}`,
    ],
    value_sum === null &&
      value_sums === null &&
      last_value !== null && ['Last result', html`<code>${last_value}</code>`],
    next_at !== null && ['Waits for its rate limit until', moment(next_at)],
    expected_end_at !== null && ['Expected end', moment(expected_end_at)],
    plan !== null && ['Began with', html`<a href="${visit.base}/plans/${plan}">its plan</a>`],
    task_run !== null && ['Task', html`<a href="${visit.base}/task_runs/${task_run}">View the task run</a>`],
  ]
  const content = html`<section class="card" aria-label="Progress"><p>${state(program)} ${bar(program)}</p>${factList('fields', facts)}</section>`
  const isMoving = program.state === 'running' || program.state === 'queued'
  return Promise.resolve(isMoving ? live('progress', content) : content)
}

/** Shows the decision that the background program waits for, or the reason why it ended. */
async function decisionCard({ base }: DashboardContext, program: Background): Promise<Page | null> {
  const { state, plan, asked_operations, batches_count, error, error_line, error_hint } = program
  if (state === 'waiting_for_approval' && batches_count === 0)
    return html`<section class="card waiting" aria-labelledby="waits"><h2 id="waits">Waiting for its plan</h2><p>It begins when its plan is applied.</p><div class="form-buttons"><a class="button primary" href="${base}/plans/${plan}">See the plan</a></div></section>`
  if (state === 'waiting_for_approval' && asked_operations !== null)
    return html`<section class="card waiting" aria-labelledby="waits"><h2 id="waits">Waiting for your approval</h2><p>The next batch calls what nobody has approved yet:</p><ul>${(asked_operations ?? []).map((one) => html`<li><code>${one}</code></li>`)}</ul><p>Approving lets it call this in every batch that follows.</p></section>`
  if (error === null) return null
  const line =
    error_line === null || error.includes(`line ${error_line}`)
      ? ''
      : html`<p>Error on line ${error_line} of the program.</p>`
  return html`<section class="notice bad" aria-labelledby="why"><h2 id="why">${state === 'stopped' ? 'Why it was stopped' : 'Why it failed'}</h2><p class="prose">${error}</p>${line}${error_hint === null ? '' : html`<p class="prose"><strong>How to fix it:</strong> ${error_hint}</p>`}</section>`
}

async function program(_: DashboardContext, { code, error_line, withheld }: Background): Promise<Page> {
  if (withheld) return withheldNotice('program')
  return html`<section aria-labelledby="program"><h2 id="program">Program</h2>${numberedCode(code, error_line)}</section>`
}

async function batches(visit: DashboardContext, { id }: Background): Promise<Page | null> {
  const { rows } = await answeredRows(visit.call('GET /runs', { query: { background: id, limit: BATCHES } }))
  if (rows.length === 0) return null
  return html`<section class="related" aria-labelledby="batches"><h2 id="batches">Latest batches</h2>${runsTable(visit, rows)}<p class="more"><a href="${visit.base}/runs?background=${id}">Show all batches</a></p></section>`
}

/** Returns the actions that the state permits: none while the first plan waits, because people decide on the plan's page. */
function allowed({ state, batches_count, withheld }: Background): ('stop' | 'resume')[] {
  if (withheld) return []
  if (state === 'queued' || state === 'running') return ['stop']
  if (batches_count === 0 || state === 'done') return []
  return state === 'waiting_for_approval' ? ['resume', 'stop'] : ['resume']
}

export const backgroundView = view('background_program', {
  lead: 'Programs that go over many rows, one batch after the other.',
  title: (one) => titleOf(one).words,
  columns: ['program', 'state', 'progress', 'who', 'created_at'],
  cells: {
    program: { title: 'Program', show: (_, one) => html`${titleOf(one).words}` },
    state: { title: 'State', show: (_, one) => state(one) },
    progress: { title: 'Progress', show: (_, one) => bar(one) },
    who: { title: 'Who', show: (_, one) => html`${whoOf(one)}` },
  },
  above: [decisionCard, progress],
  allowed,
  actions: {
    stop: {
      button: 'Stop',
      lead: () => 'The batch under way is undone. What is done stays, and the program can go on later.',
      danger: true,
    },
    resume: {
      button: 'Go on',
      lead: (_, { state, asked_operations }) =>
        state === 'waiting_for_approval'
          ? `This approves ${(asked_operations ?? []).join(', ')} for every batch that follows.`
          : 'It goes on with the rows that are left.',
    },
  },
  sections: [program, batches],
  related: [],
  main: ['caller_name', 'user_name', 'created_at', 'started_at', 'finished_at', 'batch_size'],
  without: [
    ...(['id', 'state', 'code', 'rows_count', 'place', 'left_out_count', 'batches_count', 'changes'] as const),
    ...([
      'last_value',
      'value_sum',
      'value_sums',
      'asked_operations',
      'error_type',
      'error',
      'error_line',
      'error_hint',
    ] as const),
    ...([
      'next_at',
      'expected_end_at',
      'caller_kind',
      'caller_id',
      'user_id',
      'plan',
      'task_run',
      'updated_at',
      'withheld',
    ] as const),
  ],
  labels: { caller_name: 'Token', user_name: 'For', batch_size: 'Most rows of a batch', created_at: 'Created' },
})
