import type { Role, SessionCaller } from '../../src/contract/declarations/caller.ts'
import type { Read } from '../../src/pages/dashboard/kit/call.ts'
import { readerFor } from '../../src/pages/dashboard/kit/visits.ts'
import { addMember, findMember } from '../../src/resources/company/account/life/members.ts'
import type { Body, Shop } from './shop.ts'

let made = 0

/** A signed-in person for whom pages of the dashboard call operations. */
export interface DashboardUser {
  caller: SessionCaller
  /** Returns `[status, body]`. */
  try(method: string, path: string, body?: unknown, query?: Record<string, unknown>): Promise<[number, Body]>
  /** Returns the body of a successful response. */
  get(path: string, query?: Record<string, unknown>): Promise<Body>
  /** Reads what only pages show. */
  read: Read
  post(path: string, body?: unknown): Promise<Body>
  delete(path: string): Promise<Body>
}

/** The owner of a shop's account. */
export async function ownerOf(shop: Shop): Promise<DashboardUser> {
  const memberships = shop.db.selectFrom('memberships').select(['user_id', 'role'])
  const { user_id } = await memberships
    .where('account_id', '=', shop.accountId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return personIn(shop, user_id)
}

/** A new person in a shop's account. */
export async function memberOf(shop: Shop, role: Role): Promise<DashboardUser> {
  const email = `${role}-${++made}@example.com`
  const { userId } = await addMember(shop.running.app.database, shop.accountId, { name: `A ${role}`, email, role })
  return personIn(shop, userId)
}

async function personIn(shop: Shop, userId: string): Promise<DashboardUser> {
  const { accountId } = shop
  const { role } = (await findMember(shop.running.app.database, { accountId, userId }))!
  return dashboardUser(shop, { kind: 'session', sessionId: `session-${userId}`, accountId, userId, role })
}

function dashboardUser(shop: Shop, caller: SessionCaller): DashboardUser {
  const { pipeline } = shop.running.app
  const attempt: DashboardUser['try'] = async (method, path, body, query = {}) => {
    const answer = await pipeline.run({ method, path, query, body, caller, dashboard: true })
    return [answer.status, answer.body]
  }
  const done: DashboardUser['try'] = async (method, path, body, query) => {
    const [status, answer] = await attempt(method, path, body, query)
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`)
    return [status, answer]
  }
  return {
    caller,
    try: attempt,
    get: async (path, query) => (await done('GET', path, undefined, query))[1],
    read: readerFor(shop.running.app, caller),
    post: async (path, body = {}) => (await done('POST', path, body))[1],
    delete: async (path) => (await done('DELETE', path))[1],
  }
}
