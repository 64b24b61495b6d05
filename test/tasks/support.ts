import { setTimeout as delay } from 'node:timers/promises'
import type { TokenRight } from '../../src/contract/declarations/caller.ts'
import { findOwner } from '../../src/resources/company/account/life/members.ts'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { SECRET_KEY } from '../support/app.ts'
import type { Body, Shop } from '../support/shop.ts'

const OPEN = ['pending', 'running']

/** The run once it is neither pending nor running. */
export async function ended(shop: Shop, run: string): Promise<Body> {
  for (;;) {
    const found = await shop.get(`/task_runs/${run}`)
    if (!OPEN.includes(found.status)) return found
    await delay(20)
  }
}

/** Runs a program as a task that is done by hand, and gives its run at its end. */
export async function runOf(shop: Shop, program: string, values: object = {}): Promise<Body> {
  const task = await shop.post('/tasks', { name: 'Program', prompt: `# ruby\n${program}`, ...values })
  return ended(shop, task.last_run)
}

/** The runs of a task, the oldest first, once `count` have ended. */
export async function runsOf(shop: Shop, task: string, count: number): Promise<Body[]> {
  for (;;) {
    const { data } = await shop.get(`/task_runs?ai_task_id=${task}&limit=100`)
    if (data.filter((run: Body) => !OPEN.includes(run.status)).length >= count) return data.reverse()
    await delay(20)
  }
}

/** The person whom the first account belongs to. */
export async function owner({ running }: Shop) {
  return (await findOwner(running.app.database))!
}

/** A further token of that person, and the shop as its holder sees it. */
export async function withToken(shop: Shop, right: TokenRight = 'write'): Promise<{ id: string; shop: Shop }> {
  const { database } = shop.running.app
  const { id, value } = await createToken(database, SECRET_KEY, await owner(shop), { name: 'Another', right })
  return { id, shop: shop.as({ token: value, accountId: shop.accountId }) }
}

/** Runs a program of code_execute as that person. */
export async function execute(shop: Shop, program: string): Promise<Body> {
  const caller = { kind: 'session', sessionId: 'tests', ...(await owner(shop)) } as const
  return (await shop.running.app.mcp.execute(caller, program)).body
}
