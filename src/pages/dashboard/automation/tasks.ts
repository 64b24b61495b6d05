import { html } from 'hono/html'
import { laterBy } from '../../../contract/values/values.ts'
import { formatMoment } from '../../../format/moments.ts'
import { Task } from '../../../resources/automation/task/task.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { BodyOf } from '../../../resources/operation-types.ts'
import { type Column, dataTable, summaryOf } from '../../parts/markup.ts'
import { crumbsBelow, crumbsOf } from '../derived/detail.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { readBody } from '../derived/read-form.ts'
import { framed, goDone } from '../kit/answers.ts'
import { answeredRows, formKey, keyField, type Refusal, refusalOf, shown, type Values } from '../kit/call.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { localInput, momentOfInput } from '../kit/times.ts'
import { badge } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, type Viewed, view } from '../kit/visit.ts'
import { nameOf, shortened } from '../kit/words.ts'
import { cronOf, nextTimes, planOf, scheduleWords, zoneOf } from './schedule-words.ts'
import { draftOfForm, type TaskDraft, taskForm, USUAL_DRAFT } from './task-form.ts'

interface TaskFormPage {
  draft: TaskDraft
  /** The task being edited, or null for a new one. */
  task: Shown<'task'> | null
  refusal?: Refusal | null
  status?: number
  sent?: URLSearchParams
}

type Run = Shown<'task_run'>
type Body = BodyOf<'POST /tasks'>

const LABELS = {
  prompt: 'Instructions',
  cron_expression: 'The schedule',
  interval_seconds: 'The time between runs',
} satisfies { [Name in keyof typeof Task.fields]?: string }

async function page(
  visit: DashboardContext,
  { draft, task, refusal = null, status = 200, sent }: TaskFormPage,
): Promise<Response> {
  const things = visit.catalogue.known('task')
  const [types, sources] = await Promise.all([
    answeredRows(visit.call('GET /events', { query: { limit: 100 } })),
    answeredRows(visit.call('GET /event_sources', { query: { limit: 100 } })),
  ])
  const problems = problemsOf(refusal, Task.fields, { labels: LABELS }).map(({ field, message }) => ({
    field: field?.replace('cron_expression', 'cron').replace('interval_seconds', 'minutes') ?? null,
    message,
  }))
  const content = html`${summaryOf(problems)}${taskForm(visit, {
    draft,
    problems,
    eventTypes: types.rows,
    sources: sources.rows,
    key: keyField(sent, refusal),
    button: task ? 'Save' : 'Create task',
    back: task ? `${visit.base}/tasks/${task.id}` : `${visit.base}/tasks`,
  })}`
  const crumbs = task ? crumbsBelow(visit, things, task) : crumbsOf(visit, things)
  return framed(visit, { title: task ? `Edit ${nameOf(task)}` : 'New task', crumbs, status }, content)
}

const create: DashboardPage = {
  path: '/tasks/new',
  get: (visit) => page(visit, { draft: emptyDraft(visit), task: null }),
  async post(visit, _, form) {
    const draft = draftOfForm(form)
    const answer = await visit.call('POST /tasks', { body: bodyOf(visit, draft), key: formKey(form) })
    const refusal = refusalOf(answer)
    if (refusal) return page(visit, { draft, task: null, refusal, status: answer.status, sent: form })
    return goDone(visit, `${visit.base}/tasks/${answer.body.id}`, 'created', `Task “${draft.name}” created.`)
  },
}

const edit: DashboardPage = {
  path: '/tasks/:id/edit',
  async get(visit, { id }) {
    const task = await taskOf(visit, id!)
    return page(visit, { draft: draftOf(visit, task), task })
  },
  async post(visit, { id }, form) {
    const task = await taskOf(visit, id!)
    const draft = draftOfForm(form)
    const body = changesOf(bodyOf(visit, draft), bodyOf(visit, draftOf(visit, task)))
    const answer = await visit.call('PATCH /tasks/{id}', { path: { id: id! }, body })
    const refusal = refusalOf(answer)
    if (refusal) return page(visit, { draft, task, refusal, status: answer.status })
    return goDone(visit, `${visit.base}/tasks/${id}`, 'saved', `Task “${draft.name}” saved.`)
  },
}

/** Starts a run of a manual task by activating the task. */
const runNow: DashboardPage = {
  path: '/tasks/:id/run',
  send: 'automation.write',
  async post(visit, { id }) {
    const { last_run: run, name } = await shown(
      visit.call('PATCH /tasks/{id}', { path: { id: id! }, body: { active: true } }),
    )
    return goDone(visit, `${visit.base}/task_runs/${run}`, 'done', `“${name}” was started.`)
  },
}

export const taskPages: DashboardPage[] = [create, edit, runNow]

function emptyDraft({ account, query }: DashboardContext): TaskDraft {
  const source = query.get('event_source') ?? ''
  return {
    ...USUAL_DRAFT,
    ...(source !== '' && { trigger_type: 'event' }),
    timezone: account.timezone,
    event_source: source,
  }
}

function taskOf(visit: DashboardContext, id: string): Promise<Shown<'task'>> {
  return shown(visit.call('GET /tasks/{id}', { path: { id } }))
}

