import { setTimeout as delay } from 'node:timers/promises'
import type { TokenRight } from '../../src/contract/declarations/caller.ts'
import { newId } from '../../src/contract/values/ids.ts'
import { timestampOf } from '../../src/contract/values/values.ts'
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

/** Runs of a task that have been done at `now`, which is the moment by default. */
export async function manyRuns(shop: Shop, task: Body, count: number, now = timestampOf(new Date())): Promise<void> {
  const figures = { input_tokens: 0, output_tokens: 0, credits_consumed: 0, tool_calls_count: 0, duration_ms: 1 }
  const blank = { question: null, input: null, summary: null, error_message: null, event: null, plan: null, kept: 0 }
  const nobody = { limits: '[]', approvers: '[]' }
  const times = { started_at: now, completed_at: now, created_at: now, updated_at: now }
  const of = { account_id: shop.accountId, task_id: task.id, task: task.id, task_name: task.name, chain: '[]' }
  const run = { ...of, ...figures, ...blank, ...nobody, ...times, status: 'completed' as const, runner_job: null }
  const rows = Array.from({ length: count }, () => ({ ...run, id: newId('atrun') }))
  await shop.running.app.database.transaction(async ({ db }) => {
    while (rows.length > 0) await db.insertInto('task_runs').values(rows.splice(0, 500)).execute()
  })
}
