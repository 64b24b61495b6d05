import { cut } from '../../../contract/values/values.ts'
import {
  type PolledProvider,
  type SourceConfig,
  type SourceEvent,
  SourceFailedError,
} from '../../../providers/sources/provider.ts'
import { AddressRefusedError, NoAnswerError } from '../../../providers/web/client.ts'
import type { Context } from '../../../records/context.ts'
import type { JobContext } from '../../../records/job.ts'
import { changeRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { EventSource, type EventSourceRow, MAX_ERROR } from './event-source.ts'
import { startRunsForEvents } from './receive.ts'

/** The maximum length of a source's polling state in characters. */
const MAX_MEMORY = 100_000

export interface PollRequest {
  provider: PolledProvider
  config: SourceConfig
  memory: string | null
}

/** The new events and the next polling state, or the reason why a poll failed. */
export type PollOutcome = { events: SourceEvent[]; memory: string } | { problem: string }

/** Rejects for a retry when the error is internal or the service is stopping. */
export async function poll(
  { services, signal }: JobContext,
  { provider, config, memory }: PollRequest,
): Promise<PollOutcome> {
  try {
    return await provider.poll({ config, memory, web: services.web.outside, signal })
  } catch (error) {
    const problem = signal.aborted ? null : problemOf(error)
    if (problem === null) throw error
    return { problem: cut(problem, MAX_ERROR) }
  }
}

function problemOf(error: unknown): string | null {
  if (error instanceof AddressRefusedError) return `The address ${error.message}.`
  return error instanceof SourceFailedError || error instanceof NoAnswerError ? error.message : null
}

/** Starts the runs for the events of a poll, or records why the poll failed. A success clears an earlier failure. */
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
  const passedOn = await startRunsForEvents(context, source, outcome.events)
  return changeRow(context, EventSource, passedOn, { status: 'active', error_message: null, failure_count: 0 })
}

/** Returns the state that a source's last successful poll stored for the next poll, or null before the first poll. */
export async function memoryOf(context: Context, sourceId: string): Promise<string | null> {
  const kept = rowsOf(context, 'event_source_memories').where('event_source', '=', sourceId)
  return (await kept.select('memory').executeTakeFirst())?.memory ?? null
}

async function remember({ db, accountId }: Context, sourceId: string, memory: string): Promise<void> {
  if (memory.length > MAX_MEMORY) throw new Error(`A provider asked to store ${memory.length} characters`)
  await db
    .insertInto('event_source_memories')
    .values({ account_id: accountId, event_source: sourceId, memory })
    .onConflict((known) => known.columns(['account_id', 'event_source']).doUpdateSet({ memory }))
    .execute()
}
