import { accountOf } from '../../access/account-of.ts'
import type { ProviderCaller } from '../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../contract/declarations/errors.ts'
import { unreadable } from '../../contract/requests/media-type.ts'
import {
  type Delivery,
  NotGenuineError,
  type PushedProvider,
  type SourceConfig,
} from '../../outside/sources/provider.ts'
import { parseJson } from '../../pipeline/body-reader.ts'
import { findRow } from '../../records/records.ts'
import { openConfig } from '../../resources/automation/event_source/config.ts'
import { EventSource } from '../../resources/automation/event_source/event_source.ts'
import { receiveEvent } from '../../resources/automation/event_source/receive.ts'
import { RUN_EVENTS } from '../../resources/automation/task_run/end.ts'
import type { IngestParts, IngestRequest } from './parts.ts'

/** Contents of events are a few kilobytes. */
const LIMIT_BYTES = 256 * 1024

interface Receiver {
  caller: ProviderCaller
  provider: PushedProvider
  config: SourceConfig
}

/**
 * Takes an event that was posted to a source: it has been passed on, durably, when this resolves. Throws `resource_missing`,
 * `authentication_required` for a signature that is missing or wrong, and what a body is refused with.
 */
export async function takeEvent(parts: IngestParts, asked: IngestRequest): Promise<void> {
  const receiver = await receiverOf(parts, asked.id)
  const { request, header } = asked
  const body = { request, header, accountId: receiver.caller.accountId, limitBytes: LIMIT_BYTES }
  await parts.bodies.read(body, async (bytes) => {
    const received = readDelivery(receiver, { body: bytes, json: jsonOf(bytes, asked), header, receivedMs: Date.now() })
    await parts.pipeline.visits.bring(receiver.caller, RUN_EVENTS, (context) =>
      receiveEvent(context, asked.id, received),
    )
  })
}

async function receiverOf({ database, pipeline, services }: IngestParts, id: string): Promise<Receiver> {
  const accountId = await accountOf(database.read, 'event_sources', id)
  if (accountId === null) throw missingResource(EventSource.name)
  const caller: ProviderCaller = { kind: 'provider', accountId, provider: EventSource.name }
  const source = await pipeline.visits.look(caller, (context) => findRow(context, EventSource, id))
  const provider = source && services.sources.find(source.provider)
  if (provider?.kind !== 'pushed') throw missingResource(EventSource.name)
  return { caller, provider, config: openConfig({ services }, source!) }
}

function jsonOf(bytes: Uint8Array, { header }: IngestRequest): unknown {
  const problem = unreadable(header('content-type'), header('content-encoding'))
  if (problem !== null) throw new ApiError('unsupported_media_type', problem)
  return parseJson(bytes)
}

function readDelivery({ provider, config }: Receiver, delivery: Delivery) {
  try {
    return provider.receive(delivery, config)
  } catch (error) {
    if (error instanceof NotGenuineError) throw new ApiError('authentication_required', error.message)
    throw error
  }
}