function draftOf({ account }: DashboardContext, task: Shown<'task'>): TaskDraft {
  const { name, prompt, trigger_type, timezone, event_types, active } = task
  const moment = (at: string | null, timeZone: string) => (at ? localInput(at, timeZone).slice(0, 16) : '')
  return {
    ...planOf(task),
    ...{ name, prompt, trigger_type, timezone, event_types, active },
    description: task.description ?? '',
    scheduled_at: moment(task.scheduled_at, timezone),
    event_source: task.event_source ?? '',
    emailed: task.delivery_methods.includes('email'),
    supervised: task.approval_mode === 'supervised',
    expires_at: moment(task.expires_at, account.timezone),
  }
}

/** Leaves out the fields of other triggers, whose hidden inputs may hold values. */
function bodyOf(visit: DashboardContext, draft: TaskDraft): Body {
  const orNull = (text: string) => (text.trim() === '' ? null : text)
  const moment = (text: string, timeZone: string) => (text === '' ? null : momentOfInput(text, timeZone))
  const isTimed = draft.trigger_type === 'schedule'
  const isEvent = draft.trigger_type === 'event'
  return {
    name: draft.name,
    description: orNull(draft.description),
    prompt: draft.prompt,
    trigger_type: draft.trigger_type,
    ...(isTimed && {
      cron_expression: cronOf(draft),
      interval_seconds: draft.repeat === 'minutes' ? secondsOf(visit, draft) : null,
      scheduled_at: draft.repeat === 'once' ? moment(draft.scheduled_at, draft.timezone) : null,
      timezone: draft.timezone,
    }),
    ...(isEvent && { event_types: draft.event_types, event_source: orNull(draft.event_source) }),
    delivery_methods: draft.emailed ? ['email'] : [],
    approval_mode: draft.supervised ? 'supervised' : 'auto',
    active: draft.active,
    expires_at: moment(draft.expires_at, visit.account.timezone),
  }
}

/** Passes text that is not a number on unchanged, so that the operation refuses it. */
function secondsOf(visit: DashboardContext, { minutes }: TaskDraft) {
  const seconds = Number(minutes) * 60
  const sent = new URLSearchParams({ interval_seconds: Number.isFinite(seconds) ? String(seconds) : minutes })
  const { interval_seconds } = Task.fields
  return readBody(visit, { interval_seconds }, sent, null).interval_seconds
}

function changesOf(after: Body, before: Body): Body {
  const was: Values = before
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name])),
  )
}

async function schedule({ account }: DashboardContext, task: Viewed<'task'>) {
  if (task.trigger_type !== 'schedule') return null
  // The times are computed from the next run, because a test account's clock differs from the system's.
  const next = task.next_run_at ? laterBy(task.next_run_at, -1000) : new Date().toISOString()
  const times = task.active ? nextTimes(task, next) : []
  const list = times.map(
    (time) => html`<li><time datetime="${time}">${formatMoment(time, zoneOf(task, account.timezone))}</time></li>`,
  )
  return html`<section class="card" aria-labelledby="schedule"><h2 id="schedule">Schedule</h2><p>${scheduleWords(task, account.timezone)}.</p>${
    list.length > 0
      ? html`<h3>Next times</h3><ol class="plain-list">${list}</ol>`
      : html`<p class="none">No runs are scheduled.</p>`
  }</section>`
}

async function runs(visit: DashboardContext, { id }: Viewed<'task'>) {
  const { rows } = await answeredRows(visit.call('GET /task_runs', { query: { ai_task_id: id, limit: 10 } }))
  const content = rows.length > 0 ? runsTable(visit, rows) : html`<p class="none">It has not run yet.</p>`
  const goesOn = rows.some(({ status }) => status === 'pending' || status === 'running')
  return html`<section class="related" aria-labelledby="runs"><header><h2 id="runs">Runs</h2><a href="${visit.base}/task_runs?ai_task_id=${id}">All runs</a></header>
<turbo-frame id="task-runs" target="_top"${goesOn ? html` data-controller="refresh"` : ''}>${content}</turbo-frame></section>`
}

function runsTable(visit: DashboardContext, rows: Run[]) {
  const columns: Column<Run>[] = [
    {
      words: 'Started',
      cell: ({ id, created_at: at }) =>
        html`<a class="row-link" href="${visit.base}/task_runs/${id}">${formatMoment(at, visit.account.timezone)}</a>`,
    },
    { words: 'State', cell: ({ status }) => badge(status) },
    {
      words: 'Outcome',
      cell: ({ question, error_message: error, summary }) => shortened(question ?? error ?? summary ?? '', 100),
    },
  ]
  return dataTable({ caption: 'Runs', columns, rows })
}

export const taskView = view('task', {
  columns: ['name', 'active', 'trigger_type', 'next_run_at', 'runs_count', 'created_at'],
  lead: 'Recurring work, such as a report every morning or a reply to each order.',
  main: [
    'prompt',
    'description',
    'trigger_type',
    'event_types',
    'event_source',
    'approval_mode',
    'active',
    'next_run_at',
  ],
  labels: { prompt: 'Instructions', trigger_type: 'Trigger', approval_mode: 'Approval' },
  without: ['id', 'name', 'cron_expression', 'interval_seconds', 'model_id', 'last_run', 'timezone'],
  sections: [schedule, runs],
  links: (visit, { id, trigger_type: trigger, active }) =>
    trigger === 'manual' && !active
      ? buttonForm(visit, { path: `/tasks/${id}/run`, words: 'Run now', look: 'primary' })
      : null,
  related: [],
})
