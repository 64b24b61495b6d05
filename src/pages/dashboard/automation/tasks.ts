import { html } from 'hono/html'
import { laterBy } from '../../../contract/values/values.ts'
import { Task } from '../../../resources/automation/task/task.ts'
import { formatMoment } from '../../../words/moments.ts'
import { summaryOf } from '../../parts/fields.ts'
import { type Column, dataTable } from '../../parts/table.ts'
import { crumbsBelow, crumbsOf, one } from '../derived/detail.ts'
import { problemsOf } from '../derived/form.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { type Refusal, refusalOf, rowsAs, rowsOf, shown, type Values } from '../kit/ask.ts'
import { buttonForm } from '../kit/button-form.ts'
import { keyField, keyOf } from '../kit/form-key.ts'
import { framed } from '../kit/frame.ts'
import { nameOf, shortened } from '../kit/labels.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import { localInput, momentOfInput } from '../kit/times.ts'
import { badge } from '../kit/value.ts'
import { view } from '../kit/view.ts'
import type { Visit } from '../kit/visit.ts'
import { cronOf, nextTimes, planOf, type Repeat, scheduleWords, USUAL_PLAN, zoneOf } from './schedule-words.ts'
import { type TaskDraft, taskForm } from './task-form.ts'

interface Shown {
  draft: TaskDraft
  /** The task that is changed; null for a new one. */
  task: Values | null
  refusal?: Refusal | null
  status?: number
  /** The form as it was sent. */
  sent?: URLSearchParams
}

const LABELS = {
  prompt: 'Instructions',
  cron_expression: 'The schedule',
  interval_seconds: 'The time between runs',
}

