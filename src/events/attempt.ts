import type { DeliveryRecord } from '../monitoring/records.ts'
import type { Vault } from '../records/services.ts'
import type { EndpointQueue } from './endpoint-queue.ts'
import type { Delivery } from './queue.ts'
import type { AttemptResult, WebhookSender } from './sender.ts'
import { SECRET_PURPOSE } from './signing.ts'

interface AttemptParts {
  sender: WebhookSender
  vault: Vault
}

/** Sends a webhook delivery, signed with the secret of its endpoint. Never rejects. */
export async function attempt(
  { sender, vault }: AttemptParts,
  queue: EndpointQueue,
  { id, type, attempts, payload }: Delivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { url, sealedSecret } = queue.endpoint
  try {
    queue.secret ??= vault.open(SECRET_PURPOSE, sealedSecret)
  } catch {
    return UNREADABLE_SECRET
  }
  return sender.send({ url, secret: queue.secret, id, type, number: attempts + 1, body: payload, signal })
}

const UNREADABLE_SECRET: AttemptResult = {
  delivered: false,
  status: null,
  body: null,
  error: 'The signing secret of the endpoint cannot be read any more. Delete the endpoint, and create it again.',
  retryAfterMs: 0,
  durationMs: 0,
}

export function recordOf(delivery: Delivery, result: AttemptResult, beganMs: number): DeliveryRecord {
  const { id: deliveryId, endpointId, accountId, attempts, dueMs } = delivery
  const { delivered, status, durationMs } = result
  const outcome = delivered ? 'delivered' : 'failed'
  return {
    deliveryId,
    endpointId,
    accountId,
    attempt: attempts + 1,
    outcome,
    status,
    durationMs,
    lagMs: beganMs - dueMs,
  }
}
