import { createHash } from 'node:crypto'
import { cut, laterBy } from '../../../contract/values/values.ts'
import { insertSeveral, insertUnless } from '../../../database/compile-once.ts'
import {
  type PolledProvider,
  type SourceConfig,
  type SourceEvent,
  SourceFailedError,
  type SourceProvider,
  type TimedProvider,
} from '../../../providers/sources/provider.ts'
import { AddressRefusedError, NoAnswerError } from '../../../providers/web/client.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob, type JobContext, job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { fullSentence } from '../../../records/room.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { startRunsOfSource } from '../task/start-run.ts'
import { RUN_EVENTS } from '../task-run/end.ts'
import { openConfig } from './config.ts'
import { EventSource, type EventSourceRow, MAX_ERROR } from './event-source.ts'

/** The time limit of a poll. A fetch takes at most 20 s of it; the rest is for reading the response. */
const POLL_MS = 60_000
/** Practically unlimited, because a source whose job was given up would never be polled or start a scheduled run again. */
const UNLIMITED_ATTEMPTS = 1_000_000
const LONGEST_PAUSE_SECONDS = 24 * 60 * 60

/** Polls a source. The final transaction of the job also starts the runs for new events and enqueues the next poll. */
export const pollSource = job<{ source: string }>('poll_event_source', {
  emits: RUN_EVENTS,
  timeoutMs: POLL_MS,
  attempts: UNLIMITED_ATTEMPTS,
  async work(job, { source: id }) {
    const asked = await job.transaction((context) => pollRequestFor(context, id))
    if (!asked) return
    const outcome = await pollWithRoom(job, asked)
    await job.finish(async (context) => {
      const source = await findRow(context, EventSource, id)
      if (source) await enqueuePoll(context, await settlePoll(context, source, outcome), asked)
    })
  },
})

/** Polls a source unless the account's storage is full. The provider keeps the events of a skipped poll. */
async function pollWithRoom(job: JobContext, asked: PollRequest): Promise<PollOutcome> {
  const { storage } = job.services
  if (await storage.hasRoom(job.accountId, 'outsider')) return poll(job, asked)
  return { problem: fullSentence(storage, 'outsider') }
}

/** Starts the runs for a source's scheduled time. After downtime they start late, but only once. */
export const passTime = dueJob<{ source: string; moment: string }>('pass_event_source_time', {
  emits: RUN_EVENTS,
  attempts: UNLIMITED_ATTEMPTS,
  async work(context, { source: id, moment }) {
    const source = await findRow(context, EventSource, id)
    const provider = source && context.services.sources.find(source.provider)
    if (provider?.kind !== 'timed') return
    const passed = await startRunsForEvents(context, source!, [provider.at(moment)])
    await enqueueTime(context, passed, { provider, config: openConfig(context, passed) })
  },
})

/** Starts a new source if it is polled or timed. The response to its creation waits for the first poll. */
export async function startSource(
  context: Context,
  source: EventSourceRow,
  { provider, config }: { provider: SourceProvider; config: SourceConfig },
): Promise<EventSourceRow> {
  if (provider.kind === 'timed') return enqueueTime(context, source, { provider, config })
  if (provider.kind === 'pushed') return source
  const job = await context.enqueue(pollSource, { source: source.id }, { awaited: true })
  return changeRow(context, EventSource, source, { job })
}

async function pollRequestFor(context: Context, id: string): Promise<PollRequest | null> {
  const source = await findRow(context, EventSource, id)
  const provider = source && context.services.sources.find(source.provider)
  if (provider?.kind !== 'polled') return null
  return { provider, config: openConfig(context, source!), memory: await memoryOf(context, id) }
}

/** Schedules the next poll. While a test account's clock is being moved, the next poll is after the time to which it moves. */
async function enqueuePoll(
  context: Context,
  source: EventSourceRow,
  { provider, config }: { provider: PolledProvider; config: SourceConfig },
): Promise<void> {
  const { failure_count } = source
  const seconds = provider.intervalSeconds(config) * 2 ** Math.max(0, failure_count - 1)
  const from = (await clockTarget(context)) ?? context.now
  const runAt = laterBy(from, Math.min(seconds, LONGEST_PAUSE_SECONDS) * 1000)
  const job = await context.enqueue(pollSource, { source: source.id }, { runAt })
  await changeRow(context, EventSource, source, { job })
}

