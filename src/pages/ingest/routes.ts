import { createHash } from 'node:crypto'
import { type Context, type Env, Hono } from 'hono'
import { accountOf } from '../../access/account-of.ts'
import { GuessLimit } from '../../access/guess-limit.ts'
import { networkOf } from '../../access/network.ts'
import type { ProviderCaller } from '../../contract/declarations/caller.ts'
import { ApiError, methodNotAllowed, missingResource, tooManyRequests } from '../../contract/declarations/errors.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import { unreadable } from '../../contract/requests/media-type.ts'
import { parseJson } from '../../pipeline/body-reader.ts'
import { turnsInMemory } from '../../pipeline/rate-limit.ts'
import {
  type Delivery,
  NotGenuineError,
  type PushedProvider,
  type SourceConfig,
} from '../../providers/sources/provider.ts'
import { findRow } from '../../records/records.ts'
import { openConfig } from '../../resources/automation/event-source/config.ts'
import { EventSource } from '../../resources/automation/event-source/event-source.ts'
import { receiveEvent } from '../../resources/automation/event-source/jobs.ts'
import { opensIngest } from '../../resources/automation/event-source/show.ts'
import { runEvents } from '../../resources/automation/task-run/end.ts'
import type { PageParts } from '../parts/page-parts.ts'

/** Events usually have a few kilobytes, so this limit is generous. */
const LIMIT_BYTES = 256 * 1024

/** The limit is low, because each event may start runs of several tasks. */
const EVENTS_PER_SOURCE = { name: 'events', perMinute: 60, burst: 60 }

/** Checks the secret in the URL of an event source and the rate limits, without a database query. */
class Admission {
  readonly #guesses = new GuessLimit()
  readonly #take = turnsInMemory()

  async require(parts: IngestParts, asked: IngestRequest): Promise<void> {
    const client = networkOf(asked.address)
    const hash = createHash('sha256').update(`${asked.id}/${asked.capability}`).digest('hex')
    const waitMs = this.#guesses.waitMs(client, hash)
    if (waitMs > 0) throw tooManyRequests({ 'Retry-After': String(Math.ceil(waitMs / 1000)) })
    if (!opensIngest(parts, asked.id, asked.capability)) {
      this.#guesses.noteWrong(client)
      throw missingResource(EventSource.name)
    }
    this.#guesses.noteRight(client, hash)
    const wait = await this.#take(asked.id, EVENTS_PER_SOURCE)
    if (wait > 0) throw tooManyRequests({ 'Retry-After': String(wait) })
  }
}

const PATH = '/ingest/:id/:capability'

interface IngestHandlers<E extends Env> {
  incomingOf(context: Context<E>): Pick<IngestRequest, 'request' | 'address' | 'header'>
  refusal(error: ApiError): Response
}

/** Routes where external systems post events. A 202 response means that the event is stored; runs start later. */
export function ingestAddresses<E extends Env>(
  parts: IngestParts,
  { incomingOf, refusal }: IngestHandlers<E>,
): Hono<E> {
  const app = new Hono<E>()
  const admission = new Admission()

  app.post(PATH, async (context) => {
    const asked = {
      id: context.req.param('id')!,
      capability: context.req.param('capability')!,
      ...incomingOf(context),
    }
    try {
      await admission.require(parts, asked)
      await takeEvent(parts, asked)
      return context.json({ received: true }, 202, { 'Cache-Control': 'no-store' })
    } catch (error) {
      if (error instanceof ApiError) return refusal(error)
      throw error
    }
  })
  app.all(PATH, ({ req }) => refusal(methodNotAllowed(req.method, req.path, ['POST'])))
  return app
}

export type IngestParts = Pick<PageParts, 'pipeline' | 'services' | 'database' | 'bodies'>

interface IngestRequest {
  id: string
  /** The secret in the URL, which authorizes the request. */
  capability: string
  request: Request
  address: string
  header: HeaderOf
}

interface EventReceiver {
  caller: ProviderCaller
  provider: PushedProvider
  config: SourceConfig
}

/** Stores an event durably. Throws `resource_missing`, or `authentication_required` for a missing or wrong signature. */
async function takeEvent(parts: IngestParts, asked: IngestRequest): Promise<void> {
  const receiver = await receiverOf(parts, asked.id)
  const { request, header } = asked
  const body = { request, header, accountId: receiver.caller.accountId, limitBytes: LIMIT_BYTES }
  await parts.bodies.read(body, async (bytes) => {
    const received = readDelivery(receiver, { body: bytes, json: jsonOf(bytes, asked), header, receivedMs: Date.now() })
    await parts.pipeline.visits.actAsOutsider(receiver.caller, runEvents(parts.services), (context) =>
      receiveEvent(context, asked.id, received),
    )
  })
}

async function receiverOf({ database, pipeline, services }: IngestParts, id: string): Promise<EventReceiver> {
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

function readDelivery({ provider, config }: EventReceiver, delivery: Delivery) {
  try {
    return provider.receive(delivery, config)
  } catch (error) {
    if (error instanceof NotGenuineError) throw new ApiError('authentication_required', error.message)
    throw error
  }
}
