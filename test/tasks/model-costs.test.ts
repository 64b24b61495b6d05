import { describe, expect, it } from 'vitest'
import { startModelServer } from '../support/model-server.ts'
import { Shop } from '../support/shop.ts'
import { ended } from './support.ts'

/** A shop whose tasks ask a model, and what runs one of them. */
async function shopWithModel(provider: string, settings: Record<string, string>) {
  const model = await startModelServer()
  const shop = new Shop()
  await shop.open('sqlite', {
    ...{ MODEL_PROVIDER: provider, MODEL_ID: 'm', MODEL_API_KEY: model.key, MODEL_BASE_URL: model.url },
    ...settings,
  })
  const run = async () => {
    const task = await shop.post('/tasks', { name: 'Plain', prompt: 'Say something.' })
    return ended(shop, task.last_run)
  }
  return { model, shop, run }
}

describe('The model tokens of an account', () => {
  it('are bounded for a day', async () => {
    const { model, shop, run } = await shopWithModel('anthropic', { MODEL_TOKENS_PER_DAY: '150' })
    expect(await run()).toMatchObject({ status: 'completed', input_tokens: 100 })
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(await run()).toMatchObject({ status: 'failed', error_message: expect.stringContaining('150 model tokens') })
    expect(model.turns).toHaveLength(2)
    await shop.close()
    await model.close()
  })
})

describe('The model of the service', () => {
  it('costs credits, and answers nobody who has none', async () => {
    const { model, shop, run } = await shopWithModel('openai-compatible', { MODEL_TOKENS_PER_CREDIT: '150' })
    const balance = async () => (await shop.get('/account')).credit_balance
    const done = await run()
    expect(done).toMatchObject({ status: 'completed', credits_consumed: 1 })
    expect(await balance()).toBe(999)
    const entries = shop.db.selectFrom('credit_entries').select(['kind', 'delta', 'reason', 'reference', 'run'])
    const about = { reason: 'task_run', reference: done.id, run: done.id }
    expect(await entries.where('run', '=', done.id).orderBy('id').execute()).toEqual([
      { kind: 'reserved', delta: -999 - 1, ...about },
      { kind: 'settled', delta: 999, ...about },
    ])

    const setBalance = (credit_balance: number) =>
      shop.running.app.database.transaction(({ db }) => db.updateTable('accounts').set({ credit_balance }).execute())
    await setBalance(2)
    model.script = () => ({ call: 'code_execute', with: { code: '1' } })
    const stopped = await run()
    expect(stopped).toMatchObject({ status: 'failed', credits_consumed: 2, input_tokens: 300 })
    expect(stopped.error_message).toContain('limits of a run')
    expect(await balance()).toBe(0)
    const turns = model.turns.length
    expect(await run()).toMatchObject({
      status: 'failed',
      credits_consumed: 0,
      error_message: expect.stringContaining('no credits left'),
    })
    expect(model.turns).toHaveLength(turns)
    await setBalance(3)
    model.script = () => ({ status: 401 })
    expect(await run()).toMatchObject({ status: 'failed', credits_consumed: 0 })
    expect(await balance()).toBe(3)
    await shop.close()
    await model.close()
  })

  it('is paid for what a run took that was canceled', async () => {
    const model = await startModelServer()
    const shop = new Shop()
    await shop.open('sqlite', {
      ...{ MODEL_PROVIDER: 'anthropic', MODEL_ID: 'm', MODEL_API_KEY: model.key, MODEL_BASE_URL: model.url },
      MODEL_TOKENS_PER_CREDIT: '100',
    })
    const waits = Promise.withResolvers<void>()
    model.script = (_, number) =>
      number === 1 ? { call: 'code_execute', with: { code: '1' } } : { raw: () => waits.resolve() }
    const task = await shop.post('/tasks', { name: 'Slow', prompt: 'Think long.' })
    await waits.promise
    await shop.patch(`/task_runs/${task.last_run}`, { status: 'canceled' })
    const balance = async () => (await shop.get('/account')).credit_balance
    await expect.poll(balance, { timeout: 10_000 }).toBe(998)
    const used = await shop.db.selectFrom('model_tokens').select('tokens').executeTakeFirst()
    expect(Number(used!.tokens)).toBe(110)
    await shop.close()
    await model.close()
  })
})
