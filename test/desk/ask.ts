import type { SessionCaller } from '../../src/contract/caller.ts'
import type { Body, Shop } from '../support/shop.ts'

/** What an operation of the desk answers to the owner of a shop's account. */
export async function askDesk(shop: Shop, path: string, query: Record<string, unknown>): Promise<Body> {
  const { accountId } = shop
  const { user_id: userId } = await shop.db
    .selectFrom('memberships')
    .select('user_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const caller: SessionCaller = { kind: 'session', sessionId: 'session_test', accountId, userId, role: 'owner' }
  const request = { method: 'GET', path, query, body: undefined, caller, desk: true }
  const { status, body } = await shop.running.app.pipeline.runUnmetered(request)
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body
}
