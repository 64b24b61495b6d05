import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { EventSource, type EventSourceRow } from './event_source.ts'
import { happen } from './happen.ts'
import { remember } from './memory.ts'
import type { PollOutcome } from './poll.ts'

/** Passes on what a poll has found, or notes why it failed. A success ends a failure by itself. */
export async function settlePoll(
  context: Context,
  source: EventSourceRow,
  outcome: PollOutcome,
): Promise<EventSourceRow> {
  if ('problem' in outcome) {
    const failed = { status: 'error', error_message: outcome.problem, failure_count: source.failure_count + 1 } as const
    return changeRow(context, EventSource, source, failed)
  }
  await remember(context, source.id, outcome.memory)
  const passedOn = await happen(context, source, outcome.events)
  return changeRow(context, EventSource, passedOn, { status: 'active', error_message: null, failure_count: 0 })
}
