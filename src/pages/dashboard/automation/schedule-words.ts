import { readCron } from '../../../contract/values/cron.ts'
import { nextTime, type Schedule } from '../../../contract/values/schedule.ts'
import { counted } from '../../../format/counts.ts'
import { everyDuration } from '../../../format/durations.ts'
import { formatMoment, zoneInWords } from '../../../format/moments.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { Shown } from '../../../resources/nouns.ts'

export const REPEATS = {
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'Every weekday',
  weekly: 'Every week',
  monthly: 'Every month',
  minutes: 'Every few minutes',
  once: 'Once',
  cron: 'Cron expression',
} as const
export type Repeat = keyof typeof REPEATS

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type TaskSchedule = Pick<
  Shown<'task'>,
  'cron_expression' | 'interval_seconds' | 'scheduled_at' | 'timezone' | 'next_run_at'
>

export interface SchedulePlan {
  repeat: Repeat
  /** The local time of a scheduled run, such as `09:30`. */
  time: string
  /** The day of the week as a number from 0, which is Sunday. */
  weekday: string
  day: string
  minutes: string
  cron: string
}

export const USUAL_PLAN: SchedulePlan = {
  repeat: 'daily',
  time: '09:00',
  weekday: '1',
  day: '1',
  minutes: '60',
  cron: '',
}

/** Returns the cron expression of a schedule, or null for schedules that do not use one. */
export function cronOf({ repeat, time, weekday, day, cron }: SchedulePlan): string | null {
  const [, hour = '9', minute = '0'] = /^(\d{1,2}):(\d{2})/.exec(time) ?? []
  const at = `${Number(minute)} ${Number(hour)}`
  switch (repeat) {
    case 'hourly':
      return `${Number(minute)} * * * *`
    case 'daily':
      return `${at} * * *`
    case 'weekdays':
      return `${at} * * 1-5`
    case 'weekly':
      return `${at} * * ${weekday}`
    case 'monthly':
      return `${at} ${day} * *`
    case 'cron':
      return cron.trim()
    default:
      return null
  }
}

/** Converts a task's schedule to the values of the schedule's form. */
export function planOf({
  cron_expression: cron,
  interval_seconds: seconds,
  scheduled_at: once,
}: TaskSchedule): SchedulePlan {
  if (seconds !== null) return { ...USUAL_PLAN, repeat: 'minutes', minutes: String(seconds / 60) }
  if (once !== null) return { ...USUAL_PLAN, repeat: 'once' }
  if (cron === null) return USUAL_PLAN
  const plan = { ...USUAL_PLAN, cron }
  const [, minute = '', hour = '', day = '', weekday = ''] =
    /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|\*) \* (\d|1-5|mon-fri|\*)$/.exec(cron.trim()) ?? []
  if (minute === '') return { ...plan, repeat: 'cron' }
  const time = `${(hour === '*' ? '0' : hour).padStart(2, '0')}:${minute.padStart(2, '0')}`
  const repeat = repeatOf(hour, day, weekday)
  return {
    ...plan,
    repeat,
    time,
    ...(repeat === 'monthly' && { day }),
    ...(repeat === 'weekly' && { weekday: String(Number(weekday) % 7) }),
  }
}

function repeatOf(hour: string, day: string, weekday: string): Repeat {
  if (hour === '*') return day === '*' && weekday === '*' ? 'hourly' : 'cron'
  if (day !== '*') return weekday === '*' ? 'monthly' : 'cron'
  if (weekday === '*') return 'daily'
  return /^\d$/.test(weekday) ? 'weekly' : 'weekdays'
}

/** Returns a schedule in words, without a full stop. Times are in `timeZone`, or in the task's own zone for cron expressions. */
export function scheduleWords(task: TaskSchedule, timeZone: string): string {
  const { interval_seconds: seconds, scheduled_at: once, timezone } = task
  if (seconds !== null) return sentenceCase(everyDuration(seconds))
  if (once !== null) return `Once, on ${formatMoment(once, timeZone)}`
  const { repeat, ...plan } = planOf(task)
  const words = repeatWords(repeat, plan)
  return plan.cron === '' ? words : `${words}, in the time zone ${zoneInWords(timezone)}`
}

function repeatWords(repeat: Repeat, { time, weekday, day, cron }: Omit<SchedulePlan, 'repeat'>): string {
  switch (repeat) {
    case 'hourly':
      return time.endsWith(':00')
        ? 'Every hour, on the hour'
        : `Every hour, ${counted(Number(time.slice(3)), 'minute')} past`
    case 'weekly':
      return `Every ${WEEKDAYS[Number(weekday)]} at ${time}`
    case 'monthly':
      return `On day ${day} of every month at ${time}`
    case 'cron':
      return cron === '' ? 'Never' : `Cron expression ${cron}`
    default:
      return `${REPEATS[repeat]} at ${time}`
  }
}

/** Returns the time zone of a schedule: the task's own zone for cron expressions, otherwise the account's. */
export function zoneOf({ cron_expression: cron, timezone }: TaskSchedule, ofAccount: string): string {
  return cron === null ? ofAccount : timezone
}

const SHOWN_TIMES = 5

export function nextTimes(task: TaskSchedule, now: string): string[] {
  const schedule = scheduleOf(task)
  const times: string[] = []
  let after = now
  while (schedule !== null && times.length < SHOWN_TIMES) {
    const next = nextTime(schedule, after)
    if (next === null) break
    times.push(next)
    after = next
  }
  return times
}

function scheduleOf({
  cron_expression: cron,
  interval_seconds: seconds,
  scheduled_at: at,
  timezone,
  next_run_at,
}: TaskSchedule): Schedule | null {
  if (cron !== null && typeof readCron(cron) !== 'string') return { kind: 'cron', expression: cron, timeZone: timezone }
  if (seconds !== null && next_run_at !== null) {
    const from = new Date(Date.parse(next_run_at) - seconds * 1000).toISOString()
    return { kind: 'interval', seconds, from }
  }
  return at === null ? null : { kind: 'once', at }
}
