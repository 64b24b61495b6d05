import { text, timeZone } from '../../../contract/declarations/kinds.ts'
import { cronProblem, nextTime } from '../../../contract/values/schedule.ts'
import type { SourceConfig, TimedProvider } from '../provider.ts'

const EVENT = 'due'

/** A source whose events occur at the times of a cron expression. */
export const schedule: TimedProvider = {
  kind: 'timed',
  provider: 'schedule',
  name: 'Schedule',
  description: 'An event at each time in a cron expression. Several tasks can share one schedule.',
  eventTypes: [{ name: EVENT, description: 'A scheduled time was reached. Its data is {scheduled_for}.' }],
  config: {
    cron_expression: text('Minute, hour, day of the month, month and weekday, separated by spaces', {
      max: 200,
      example: '0 9 * * 1',
    }).required(),
    timezone: timeZone('Time zone of the expression').default('UTC'),
  },
  check(config): Record<string, string> {
    const { expression } = cronOf(config)
    const problem = cronProblem(expression)
    if (problem !== null) return { cron_expression: problem }
    const isEmpty = this.next(config, '2024-01-01T00:00:00Z') === null
    return isEmpty ? { cron_expression: 'names no date that exists' } : {}
  },
  next: (config, after) => nextTime(cronOf(config), after),
  at: (moment) => ({ type: EVENT, data: { scheduled_for: moment } }),
}

function cronOf({ cron_expression, timezone }: SourceConfig) {
  return { kind: 'cron', expression: String(cron_expression), timeZone: String(timezone) } as const
}
