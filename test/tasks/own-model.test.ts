import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelSettings } from '../../src/resources/dashboard/model-settings/settings.ts'
import { type DashboardUser, memberOf, ownerOf } from '../support/dashboard.ts'
import { type ModelServer, type Reply, startModelServer } from '../support/model-server.ts'
import { signIn } from '../support/person.ts'
import { type Body, Shop } from '../support/shop.ts'
import { ended } from './support.ts'

function endless(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).on('error', () => undefined)
  const chunk = ' '.repeat(64_000)
  const write = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}

async function patched(owner: DashboardUser, values: object) {
  const [status, body] = await owner.try('PATCH', '/model_settings', values)
  expect([status, body.error]).toEqual([200, undefined])
  return owner.read(modelSettings)
}

describe('A model of the account’s own', () => {
  const shop = new Shop()
  let service: ModelServer
  let own: ModelServer
  let owner: DashboardUser
  beforeAll(async () => {
    service = await startModelServer()
    own = await startModelServer()
    await shop.open('sqlite', {
      ...{ MODEL_PROVIDER: 'anthropic', MODEL_ID: 'of-the-service', MODEL_API_KEY: service.key },
      ...{ MODEL_BASE_URL: service.url, MODEL_TOKENS_PER_DAY: '1', OUTSIDE_ALLOW_LOOPBACK: 'true' },
    })
    owner = await ownerOf(shop)
  })
  afterAll(async () => {
    await shop.close()
    await own.close()
    await service.close()
  })
  beforeEach(() => {
    own.turns.length = 0
    service.turns.length = 0
    own.script = () => ({ say: 'Done.' })
  })

  const refusalOf = async (values: object): Promise<Body> => {
    const [status, body] = await owner.try('PATCH', '/model_settings', values)
    expect(status).toBe(422)
    return body.error
  }
  const run = async (values: object = {}): Promise<Body> => {
    const task = await shop.post('/tasks', { name: 'Plain', prompt: 'Say something.', ...values })
    return ended(shop, task.last_run)
  }
  const set = (values: object = {}) =>
    patched(owner, {
      ...{ provider: 'openai-compatible', model_id: 'mine', base_url: own.url, api_key: own.key },
      ...values,
    })
  const balance = async (): Promise<number> => (await shop.get('/account')).credit_balance

  it.each(['anthropic', 'openai-compatible'])(
    'speaks %s, and is asked before that of the service',
    async (provider) => {
      const settings = await set({ provider })
      expect(settings).toMatchObject({ used: 'own', provider, model_id: 'mine', has_key: true })
      const before = await balance()
      expect(await run()).toMatchObject({ status: 'completed', input_tokens: 100, credits_consumed: 0 })
      expect(await run({ model_id: 'mine-too' })).toMatchObject({ status: 'completed' })
      expect(own.turns.map(({ model }) => model)).toEqual(['mine', 'mine-too'])
      expect(service.turns).toEqual([])
      expect(await balance()).toBe(before)
    },
  )

  it('does not count toward the tokens that the operator allows, and has a bound of its own', async () => {
    const { tokens_today: used } = await owner.read(modelSettings)
    await set({ tokens_per_day: used + 1 })
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(await run()).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('An admin can raise the number under Settings, Model.'),
    })
    expect(await owner.read(modelSettings)).toMatchObject({ tokens_today: used + 110, service_tokens_today: 0 })
    await set()
  })

  it('answers questions', async () => {
    own.script = () => ({ say: 'You sold nothing.' })
    const person = await signIn(shop.running)
    const { html } = await person.submit('/dashboard/my-shop/ask', { question: 'What did I sell?' })
    expect(html).toContain('You sold nothing.')
    expect(own.turns).toHaveLength(1)
  })

  it('keeps its key encrypted, and never shows it', async () => {
    await set()
    const shown = JSON.stringify([await owner.read(modelSettings), await owner.get('/api_requests')])
    expect(shown).not.toContain(own.key)
    const person = await signIn(shop.running)
    expect((await person.get('/dashboard/my-shop/settings/model')).html).not.toContain(own.key)
    const [row] = await shop.running.app.database.read.selectFrom('own_models').selectAll().execute()
    expect(row!.sealed_key).toMatch(/^[\w+/=]{40,}$/)
    expect(JSON.stringify(row)).not.toContain(own.key)
  })

  it('has its key sent nowhere but where it was entered for', async () => {
    await set()
    const kept = { provider: 'openai-compatible', model_id: 'another' }
    expect(await patched(owner, { ...kept, base_url: own.url })).toMatchObject({ has_key: true })
    expect(await run()).toMatchObject({ status: 'completed' })
    const elsewhere = await refusalOf({ ...kept, base_url: `${own.url}/other` })
    expect(elsewhere.errors.api_key[0]).toContain('must be entered again')
    const protocol = { ...kept, provider: 'anthropic', base_url: own.url }
    expect((await refusalOf(protocol)).errors.api_key[0]).toContain('entered again')
    expect(await owner.read(modelSettings)).toMatchObject({ model_id: 'another', base_url: own.url })
  })

  it.each([
    ['https://169.254.169.254/latest', /public address/],
    ['http://169.254.169.254/latest', /must start with https/],
    ['https://10.0.0.7/v1', /public address/],
    ['https://[fd00::1]/v1', /public address/],
    ['http://api.example.com/v1', /must start with https/],
    ['https://user:word@api.example.com/v1', /URL|user name/],
    ['https://api.example.com/v1?key=1', /query/],
    [null, /can't be blank/],
  ])('is not set at %s', async (base_url, problem) => {
    const refused = await refusalOf({ provider: 'openai-compatible', model_id: 'm', api_key: 'k', base_url })
    expect(refused.errors.base_url[0]).toMatch(problem)
  })

  it('is shown to admins alone, and to no program', async () => {
    const member = await memberOf(shop, 'member')
    await expect(member.read(modelSettings)).rejects.toMatchObject({ code: 'permission_denied' })
    expect((await member.try('PATCH', '/model_settings', { provider: 'anthropic', model_id: 'm' }))[0]).toBe(403)
    expect((await member.try('DELETE', '/model_settings'))[0]).toBe(403)
    expect((await shop.api('GET', '/model_settings')).status).toBe(404)
  })

  it('is refused its key in words that name the account', async () => {
    await set({ api_key: 'sk-wrong' })
    const failed = await run()
    expect(failed).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('API key of this account'),
    })
    expect(failed.error_message).not.toContain('sk-wrong')
  })

  const troubles: [what: string, reply: Reply, error: RegExp][] = [
    ['answers without end', { raw: endless }, /too long/],
    ['breaks off', { raw: (response) => response.writeHead(200).write('{', () => response.destroy()) }, /The model/],
    ['sends elsewhere', { status: 302, headers: { Location: 'http://169.254.169.254/' } }, /status 302/],
    ['refuses', { refuse: true }, /refused to answer/],
  ]
  it.each(troubles)('fails in words where the model %s', async (_, reply, error) => {
    await set()
    own.script = () => reply
    expect(await run()).toMatchObject({ status: 'failed', error_message: expect.stringMatching(error) })
  })

  it('is set and removed on a page of the settings', async () => {
    const at = '/dashboard/my-shop/settings/model'
    const person = await signIn(shop.running)
    const fields = { provider: 'anthropic', model_id: 'by-form', base_url: own.url, api_key: 'has a blank' }
    const refused = await person.submit(at, fields)
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('visible ASCII')
    expect(refused.html).not.toContain('has a blank')
    expect((await person.submit(at, { ...fields, api_key: own.key })).status).toBe(303)
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(own.turns[0]).toMatchObject({ protocol: 'anthropic', model: 'by-form' })
    expect((await person.get(at)).html).toContain('A key is stored and not shown.')
    await person.submit(at, {}, `${at}/remove`)
    expect(await owner.read(modelSettings)).toMatchObject({ used: 'service', has_key: false, model_id: null })
  })
})

