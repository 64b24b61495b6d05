import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelSettings } from '../../../src/resources/dashboard/model-settings/settings.ts'
import { callTool } from '../../mcp/agent.ts'
import { ownerOf } from '../../support/dashboard.ts'
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts'
import { type Body, Shop } from '../../support/shop.ts'

const PAGE = `index.html
<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Paper</title></head>
<body><main><h1>Paper</h1></main></body></html>`
const writing: Script = ({ results }) =>
  results.length === 0 ? { call: 'write_file', with: { file: PAGE } } : { say: 'Done.' }

describe('What a model may take for a site', () => {
  const shop = new Shop()
  let service: ModelServer
  let own: ModelServer
  beforeAll(async () => {
    service = await startModelServer()
    own = await startModelServer()
    await shop.open('sqlite', {
      ...{ MODEL_PROVIDER: 'anthropic', MODEL_ID: 'of-the-service', MODEL_API_KEY: service.key },
      ...{ MODEL_BASE_URL: service.url, MODEL_TOKENS_PER_CREDIT: '150', OUTSIDE_ALLOW_LOOPBACK: 'true' },
    })
  })
  afterAll(async () => {
    await shop.close()
    await own.close()
    await service.close()
  })
  beforeEach(() => {
    own.turns.length = 0
    service.turns.length = 0
    own.script = writing
    service.script = writing
  })

  let made = 0
  async function built(): Promise<{ site: Body; run: Body }> {
    const { id } = await shop.post('/sites', { prompt: 'Paper.', subdomain: `allowed-${++made}` })
    await shop.settled()
    const site = await shop.get(`/sites/${id}`)
    const [run] = (await shop.get(`/task_runs?ai_task_id=${site.build_task_id}`)).data
    return { site, run }
  }
  const balance = async (): Promise<number> => (await shop.get('/account')).credit_balance
  const setBalance = (credit_balance: number) =>
    shop.running.app.database.transaction(({ db }) => db.updateTable('accounts').set({ credit_balance }).execute())

  it('costs credits for the tokens of the service’s model', async () => {
    const { site, run } = await built()
    expect([site.build_status, run.error_message]).toEqual(['live', null])
    expect(run).toMatchObject({ input_tokens: 200, output_tokens: 20, credits_consumed: 2 })
    expect(await balance()).toBe(998)
  })

  it('ends with the credits, and begins with none', async () => {
    await setBalance(1)
    service.script = () => ({ call: 'write_file', with: { file: 'page.txt\nx' } })
    const { site, run } = await built()
    expect([site.build_status, run.status, run.credits_consumed]).toEqual(['failed', 'failed', 1])
    expect(run.error_message).toMatch(/^The model has used the 150 tokens that this build may take\./)
    expect(await balance()).toBe(0)
    service.turns.length = 0
    const refused = await built()
    expect([refused.site.build_status, service.turns]).toEqual(['failed', []])
    expect(refused.run.error_message).toMatch(/^The account has no credits left/)
    await setBalance(1_000)
  })

  it('has minutes for it, also when the account got its model after the build was ordered', async () => {
    const { site, run } = await built()
    const now = new Date().toISOString()
    const account_id = shop.accountId
    await shop.running.app.database.transaction(async ({ db }) => {
      const again = { status: 'pending', runner_job: null, started_at: null, completed_at: null } as const
      await db.updateTable('task_runs').set(again).where('id', '=', run.id).execute()
      const blank = { attempts: 0, leased_until: null, last_error: null, finished_at: null, origin: null }
      const what = {
        ...{ account_id, id: 'job_ordered' },
        name: 'site.build',
        payload: JSON.stringify({ run: run.id }),
      }
      const when = { lane: 'outside', state: 'due', run_at: now, created_at: now } as const
      await db
        .insertInto('jobs')
        .values({ ...what, ...when, ...blank })
        .execute()
    })
    await shop.settled()
    const builds = shop.db.selectFrom('site_builds').select(['builder', 'status']).where('site', '=', site.id)
    const complete = { builder: 'model', status: 'complete' }
    expect(await builds.execute()).toEqual([complete, complete])
    const jobs = shop.db.selectFrom('jobs').select(['name', 'payload']).where('payload', 'like', `%${run.id}%`)
    const names = (await jobs.execute()).map(({ name }) => name).filter((name) => name.startsWith('site.'))
    expect(names.toSorted()).toEqual(['site.build', 'site.build_long', 'site.build_long'])
  })

  it('starts one run, says a dry run', async () => {
    const { url } = shop.running
    const code = '# dry_run: true\npost("/sites", prompt: "Paper.")["build_status"]'
    const { structuredContent } = await callTool({ url, token: shop.token }, 'code_execute', code)
    expect(structuredContent.after_commit).toBe('Starts 1 task run.')
  })

  it('costs no credits by the account’s own model, which is asked before that of the service', async () => {
    const owner = await ownerOf(shop)
    const wanted = { provider: 'openai-compatible', model_id: 'mine', base_url: own.url, api_key: own.key }
    expect((await owner.try('PATCH', '/model_settings', wanted))[0]).toBe(200)
    const before = await balance()
    const { site, run } = await built()
    expect([site.build_status, run.error_message]).toEqual(['live', null])
    expect(run).toMatchObject({ input_tokens: 200, credits_consumed: 0 })
    expect(own.turns.map((turn) => turn.model)).toEqual(['mine', 'mine'])
    expect([service.turns, await balance()]).toEqual([[], before])
    expect(await owner.read(modelSettings)).toMatchObject({ tokens_today: 220 })
  })
})
