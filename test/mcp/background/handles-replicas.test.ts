import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { listen } from '../../../src/http/listen.ts'
import { createToken } from '../../../src/resources/dashboard/api-token/issue.ts'
import { readSettings } from '../../../src/settings/config.ts'
import { freshDirectory, freshPostgresUrl, testServerUrl } from '../../database/engines.ts'
import { type RunningApp, SECRET_KEY, startApp } from '../../support/app.ts'
import { CACHE_DIR } from '../../support/cache.ts'
import type { Body } from '../../support/shop.ts'
import { askModern, TASKS } from '../modern.ts'

/** One more server on a database that has an account already. */
async function anotherServer(databaseUrl: string) {
  const { directory, remove } = await freshDirectory()
  const listening = await listen('127.0.0.1', 0)
  const url = `http://127.0.0.1:${listening.port}`
  const environment = {
    ...{ DATA_DIR: directory, CACHE_DIR, DATABASE_URL: databaseUrl, SECRET_KEY, DEMO_DATA: 'none' },
    ...{ SANDBOX_WORKERS: '1', RATE_LIMIT_PER_MINUTE: '10000000', RATE_LIMIT_BURST: '10000000' },
  }
  const app = await createApp(readSettings(environment), url, { info() {}, warn() {}, error() {} })
  listening.serve(app.fetch)
  const close = async () => {
    await listening.stop()
    await app.close()
    await remove()
  }
  return { url, close }
}

const DECLARED = { extensions: { [TASKS]: {} } }

describe.skipIf(!testServerUrl)('Handles on two servers over one database', () => {
  let first: RunningApp
  let urls: [string, string]
  let undo: (() => Promise<void>)[]
  let tokens: { write: string; propose: string; stranger: string }
  beforeAll(async () => {
    const database = await freshPostgresUrl()
    first = await startApp({ settings: { DATABASE_URL: database.url } })
    const second = await anotherServer(database.url)
    urls = [first.url, second.url]
    undo = [second.close, () => first.close(), database.remove]
    const made = async (right: 'write' | 'propose') =>
      (await createToken(first.app.database, SECRET_KEY, first.app.firstAccount!, { name: right, right })).value
    const stranger = (await first.another('stranger')).token
    tokens = { write: await made('write'), propose: await made('propose'), stranger }
  })
  afterAll(async () => {
    for (const step of undo) await step()
  })

  const ask = async (at: 0 | 1, token: string, method: string, params: Record<string, unknown>): Promise<Body> =>
    (await askModern({ url: urls[at], token }, method, params, DECLARED)).body
  const call = async (at: 0 | 1, token: string, code: string): Promise<Body> =>
    (await ask(at, token, 'tools/call', { name: 'code_execute', arguments: { code } })).result
  const ended = async (at: 0 | 1, token: string, taskId: string): Promise<Body> => {
    for (let tries = 0; tries < 400; tries++) {
      const { result } = await ask(at, token, 'tasks/get', { taskId })
      if (result.status !== 'working') return result
      await delay(50)
    }
    throw new Error(`${taskId} is still at work`)
  }
  /** In several programs, each far within its deadline. */
  const tagged = async (word: string, count: number) => {
    for (let from = 0; from < count; from += 20) {
      const made = `(${from}...${Math.min(from + 20, count)}).each { |i| post("/tags", name: "${word} #{i}") }; nil`
      expect((await call(0, tokens.write, made)).isError).not.toBe(true)
    }
  }
  const over = (word: string) => `# background: true
each_batch(list("/tags", query: "${word}"), of: 1) { |rows| patch("/tags/#{rows[0]["id"]}", name: rows[0]["name"] + "!"); 1 }`

  it('are answered by the server that did not make them', async () => {
    await tagged('begun', 20)
    const { taskId } = await call(0, tokens.write, over('begun'))
    expect(taskId).toMatch(/^bg_/)
    const handle = await ended(1, tokens.write, taskId)
    expect(handle).toMatchObject({ taskId, status: 'completed' })
    expect(handle.result.structuredContent.result).toMatchObject({ done: 20, sum: 20 })
    expect((await ended(0, tokens.write, taskId)).result).toEqual(handle.result)
    await tagged('planned', 5)
    const made = await call(0, tokens.propose, over('planned'))
    const caller = { kind: 'session', sessionId: 'session_1', role: 'owner', ...first.app.firstAccount! } as const
    expect((await first.app.mcp.execute(caller, `# apply: ${made.taskId}`)).isError).toBe(false)
    expect((await ended(0, tokens.propose, made.taskId)).result.structuredContent).toMatchObject({
      plan: made.taskId,
      result: { done: 5 },
    })
  })

  it('are canceled there as well', async () => {
    await tagged('canceled', 200)
    const { taskId } = await call(0, tokens.write, over('canceled'))
    expect((await ask(1, tokens.write, 'tasks/cancel', { taskId })).error).toBeUndefined()
    expect((await ended(0, tokens.write, taskId)).status).toBe('cancelled')
    const { taskId: plan } = await call(1, tokens.propose, 'post("/tags", name: "never")["id"]')
    await ask(0, tokens.propose, 'tasks/cancel', { taskId: plan })
    expect((await ended(1, tokens.propose, plan)).status).toBe('cancelled')
  })

  it('stay canceled when another server goes on with the program, which does each row once', async () => {
    await tagged('resumed', 60)
    const { taskId } = await call(0, tokens.write, over('resumed'))
    await ask(1, tokens.write, 'tasks/cancel', { taskId })
    const stopped = await ended(0, tokens.write, taskId)
    expect(stopped.status).toBe('cancelled')
    const resumed = await call(1, tokens.write, `# resume: ${taskId}`)
    expect(resumed.structuredContent.result.state).toBe('queued')
    const progress = async (at: 0 | 1) => (await call(at, tokens.write, `# status: ${taskId}`)).structuredContent.result
    await expect.poll(() => progress(0), { timeout: 30_000 }).toMatchObject({ state: 'done', done: 60, sum: 60 })
    expect(await progress(1)).toEqual(await progress(0))
    // The program is kept longer once it has ended, and only that changes.
    for (const at of [0, 1] as const)
      expect({ ...(await ended(at, tokens.write, taskId)), ttlMs: stopped.ttlMs }).toEqual(stopped)
    const names = await call(
      1,
      tokens.write,
      'list("/tags", query: "resumed").count { |tag| tag["name"].count("!") == 1 }',
    )
    expect(names.structuredContent.result).toBe(60)
  })

  it('are unknown to other tokens and accounts on each', async () => {
    await tagged('foreign', 200)
    const { taskId } = await call(0, tokens.write, over('foreign'))
    const { taskId: plan } = await call(0, tokens.propose, 'post("/tags", name: "private")["id"]')
    const unknown = await ask(1, tokens.write, 'tasks/get', { taskId: 'bg_01k9z6v8q2f3x7c5m1n4b0r8ta' })
    for (const at of [0, 1] as const)
      for (const method of ['tasks/get', 'tasks/cancel'])
        for (const [id, token] of [
          [taskId, tokens.propose],
          [taskId, tokens.stranger],
          [plan, tokens.write],
          [plan, tokens.stranger],
        ] as const) {
          const { code, message } = (await ask(at, token, method, { taskId: id })).error
          expect({ code, message: message.replace(id, '') }).toEqual({
            code: unknown.error.code,
            message: unknown.error.message.replace(/bg_\w+/, ''),
          })
        }
    expect((await ask(1, tokens.write, 'tasks/get', { taskId })).result.status).toBe('working')
    await ask(1, tokens.write, 'tasks/cancel', { taskId })
  })
})
