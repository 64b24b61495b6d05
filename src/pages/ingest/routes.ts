import { type Context, type Env, Hono } from 'hono'
import { ApiError, methodNotAllowed } from '../../contract/declarations/errors.ts'
import { Admission } from './admission.ts'
import type { IngestParts, IngestRequest } from './parts.ts'
import { takeEvent } from './take.ts'

const PATH = '/ingest/:id/:capability'

interface Answers<E extends Env> {
  /** Whose request it is. */
  incomingOf(context: Context<E>): Pick<IngestRequest, 'request' | 'address' | 'header'>
  /** An error of the contract as an answer. */
  refusal(error: ApiError): Response
}

/** The addresses where outside systems post events. 202: the event is kept, and what it starts comes later. */
export function ingestAddresses<E extends Env>(parts: IngestParts, { incomingOf, refusal }: Answers<E>): Hono<E> {
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