async function page(visit: Visit, { draft, task, refusal = null, status = 200, sent }: Shown): Promise<Response> {
  const things = visit.catalogue.of('task')!
  const [types, sources] = await Promise.all([
    rowsAs<{ name: string; description: string }>(visit.askAny('GET', '/events', { query: { limit: 100 } })),
    rowsOf(visit.askAny('GET', '/event_sources', { query: { limit: 100 } })),
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
    back: task ? `${visit.base}/tasks/${String(task.id)}` : `${visit.base}/tasks`,
  })}`
  const crumbs = task ? crumbsBelow(visit, things, task) : crumbsOf(visit, things)
  return dashboardAnswer(framed(visit, { title: task ? `Edit ${nameOf(task)}` : 'New task', crumbs }, content), {
    status,
  })
}

const create: DashboardPage = {
  path: '/tasks/new',
  get: (visit) => page(visit, { draft: emptyDraft(visit), task: null }),
  async post(visit, _, form) {
    const draft = draftOfForm(form)
    const answer = await visit.askAny('POST', '/tasks', { body: bodyOf(visit, draft), key: keyOf(form) })
    const refusal = refusalOf(answer)
    if (refusal) return page(visit, { draft, task: null, refusal, status: answer.status, sent: form })
    return goDone(visit, `${visit.base}/tasks/${String(answer.body.id)}`, 'created', `Task “${draft.name}” created.`)
  },
}

const edit: DashboardPage = {
  path: '/tasks/:id/edit',
  async get(visit, { id }) {
    const task = await one(visit, visit.catalogue.of('task')!, id!)
    return page(visit, { draft: draftOf(visit, task), task })
  },
  async post(visit, { id }, form) {
    const task = await one(visit, visit.catalogue.of('task')!, id!)
    const draft = draftOfForm(form)
    const body = changesOf(bodyOf(visit, draft), bodyOf(visit, draftOf(visit, task)))
    const answer = await visit.askAny('PATCH', `/tasks/${encodeURIComponent(id!)}`, { body })
    const refusal = refusalOf(answer)
    if (refusal) return page(visit, { draft, task, refusal, status: answer.status })
    return goDone(visit, `${visit.base}/tasks/${id}`, 'saved', `Task “${draft.name}” saved.`)
  },
}

/** A task that is started by hand runs when it is switched on. */
const runNow: DashboardPage = {
  path: '/tasks/:id/run',
  async post(visit, { id }) {
    const path = `/tasks/${encodeURIComponent(id!)}`
    const { last_run: run, name } = await shown(visit.askAny('PATCH', path, { body: { active: true } }))
    return goDone(visit, `${visit.base}/task_runs/${String(run)}`, 'done', `“${String(name)}” was started.`)
  },
}

export const taskPages: DashboardPage[] = [create, edit, runNow]

function emptyDraft({ account, query }: Visit): TaskDraft {
  const source = query.get('event_source') ?? ''
  return {
    ...USUAL_PLAN,
    name: '',
    description: '',
    prompt: '',
    trigger_type: source === '' ? 'schedule' : 'event',
    scheduled_at: '',
    timezone: account.timezone,
    event_types: [],
    event_source: source,
    emailed: false,
    supervised: true,
    active: true,
    expires_at: '',
  }
}

function draftOf(visit: Visit, task: Values): TaskDraft {
  const text = (name: string) => String(task[name] ?? '')
  const moment = (name: string, timeZone: string) => (task[name] ? localInput(text(name), timeZone).slice(0, 16) : '')
  const source = task.event_source as Values | string | null
  return {
    ...planOf(task),
    name: text('name'),
    description: text('description'),
    prompt: text('prompt'),
    trigger_type: text('trigger_type'),
    scheduled_at: moment('scheduled_at', text('timezone')),
    timezone: text('timezone'),
    event_types: task.event_types as string[],
    event_source: source === null ? '' : typeof source === 'string' ? source : String(source.id),
    emailed: (task.delivery_methods as string[]).includes('email'),
    supervised: task.approval_mode === 'supervised',
    active: task.active === true,
    expires_at: moment('expires_at', visit.account.timezone),
  }
}

function draftOfForm(form: URLSearchParams): TaskDraft {
  const text = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n')
  return {
    repeat: text('repeat') as Repeat,
    time: text('time'),
    weekday: text('weekday'),
    day: text('day'),
    minutes: text('minutes'),
    cron: text('cron').trim(),
    name: text('name'),
    description: text('description'),
    prompt: text('prompt'),
    trigger_type: text('trigger_type'),
    scheduled_at: text('scheduled_at'),
    timezone: text('timezone'),
    event_types: form.getAll('event_types'),
    event_source: text('event_source'),
    emailed: form.has('emailed'),
    supervised: form.has('supervised'),
    active: form.has('active'),
    expires_at: text('expires_at'),
  }
}

/** What belongs to another way of starting it is left out, whatever its inputs hold. */
function bodyOf(visit: Visit, draft: TaskDraft): Values {
  const orNull = (text: string) => (text.trim() === '' ? null : text)
  const moment = (text: string, timeZone: string) => (text === '' ? null : momentOfInput(text, timeZone))
  const isTimed = draft.trigger_type === 'schedule'
  const isEvent = draft.trigger_type === 'event'
  const minutes = Number(draft.minutes)
  return {
    name: draft.name,
    description: orNull(draft.description),
    prompt: draft.prompt,
    trigger_type: draft.trigger_type,
    ...(isTimed && {
      cron_expression: cronOf(draft),
      interval_seconds: draft.repeat === 'minutes' ? (Number.isFinite(minutes) ? minutes * 60 : draft.minutes) : null,
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

function changesOf(after: Values, before: Values): Values {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

async function schedule({ account }: Visit, task: Values) {
  if (task.trigger_type !== 'schedule') return null
  // A test account has a clock of its own, which the next run follows.
  const next = task.next_run_at ? laterBy(String(task.next_run_at), -1000) : new Date().toISOString()
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

async function runs(visit: Visit, { id }: Values) {
  const { rows } = await rowsOf(visit.askAny('GET', '/task_runs', { query: { ai_task_id: String(id), limit: 10 } }))
  const content = rows.length > 0 ? runsTable(visit, rows) : html`<p class="none">It has not run yet.</p>`
  const goesOn = rows.some(({ status }) => status === 'pending' || status === 'running')
  return html`<section class="related" aria-labelledby="runs"><header><h2 id="runs">Runs</h2><a href="${visit.base}/task_runs?ai_task_id=${String(id)}">All runs</a></header>
<turbo-frame id="task-runs" target="_top"${goesOn ? html` data-controller="refresh"` : ''}>${content}</turbo-frame></section>`
}

function runsTable(visit: Visit, rows: Values[]) {
  const columns: Column<Values>[] = [
    {
      words: 'Started',
      cell: ({ id, created_at: at }) =>
        html`<a class="row-link" href="${visit.base}/task_runs/${String(id)}">${formatMoment(String(at), visit.account.timezone)}</a>`,
    },
    { words: 'State', cell: state },
    { words: 'Outcome', cell: outcome },
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
      ? buttonForm(visit, { path: `/tasks/${String(id)}/run`, words: 'Run now', look: 'primary' })
      : null,
  related: [],
})

function state({ status }: Values) {
  return badge(String(status))
}

function outcome(run: Values): string {
  return shortened(String(run.question ?? run.error_message ?? run.summary ?? ''), 100)
}
