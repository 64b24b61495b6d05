import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenRight } from '../../../src/contract/declarations/caller.ts'
import { agentRuns, type Dashboard, dashboardOf, ownerOf, tokenOf } from '../../dashboard/operations/visitor.ts'
import { type Body, onEachEngine } from '../../support/shop.ts'
import { askModern, TASKS } from '../modern.ts'
import { AT_ONCE } from './shop.ts'

const DECLARED = { extensions: { [TASKS]: {} } }

describe('The handle of a background program', () => {
  onEachEngine(
    (shop) => {
      let dashboard: Dashboard
      beforeAll(() => {
        dashboard = dashboardOf(shop, ownerOf(shop))
      })
      const token = (right: TokenRight) => tokenOf(shop, ownerOf(shop), right)
      const ask = (method: string, params: Record<string, unknown>, by = shop.running.token, sent: object = DECLARED) =>
        askModern({ url: shop.running.url, token: by }, method, params, sent)
      const call = async (code: string, by = shop.running.token, sent: object = DECLARED): Promise<Body> =>
        (await ask('tools/call', { name: 'code_execute', arguments: { code } }, by, sent)).body.result
      const get = async (taskId: string, by = shop.running.token): Promise<Body> =>
        (await ask('tasks/get', { taskId }, by)).body.result
      const ended = async (taskId: string, by = shop.running.token): Promise<Body> => {
        for (let tries = 0; tries < 400; tries++) {
          const handle = await get(taskId, by)
          if (handle.status !== 'working') return handle
          await delay(50)
        }
        throw new Error(`${taskId} is still at work`)
      }
      const saying = async (taskId: string, words: RegExp, by: string): Promise<Body> => {
        for (let tries = 0; tries < 400; tries++) {
          const handle = await get(taskId, by)
          if (words.test(handle.statusMessage)) return handle
          await delay(50)
        }
        throw new Error(`${taskId} never said ${words}`)
      }
      const tagged = async (word: string, count: number) => {
        for (let from = 0; from < count; from += AT_ONCE) {
          const each = `post("/tags", name: "${word} #{(i + ${from}).to_s.rjust(3, "0")}")`
          const { isError } = await call(`${Math.min(AT_ONCE, count - from)}.times { |i| ${each} }; nil`)
          expect(isError).toBeFalsy()
        }
      }
      const over = (word: string, of: number, block: string) =>
        `# background: true\neach_batch(list("/tags", query: "${word}"), of: ${of}) { |rows| ${block} }`
      const rename = 'rows.each { |row| patch("/tags/#{row["id"]}", name: row["name"] + "!") }; rows.size'

      it('says how far it is, and ends with what came of all batches', async () => {
        await tagged('summed', 60)
        const made = await call(over('summed', 5, rename))
        expect(made).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: 5000 })
        expect(made.taskId).toMatch(/^bg_/)
        expect(made.statusMessage).toMatch(/^\d+ of 60 rows done\./)
        const handle = await ended(made.taskId)
        expect(handle).toMatchObject({ status: 'completed', statusMessage: '60 of 60 rows done.' })
        expect(Math.round(handle.ttlMs / 86_400_000)).toBe(30)
        const changed = { 'tag.updated': 60 }
        const result = { background: made.taskId, state: 'done', done: 60, batches: 12, changed, sum: 60 }
        expect(handle.result).toMatchObject({
          resultType: 'complete',
          structuredContent: { committed: 'all', changed, result },
        })
        expect(handle.result).not.toHaveProperty('isError')
      })

      it('stops it when it is canceled, and stays canceled where it goes on later', async () => {
        await tagged('halted', 200)
        const { taskId } = await call(over('halted', 1, rename))
        for (let time = 0; time < 2; time++)
          expect((await ask('tasks/cancel', { taskId })).body.result).toMatchObject({ resultType: 'complete' })
        const stopped = await get(taskId)
        expect(stopped).toMatchObject({ taskId, status: 'cancelled' })
        expect(stopped.statusMessage).toMatch(/^It was stopped\. \d+ of 200 rows done\./)
        const { structuredContent } = await call(`# status: ${taskId}`)
        expect(structuredContent.result.state).toBe('stopped')
        expect((await call(`# resume: ${taskId}`)).structuredContent.result.state).toBe('queued')
        const { status, statusMessage } = await get(taskId)
        expect({ status, statusMessage }).toEqual({ status: 'cancelled', statusMessage: stopped.statusMessage })
        // Cancelling the resumed program through its old task is too late.
        await ask('tasks/cancel', { taskId })
        expect((await call(`# status: ${taskId}`)).structuredContent.result.state).not.toBe('stopped')
        await call(`# stop: ${taskId}`)
      })

      it('ends with the error where a batch failed', async () => {
        await tagged('failing', 6)
        const block =
          'raise "no more" if rows[0]["name"] == "failing 005" || rows[-1]["name"] == "failing 005"; rows.size'
        const { taskId } = await call(over('failing', 2, block))
        const handle = await ended(taskId)
        expect(handle).toMatchObject({ status: 'completed', result: { isError: true } })
        expect(handle.statusMessage).toBe('It failed. 4 of 6 rows done.')
        const { error, committed, result } = handle.result.structuredContent
        expect([error.type, committed, result.state, result.done]).toEqual(['ruby_error', 'partial', 'failed', 4])
        expect(error.message).toContain('no more')
      })

      it('is not made where the call is over, or has something to say at once', async () => {
        await tagged('short', 3)
        const whole = await call(over('short', 5, rename))
        expect(whole).toMatchObject({
          resultType: 'complete',
          structuredContent: { result: { state: 'done', done: 3 } },
        })
        const dry = await call(`# dry_run: true\n${over('short', 1, rename)}`)
        expect(dry).toMatchObject({ resultType: 'complete', structuredContent: { result: { rows: 3, batches: 3 } } })
        const warned = await call(over('short', 1, 'post("/tags", name: "odd #{rand}", wrong: 1); rows.size'))
        expect(warned.structuredContent.warnings.join()).toContain('wrong')
        expect(warned.structuredContent.result.background).toMatch(/^bg_/)
        expect((await call(over('short', 1, 'nowhere()'))).structuredContent.error.type).toBe('ruby_error')
      })

      it('is given for a plan that goes on, to the token that applies its own', async () => {
        await tagged('applied', 9)
        const { plan } = (await call(`# dry_run: true\n${over('applied', 3, rename)}`)).structuredContent
        const made = await call(`# apply: ${plan}`)
        expect(made).toMatchObject({ resultType: 'task', taskId: expect.stringMatching(/^bg_/) })
        const { structuredContent } = (await ended(made.taskId)).result
        expect(structuredContent).toMatchObject({ committed: 'all', result: { plan, done: 9 } })
      })

      it('is that of the plan for a token that proposes, until all batches are done', async () => {
        const proposing = await token('propose')
        await tagged('decided', 6)
        const source = await shop.post('/event_sources', {
          name: 'Pushed',
          provider: 'webhook',
          event_type: 'received',
        })
        // Even after approval, no batch may show the token data that it is not allowed to read.
        const block = `rows.each { |row| patch("/tags/#{row["id"]}", name: row["name"] + "!") }
  post("/customers", email: "#{rows[0]["id"]}@example.com") if rows[-1]["name"].include?("005")
  get("/event_sources/${source.id}")["ingest_url"].inspect`
        const { taskId } = await call(over('decided', 2, block), proposing)
        expect(taskId).toMatch(/^plan_/)
        const applied = await dashboard('POST', `/plans/${taskId}/apply`, { body: { note: 'Go on.' } })
        expect(applied.body.failed).toBe(false)
        const waiting = await saying(taskId, /Waiting/, proposing)
        expect(waiting.status).toBe('working')
        const [, path = '', id = ''] = /POST \/customers: \S+(\/background_programs\/(bg_\w+))$/.exec(
          waiting.statusMessage,
        )!
        expect((await dashboard('POST', `${path}/resume`)).body.state).toBe('queued')
        const { status, result } = await ended(taskId, proposing)
        expect(status).toBe('completed')
        expect(result.structuredContent).toMatchObject({ plan: taskId, note: 'Go on.', committed: 'all' })
        expect(result.structuredContent.result).toMatchObject({ background: id, done: 6, last_value: 'nil' })
        expect(result.structuredContent.changed).toEqual({ 'tag.updated': 6, 'customer.created': 1 })
      })

      it('stops what its plan has begun when it is canceled', async () => {
        const proposing = await token('propose')
        await tagged('revoked', 100)
        const { taskId } = await call(over('revoked', 1, rename), proposing)
        await dashboard('POST', `/plans/${taskId}/apply`)
        await ask('tasks/cancel', { taskId }, proposing)
        const { status, statusMessage } = await get(taskId, proposing)
        expect(status).toBe('cancelled')
        expect(statusMessage).toMatch(/of 100 rows done/)
      })

      it('belongs to the token that began the program', async () => {
        await tagged('private', 3)
        const own = await token('write')
        const { taskId } = await call(over('private', 1, 'rows.size'), own)
        const another = await shop.running.another('elsewhere')
        for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
          for (const other of [shop.running.token, await token('propose'), another.token]) {
            const foreign = (await ask(method, { taskId, inputResponses: {} }, other)).body.error
            const unknown = (await ask(method, { taskId: 'bg_01k9z6v8q2f3x7c5m1n4b0r8ta', inputResponses: {} }, other))
              .body.error
            expect([foreign.code, unknown.code]).toEqual([-32602, -32602])
            expect(foreign.message.replace(taskId, '')).toBe(unknown.message.replace(/bg_\w+/, ''))
          }
        expect((await ended(taskId, own)).status).toBe('completed')
        // A background program of a plan has no handle before the plan is applied.
        const { plan } = (await call(`# dry_run: true\n${over('private', 1, rename)}`, own)).structuredContent
        const planned = shop.db.selectFrom('background_programs').select('id').where('plan', '=', plan)
        const { id } = await planned.executeTakeFirstOrThrow()
        expect((await ask('tasks/get', { taskId: id }, own)).body.error.code).toBe(-32602)
      })

      it('changes nothing for clients that do not declare the extension', async () => {
        await tagged('plain', 4)
        const code = over('plain', 2, 'rows.size')
        const masked = (value: object) => JSON.stringify(value).replaceAll(/bg_\w{26}|\d{4}-\d\d-\d\dT[\d:]+Z/g, '')
        const plain = await call(code, shop.running.token, {})
        const other = await call(code, shop.running.token, { extensions: { 'com.example/other': {} } })
        expect(masked(other)).toBe(masked(plain))
        const { background, started_at } = plain.structuredContent.result
        expect(plain.structuredContent).toEqual({
          result: {
            ...{ background, state: 'running', rows: 4, done: 2, batches: 1, batches_left: 1, changed: {} },
            ...{ last_value: 2, sum: 2, started_at },
          },
        })
        const old = await agentRuns(shop, shop.running.token, code)
        expect(masked(old)).toBe(masked(plain.structuredContent))
      })
    },
    { SANDBOX_WORKERS: '2' },
  )
})
