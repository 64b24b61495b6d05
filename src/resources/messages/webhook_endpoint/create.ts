import { sql } from 'kysely'
import { invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { insertOne } from '../../../database/compile-once.ts'
import { API_VERSION } from '../../../events/message.ts'
import { newSigningSecret, SECRET_PURPOSE } from '../../../events/signing.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { checkForm } from './address.ts'
import { settleEvents } from './enabled_events.ts'
import { WebhookEndpoint, type WebhookEndpointRow } from './webhook_endpoint.ts'

/** The most endpoints of one account. */
const MOST_ENDPOINTS = 20

/** The row carries the secret, which only this answer shows. */
export async function createEndpoint(
  context: Context,
  input: CreateInput<typeof WebhookEndpoint>,
): Promise<WebhookEndpointRow> {
  checkForm(context, input.url)
  const enabled_events = settleEvents(context, input.enabled_events)
  await requireRoom(context)
  const secret = newSigningSecret()
  const sealed_secret = context.services.vault.seal(SECRET_PURPOSE, secret)
  const sealed = { sealed_secret, api_version: API_VERSION }
  const endpoint = await insertRow(context, WebhookEndpoint, { ...input, ...sealed, enabled_events })
  await insertOne(context.db, 'webhook_queues', {
    account_id: context.accountId,
    endpoint_id: endpoint.id,
    last_delivery_at: null,
    failure_count: 0,
    failing_since: null,
    holder: null,
    leased_until: 0,
  })
  const shown = Object.assign(endpoint, { secret })
  context.emit(WebhookEndpoint, 'created', shown)
  return shown
}

async function requireRoom(context: Context): Promise<void> {
  const { count } = await rowsOf(context, 'webhook_endpoints')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_ENDPOINTS)
    throw invalid({ base: [`An account has at most ${MOST_ENDPOINTS} webhook endpoints; delete one first`] })
}
