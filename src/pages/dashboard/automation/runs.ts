import { html } from 'hono/html'
import { formatDuration } from '../../../format/durations.ts'
import type { Page } from '../../parts/markup.ts'
import { runsTable } from '../agents/runs.ts'
import { detailPage } from '../derived/detail.ts'
import { goDone } from '../kit/answers.ts'
import { answeredRows, refusalOf } from '../kit/call.ts'
import { mayOpen } from '../kit/page-rights.ts'
import { number } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, type Viewed, view } from '../kit/visit.ts'

type Run = Viewed<'task_run'>

const PLAN = /plan_[a-z0-9]+/

async function questionForm(visit: DashboardContext, { id, status, question: asked }: Run): Promise<Page | null> {
  if (status !== 'needs_input' || !mayOpen(visit, `/task_runs/${id}/answer`, 'POST')) return null
  const question = asked ?? ''
  const plan = PLAN.exec(question)?.[0]
  const address = `${visit.base}/task_runs/${id}/answer`
  const csrf = html`<input type="hidden" name="csrf" value="${visit.csrf}">`
  const reject = html`<form method="post" action="${address}">${csrf}<button class="danger" name="does" value="reject">${plan ? 'Reject' : 'End this run'}</button></form>`
  const form = plan
    ? html`<div class="form-buttons">${visit.catalogue.at('plans') || visit.pages.has('plans') ? html`<a class="button" href="${visit.base}/plans/${plan}">See what it would change</a>` : ''}
<form method="post" action="${address}">${csrf}<button class="primary" name="does" value="approve">Approve</button></form>${reject}</div>`
    : html`<form method="post" action="${address}">${csrf}<label for="answer">Your answer</label><textarea id="answer" name="input" rows="3" required maxlength="20000"></textarea>
<div class="form-buttons"><button class="primary" name="does" value="approve">Send answer</button></div></form>${reject}`
  return html`<section class="card waiting" aria-labelledby="waits"><h2 id="waits">${plan ? 'Waiting for your approval' : 'Waiting for your answer'}</h2><p class="prose">${question}</p>${form}</section>`
}

async function pendingReason(visit: DashboardContext, { status, error_message: why }: Run): Promise<Page | null> {
  if (status !== 'pending' || why === null) return null
  const way = mayOpen(visit, '/settings/model') ? html` <a href="${visit.base}/settings/model">Connect a model</a>` : ''
  return html`<p class="notice wait">${why}${way}</p>`
}

function endForm(visit: DashboardContext, { id, status }: Run): Page | null {
  if ((status !== 'pending' && status !== 'running') || !mayOpen(visit, `/task_runs/${id}/answer`, 'POST')) return null
  return html`<form class="button-form" method="post" action="${visit.base}/task_runs/${id}/answer"><input type="hidden" name="csrf" value="${visit.csrf}"><button class="danger" name="does" value="reject">End this run</button></form>`
}

const answer: DashboardPage = {
  path: '/task_runs/:id/answer',
  send: 'automation.write',
  async post(visit, { id }, form) {
    const input = form.get('input')?.trim()
    const ends = form.get('does') === 'reject'
    const body = ends ? { status: 'canceled' } : { status: 'running', ...(input && { input }) }
    const given = await visit.call('PATCH /task_runs/{id}', { path: { id: id! }, body })
    const refusal = refusalOf(given)
    if (refusal) {
      const message = refusal.errors?.input ? 'Write an answer first.' : refusal.message
      const refused = { message, status: given.status }
      return detailPage(visit, visit.catalogue.known('task_run'), { id: id! }, refused)
    }
    const did = ends ? 'ended' : input ? 'answered' : 'approved'
    const said = `Run of “${given.body.task_name}” ${did}.`
    return goDone(visit, `${visit.base}/task_runs/${id}`, 'done', said)
  },
}

export const runPages: DashboardPage[] = [answer]

async function programRuns(visit: DashboardContext, { id }: Run): Promise<Page | null> {
  if (!mayOpen(visit, '/runs')) return null
  const { rows } = await answeredRows(visit.call('GET /runs', { query: { task_run: id, limit: 25 } }))
  if (rows.length === 0) return null
  return html`<section class="related" aria-labelledby="programs"><h2 id="programs">Programs</h2>${runsTable(visit, rows)}</section>`
}

export const taskRunView = view('task_run', {
  columns: ['task', 'status', 'summary', 'took', 'created_at'],
  cells: {
    task: { title: 'Task', show: (_, { task_name }) => html`${task_name}` },
    took: {
      title: 'Duration',
      end: true,
      show: (_, { duration_ms: ms }) => number(ms === null ? '–' : formatDuration(ms)),
    },
  },
  lead: 'The history of your tasks, including runs that are waiting for you.',
  title: ({ task_name }) => task_name,
  above: [questionForm, pendingReason],
  links: endForm,
  withoutActions: ['update'],
  sections: [programRuns],
  related: [],
  main: ['task', 'summary', 'error_message', 'duration_ms', 'created_at', 'started_at', 'completed_at'],
  without: ['id', 'task_id', 'task_name', 'status', 'question', 'updated_at'],
  labels: { duration_ms: 'Duration', error_message: 'Reason', created_at: 'Created', event: 'What started it' },
})