/** Returns the time to which a test account's clock is moving. Polls wait for it, because a year would mean 35,000 polls. */
async function clockTarget(context: Context): Promise<string | null> {
  if (!context.test) return null
  const clock = await rowsOf(context, 'account_clocks').select('target').executeTakeFirst()
  return clock?.target ?? null
}

async function enqueueTime(
  context: Context,
  source: EventSourceRow,
  { provider, config }: { provider: TimedProvider; config: SourceConfig },
): Promise<EventSourceRow> {
  const moment = provider.next(config, context.now)
  const payload = moment && { source: source.id, moment }
  const job = payload && (await context.enqueue(passTime, payload, { runAt: payload.moment }))
  return changeRow(context, EventSource, source, { job })
}

/** The maximum length of a source's polling state in characters. */
const MAX_MEMORY = 100_000

interface PollRequest {
  provider: PolledProvider
  config: SourceConfig
  memory: string | null
}

/** The new events and the next polling state, or the reason why a poll failed. */
type PollOutcome = { events: SourceEvent[]; memory: string } | { problem: string }

/** Polls a provider. Rejects, so that the job is retried, if the error is internal or the service is stopping. */
async function poll({ services, signal }: JobContext, { provider, config, memory }: PollRequest): Promise<PollOutcome> {
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
async function settlePoll(context: Context, source: EventSourceRow, outcome: PollOutcome): Promise<EventSourceRow> {
  if ('problem' in outcome) {
    const failed = { status: 'error', error_message: outcome.problem, failure_count: source.failure_count + 1 } as const
    return changeRow(context, EventSource, source, failed)
  }
  await remember(context, source.id, outcome.memory)
  const passedOn = await startRunsForEvents(context, source, outcome.events)
  return changeRow(context, EventSource, passedOn, { status: 'active', error_message: null, failure_count: 0 })
}

/** Returns the state that a source's last successful poll stored for the next poll, or null before the first poll. */
async function memoryOf(context: Context, sourceId: string): Promise<string | null> {
  const kept = rowsOf(context, 'event_source_memories').where('event_source', '=', sourceId)
  return (await kept.select('memory').executeTakeFirst())?.memory ?? null
}

async function remember({ db, accountId }: Context, sourceId: string, memory: string): Promise<void> {
  if (memory.length > MAX_MEMORY) throw new Error(`A provider asked to store ${memory.length} characters`)
  const row = { account_id: accountId, event_source: sourceId, memory }
  await insertSeveral(db, 'event_source_memories', [row], { taken: ['account_id', 'event_source'], replace: true })
}

interface ReceivedEvent {
  event: SourceEvent
  /** The sender's id of the delivery; null when the request has none. */
  id: string | null
}

/** Starts the runs for a received event, unless it is a repeated delivery or the source was deleted. */
export async function receiveEvent(context: Context, sourceId: string, { event, id }: ReceivedEvent): Promise<void> {
  const source = await findRow(context, EventSource, sourceId)
  if (source && (await isFirst(context, sourceId, id))) await startRunsForEvents(context, source, [event])
}

async function isFirst({ db, accountId, realNow }: Context, sourceId: string, id: string | null): Promise<boolean> {
  if (id === null) return true
  const delivery_key = createHash('sha256').update(id).digest('base64url')
  const row = { account_id: accountId, event_source: sourceId, delivery_key, received_at: realNow }
  return insertUnless(db, 'event_source_deliveries', row, ['account_id', 'event_source', 'delivery_key'])
}

/** Starts runs of all tasks connected to the source, in the order of the events. Ignores other types than the source's. */
async function startRunsForEvents(
  context: Context,
  source: EventSourceRow,
  events: SourceEvent[],
): Promise<EventSourceRow> {
  const own = events.filter(({ type }) => type === source.event_type)
  for (const event of own) await startRunsOfSource(context, source, event)
  return own.length === 0 ? source : changeRow(context, EventSource, source, { last_event_at: context.now })
}
