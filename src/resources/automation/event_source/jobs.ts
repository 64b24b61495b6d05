import { laterBy } from '../../../contract/values/values.ts'
import type { PolledProvider, SourceConfig, SourceProvider, TimedProvider } from '../../../outside/sources/provider.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob, type JobPlace, job } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { fullSentence } from '../../../records/room.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { RUN_EVENTS } from '../task_run/end.ts'
import { openConfig } from './config.ts'
import { EventSource, type EventSourceRow } from './event_source.ts'
import { type Asked, memoryOf, type PollOutcome, poll, settlePoll } from './poll.ts'
import { happen } from './receive.ts'

/** A fetch of at most 20 s, and time to read what it brought. */
const POLL_MS = 60_000
/** Nothing else would bring about the next poll, or the next time, so they are never given up. */
const ENDLESS = 1_000_000
const LONGEST_PAUSE_SECONDS = 24 * 60 * 60

/** Asks a source what has happened. The runs that this starts and the next poll are one transaction with the job's end. */
export const pollSource = job<{ source: string }>('poll_event_source', {
  emits: RUN_EVENTS,
  timeoutMs: POLL_MS,
  attempts: ENDLESS,
  async work(place, { source: id }) {
    const asked = await place.transaction((context) => findAsked(context, id))
    if (!asked) return
    const outcome = await pollWithRoom(place, asked)
    await place.finish(async (context) => {
      const source = await findRow(context, EventSource, id)
      if (source) await enqueuePoll(context, await settlePoll(context, source, outcome), asked)
    })
  },
})

/** What nobody could store is not asked for: it waits at the source. */
async function pollWithRoom(place: JobPlace, asked: Asked): Promise<PollOutcome> {
  const { storage } = place.services
  if (await storage.hasRoom(place.accountId, 'outsider')) return poll(place, asked)
  return { problem: fullSentence(storage, 'outsider') }
}

/** Passes on that a time of a source has come. One that was missed while the service was down happens once, late. */
export const passTime = dueJob<{ source: string; moment: string }>('pass_event_source_time', {
  emits: RUN_EVENTS,
  attempts: ENDLESS,
  async work(context, { source: id, moment }) {
    const source = await findRow(context, EventSource, id)
    const provider = source && context.services.sources.find(source.provider)
    if (provider?.kind !== 'timed') return
    const passed = await happen(context, source!, [provider.at(moment)])
    await enqueueTime(context, passed, { provider, config: openConfig(context, passed) })
  },
})

/** Begins what a new source does by itself. The first poll shows in the create's answer. */
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

async function findAsked(context: Context, id: string): Promise<Asked | null> {
  const source = await findRow(context, EventSource, id)
  const provider = source && context.services.sources.find(source.provider)
  if (provider?.kind !== 'polled') return null
  return { provider, config: openConfig(context, source!), memory: await memoryOf(context, id) }
}

/** The next poll is due by the account's clock. One that is being moved is polled once on its way, and then after its target. */
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

/** Where a test account's clock is being moved to. A year of polls would ask somebody's server 35,000 times and learn nothing. */
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
