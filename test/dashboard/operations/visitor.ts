import type { AccountUser, Role, TokenRight } from '../../../src/contract/declarations/caller.ts'
import { addMember } from '../../../src/resources/company/account/life/members.ts'
import { createToken } from '../../../src/resources/dashboard/api-token/issue.ts'
import { SECRET_KEY } from '../../support/app.ts'
import type { Body, Shop } from '../../support/shop.ts'

/** What pages of the dashboard do for a person: operations of the dashboard. */
export function dashboardOf({ running }: Shop, { accountId, userId }: AccountUser, role: Role = 'owner') {
  const { pipeline } = running.app
  const caller = { kind: 'session', sessionId: `session_${userId}`, accountId, userId, role } as const
  return async (method: string, path: string, { query = {}, body }: { query?: object; body?: unknown } = {}) => {
    const answer = await pipeline.run({ method, path, query: { ...query }, body, caller, dashboard: true })
    return { status: answer.status, body: answer.body as Body }
  }
}

export type Dashboard = ReturnType<typeof dashboardOf>

export function ownerOf({ running }: Shop): AccountUser {
  const { accountId, userId } = running.app.firstAccount!
  return { accountId, userId }
}

export function member({ running }: Shop, role: Role, email: string): Promise<AccountUser> {
  return addMember(running.app.database, running.accountId, { name: email.split('@')[0]!, email, role })
}

/** A token of a person, with a right. */
export async function tokenOf(
  { running }: Shop,
  owner: AccountUser,
  right: TokenRight,
  name = 'My agent',
): Promise<string> {
  return (await createToken(running.app.database, SECRET_KEY, owner, { name, right })).value
}

let lastId = 0

/** A program that an agent runs with a token, by the endpoint. */
export async function agentRuns({ running }: Shop, token: string, code: string, tool = 'code_execute'): Promise<Body> {
  const params = { name: tool, arguments: { code } }
  const message = { jsonrpc: '2.0', id: ++lastId, method: 'tools/call', params }
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${running.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })
  return ((await response.json()) as Body).result.structuredContent
}
