import { type FieldErrors, requireValid } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import { cronProblem, nextTime, type Schedule } from '../../../contract/values/schedule.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import type { Task, TaskRow } from './task.ts'

/** The job that runs when a task's next scheduled run or its expiry is due. */
export const TASK_DUE: Enqueueable<{ task: string }> = { name: 'task_due' }

type TaskChanges = Changes<typeof Task>

const TIMES = ['cron_expression', 'interval_seconds', 'scheduled_at'] as const
const BLANK_TIMES = { cron_expression: null, interval_seconds: null, scheduled_at: null }
const BLANK_EVENTS = { event_types: [], event_source: null }

type Trigger = Pick<TaskRow, 'trigger_type' | (typeof TIMES)[number] | 'event_types' | 'event_source'>

const NO_TRIGGER: Trigger = { trigger_type: 'manual', ...BLANK_TIMES, ...BLANK_EVENTS }

/** Returns a task's trigger after a change. A new trigger_type clears the old type's fields, and a new time replaces the old one. */
export function settleTrigger(context: Context, given: TaskChanges, current?: TaskRow): Trigger {
  const trigger = triggerOf(given, current)
  const errors = { ...misplaced(trigger), ...missing(trigger), ...wrongValues(context, trigger, given) }
  const isStarted = (given.active ?? current?.active ?? true) && !current?.active
  Object.assign(errors, tooLate(context, { ...current, ...given, ...trigger }, isStarted ? {} : given))
  requireValid(errors)
  return { ...trigger, event_types: [...new Set(trigger.event_types)] }
}

/** The checks of `settleTrigger` for a new task. They are separate, so that an error in one field does not hide others. */
export const TRIGGER_CHECKS: readonly BodyCheck<Context, TaskChanges>[] = [
  { fields: Object.keys(NO_TRIGGER), check: (_, given) => requireValid(misplaced(triggerOf(given, undefined))) },
  { fields: Object.keys(NO_TRIGGER), check: (_, given) => requireValid(missing(triggerOf(given, undefined))) },
  {
    fields: ['cron_expression'],
    check: (context, { cron_expression = null }) =>
      requireValid(wrongValues(context, { ...NO_TRIGGER, cron_expression }, {})),
  },
  {
    fields: ['event_types'],
    check: (context, { event_types = [] }) => requireValid(wrongValues(context, NO_TRIGGER, { event_types })),
  },
  {
    fields: ['scheduled_at', 'active'],
    check: (context, { scheduled_at = null }) => requireValid(tooLate(context, { scheduled_at }, {})),
  },
  {
    fields: ['expires_at', 'active'],
    check: (context, { expires_at = null }) => requireValid(tooLate(context, { expires_at }, {})),
  },
]

function triggerOf(given: TaskChanges, current: TaskRow | undefined): Trigger {
  const { trigger_type, cron_expression, interval_seconds, scheduled_at, event_types, event_source } =
    current ?? NO_TRIGGER
  const former = { trigger_type, cron_expression, interval_seconds, scheduled_at, event_types, event_source }
  const isOther = given.trigger_type !== undefined && given.trigger_type !== trigger_type
  const isNewTime = TIMES.some((name) => given[name] !== undefined && given[name] !== null)
  const kept = { ...former, ...((isOther || isNewTime) && BLANK_TIMES), ...(isOther && BLANK_EVENTS) }
  const named = Object.keys(NO_TRIGGER).filter((name) => given[name as keyof Trigger] !== undefined)
  return { ...kept, ...Object.fromEntries(named.map((name) => [name, given[name as keyof Trigger]])) }
}

function misplaced(trigger: Trigger): FieldErrors {
  const { trigger_type, event_types, event_source } = trigger
  const times = trigger_type === 'schedule' ? [] : TIMES.filter((name) => trigger[name] !== null)
  const events = trigger_type === 'event' || event_types.length === 0 ? [] : ['event_types']
  const sources = trigger_type === 'event' || event_source === null ? [] : ['event_source']
  return Object.fromEntries([
    ...times.map((name) => [name, [`requires trigger_type schedule, not ${trigger_type}`]]),
    ...[...events, ...sources].map((name) => [name, [`requires trigger_type event, not ${trigger_type}`]]),
  ])
}

function missing(trigger: Trigger): FieldErrors {
  const { trigger_type, event_types, event_source } = trigger
  const times = TIMES.filter((name) => trigger[name] !== null)
  if (trigger_type === 'schedule' && times.length !== 1)
    return { trigger_type: [`schedule needs exactly one of ${TIMES.join(', ')}, not ${times.length}`] }
  if (trigger_type === 'event' && event_types.length === 0 && event_source === null)
    return { trigger_type: ['event needs event_types (GET /events lists them) or an event_source'] }
  return {}
}

function wrongValues({ eventTypes }: Context, { cron_expression }: Trigger, given: TaskChanges): FieldErrors {
  const errors: FieldErrors = {}
  const problem = cron_expression === null ? null : cronProblem(cron_expression)
  if (problem !== null) errors.cron_expression = [problem]
  for (const [index, name] of (given.event_types ?? []).entries()) {
    if (eventTypes.find(name)) continue
    const meant = didYouMean(name, eventTypes.names)
    errors[`event_types.${index}`] = [`is not an event type${meant}; GET /events lists them`]
  }
  return errors
}

/** Returns an error for each past time in the request, or in the whole task when the task becomes active. */
function tooLate({ now }: Context, task: Partial<TaskRow>, given: TaskChanges): FieldErrors {
  const isAll = Object.keys(given).length === 0
  const late = (['scheduled_at', 'expires_at'] as const).filter((name) => {
    const moment = task[name] ?? null
    return moment !== null && moment <= now && (isAll || given[name] !== undefined)
  })
  return Object.fromEntries(late.map((name) => [name, [`must be in the future, after ${now}`]]))
}

/** Replaces the scheduled next run or expiry of a task. Emits no event, because the task itself is the same. */
export async function planNext(context: Context, task: TaskRow): Promise<TaskRow> {
  if (task.due_job !== null) await context.cancel(task.due_job)
  const next_run_at = nextRunAt(task, context.now)
  const runAt = next_run_at ?? (task.active ? task.expires_at : null)
  const due_job = runAt === null ? null : await context.enqueue(TASK_DUE, { task: task.id }, { runAt })
  const planned = { next_run_at, due_job }
  await updateRowsOf(context, 'tasks').set(planned).where('id', '=', task.id).execute()
  return { ...task, ...planned }
}

/** Returns the time of a task's next run, or null if the task is paused, has no schedule or expires before that time. */
function nextRunAt(task: TaskRow, now: string): string | null {
  const schedule = task.active ? scheduleOf(task) : null
  const next = schedule && nextTime(schedule, now)
  return next !== null && (task.expires_at === null || next < task.expires_at) ? next : null
}

function scheduleOf(task: TaskRow): Schedule | null {
  const { cron_expression: expression, interval_seconds: seconds, scheduled_at: at, timezone: timeZone } = task
  if (expression !== null) return { kind: 'cron', expression, timeZone }
  if (seconds !== null) return { kind: 'interval', seconds, from: task.scheduled_from ?? task.created_at }
  return at === null ? null : { kind: 'once', at }
}