describe('An own model whose address leads elsewhere', () => {
  it('is not reached at a private address, whatever its name resolves to when it is asked', async () => {
    const shop = new Shop()
    await shop.open('sqlite', { OUTSIDE_ALLOW_LOOPBACK: 'false' })
    const owner = await ownerOf(shop)
    const at = (base_url: string) =>
      patched(owner, { provider: 'openai-compatible', model_id: 'm', api_key: 'k', base_url })
    const server = await startModelServer()
    const here = { provider: 'anthropic', model_id: 'm', base_url: server.url }
    const [, { error }] = await owner.try('PATCH', '/model_settings', here)
    expect(error.errors.base_url[0]).toContain('not this machine')
    // As if the name had been changed after it was entered.
    await at('https://api.example.com/v1')
    for (const base_url of [server.url, 'https://169.254.169.254/v1', 'https://10.0.0.7/v1']) {
      await shop.running.app.database.transaction(({ db }) => db.updateTable('own_models').set({ base_url }).execute())
      const task = await shop.post('/tasks', { name: 'Plain', prompt: 'Say something.' })
      expect(await ended(shop, task.last_run)).toMatchObject({
        status: 'failed',
        error_message: expect.stringMatching(/The URL of the model must (be a public address|start with https)/),
      })
    }
    expect(server.turns).toEqual([])
    await server.close()
    await shop.close()
  })
})
