import { text } from '../../../contract/declarations/kinds.ts'
import { jsonTypeOf } from '../../../contract/values/json.ts'
import { type Delivery, NotGenuineError, type PushedProvider } from '../provider.ts'
import { signatureProblem } from './signature.ts'

const EVENT = 'received'
const MIN_SECRET = 16
const MAX_SECRET = 200

/** Events that outside systems post. */
export const webhook: PushedProvider = {
  kind: 'pushed',
  provider: 'webhook',
  name: 'Webhook',
  description:
    'An event for each JSON body, up to 256 KB, that an external system posts to the source’s ingest_url. The URL is secret. A request that repeats the webhook-id or Idempotency-Key of an earlier one within 4 days is ignored.',
  eventTypes: [
    {
      name: EVENT,
      description: 'A JSON body was posted. Its data is that body, or {body} if it is not an object.',
    },
  ],
  config: {
    secret: text(
      'Secret that senders sign with: Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature) or X-Hub-Signature-256; unsigned requests are then refused',
      { min: MIN_SECRET, max: MAX_SECRET, verbatim: true, example: null },
    )
      .nullable('requests need no signature')
      .inputOnly(),
  },
  receive(delivery, { secret }) {
    const problem = typeof secret === 'string' ? signatureProblem(delivery, secret) : null
    if (problem !== null) throw new NotGenuineError(problem)
    return { event: { type: EVENT, data: objectOf(delivery.json) }, id: idOf(delivery) }
  },
}

function objectOf(json: unknown): Record<string, unknown> {
  return jsonTypeOf(json) === 'object' ? (json as Record<string, unknown>) : { body: json }
}

function idOf({ header }: Delivery): string | null {
  return header('webhook-id') ?? header('idempotency-key')
}
