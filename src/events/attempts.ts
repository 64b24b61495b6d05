import { newId } from '../contract/values/ids.ts'
import { cut, timestampOf } from '../contract/values/values.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Transaction } from '../database/database.ts'
import type { WebhookAttemptRow } from '../database/log-tables.ts'
import type { Tables } from '../resources/tables.ts'
import type { Delivery } from './queue.ts'
import type { AttemptResult } from './sender.ts'

/** The body is left out because it may be large. */
export type SentDelivery = Omit<Delivery, 'payload'>

export interface CompletedAttempt {
  delivery: SentDelivery
  result: AttemptResult
  /** In Unix milliseconds. */
  endedMs: number
}

/** The number of characters of each response that are stored with the attempt. The delivery stores more of the last response. */
const KEPT_CHARACTERS = 500

export async function keepAttempts(db: Transaction<Tables>['db'], attempted: CompletedAttempt[]): Promise<void> {
  for (const one of attempted) await insertOne(db, 'webhook_attempts', { ...rowOf(one) })
}

function rowOf({ delivery, result, endedMs }: CompletedAttempt): WebhookAttemptRow {
  const { status, error, body, durationMs } = result
  return {
    account_id: delivery.accountId,
    id: newId('whatt'),
    webhook_event: delivery.id,
    number: delivery.attempts + 1,
    response_status: status,
    error_message: error,
    duration_ms: durationMs,
    created_at: timestampOf(new Date(endedMs - durationMs)),
    response_body: body === null ? null : cut(body, KEPT_CHARACTERS),
  }
}
