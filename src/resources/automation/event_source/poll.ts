import { cut } from '../../../contract/values/values.ts'
import {
  type PolledProvider,
  type SourceConfig,
  type SourceEvent,
  SourceFailedError,
} from '../../../outside/sources/provider.ts'
import { AddressRefusedError, NoAnswerError } from '../../../outside/web/client.ts'
import type { JobPlace } from '../../../records/job.ts'
import { MAX_ERROR } from './event_source.ts'

/** All that a poll needs to know of its source. */
export interface Asked {
  provider: PolledProvider
  config: SourceConfig
  memory: string | null
}

/** What a poll has found, or why it has found nothing. */
export type PollOutcome = { events: SourceEvent[]; memory: string } | { problem: string }

/** Asks outside. Rejects when another attempt may do better: when the fault is ours, or the service stops. */
export async function poll({ services, signal }: JobPlace, { provider, config, memory }: Asked): Promise<PollOutcome> {
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
