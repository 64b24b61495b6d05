import { newId } from '../contract/values/ids.ts'
import { cut, timestampOf } from '../contract/values/values.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Unit } from '../database/database.ts'
import type { WebhookAttemptRow } from '../database/log-tables.ts'
import type { Tables } from '../resources/tables.ts'
import type { Delivery } from './queue.ts'
import type { AttemptResult } from './sender.ts'

/** A delivery without its body, which may be large. */
export type Sent = Omit<Delivery, 'payload'>

/** An attempt that was made. */
export interface Attempted {
  delivery: Sent
  result: AttemptResult
  /** When it ended, in milliseconds since 1970. */
  endedMs: number
}

/** Characters that are kept of the answer to each attempt; the delivery itself keeps more of the last one. */
const KEPT_CHARACTERS = 500

/** Keeps what came of attempts, a row for each. */
export async function keepAttempts(db: Unit<Tables>['db'], attempted: Attempted[]): Promise<void> {
  for (const one of attempted) await insertOne(db, 'webhook_attempts', { ...rowOf(one) })
}

function rowOf({ delivery, result, endedMs }: Attempted): WebhookAttemptRow {
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
