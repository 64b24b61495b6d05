import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JOBS } from '../../bench/agents/jobs.ts'
import { doneBy, type Model, modelOf } from '../../bench/agents/model.ts'
import { replay } from '../../bench/agents/replay.ts'
import { SELLING } from '../../bench/agents/selling.ts'
import { openShop, type Shop } from '../../bench/agents/shop.ts'
import { dataDirectory } from '../../bench/servers.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { transcriptModel } from '../support/transcript-model.ts'

describe('The tasks of the benchmark, done by a model', () => {
  let server: ModelServer
  let model: Model
  let shop: Shop
  let remove: () => Promise<void>
  beforeAll(async () => {
    server = await startModelServer()
    model = modelOf({ MODEL_BASE_URL: `${server.url}/`, MODEL_ID: 'transcripts', MODEL_API_KEY: server.key })!
    const data = await dataDirectory()
    remove = data.remove
    shop = await openShop(data.directory)
  }, 60_000)
  afterAll(async () => {
    await shop?.close()
    await remove?.()
    await server.close()
  })

  const task = (name: string) => SELLING.find((one) => one.name === name)!

  it.each(['a product with two prices', 'half of an order refunded'])(
    'are right where they are done: %s',
    async (name) => {
      server.script = transcriptModel(SELLING)
      const { steps } = task(name)
      const done = await doneBy(model, shop, task(name))
      expect(done).toMatchObject({ name, fault: null, calls: steps.length })
      expect(done.requests).toContainEqual(expect.stringMatching(/^POST \/\w+ 20\d$/))
      expect(server.turns.at(-1)).toMatchObject({ model: 'transcripts', tools: ['code_search', 'code_execute'] })
    },
  )

  it.each(JOBS)('read at most 10 KB for a whole job, and do it: $name', async (job) => {
    const done = await replay(shop, job)
    expect(done).toMatchObject({ fault: null })
    expect(done.bytes).toBeLessThanOrEqual(10_000)
  })

  it('are wrong where they are only talked about', async () => {
    server.script = () => ({ say: 'Every product earned $12.00.' })
    const done = await doneBy(model, shop, task('revenue by product'))
    expect(done.fault).toMatch(/the answer has to say \d+\.\d\d/)
    expect(done.calls).toBe(0)
  })

  it('end, however long the model goes on', async () => {
    server.turns.length = 0
    server.script = () => ({ call: 'code_execute', with: { program: 1 } })
    const done = await doneBy(model, shop, task('a checkout link'))
    expect(done).toMatchObject({ calls: 20, fault: expect.any(String) })
    expect(server.turns).toHaveLength(20)
  })

  it('say so where the model answers nothing', async () => {
    server.script = () => ({ status: 500, words: 'out of order' })
    await expect(doneBy(model, shop, task('a checkout link'))).rejects.toThrow('The model refused: 500')
    expect(() => modelOf({ MODEL_BASE_URL: server.url })).toThrow('MODEL_ID')
    expect(modelOf({})).toBeNull()
  })
})
