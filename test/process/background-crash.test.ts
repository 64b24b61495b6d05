import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { type Environment, environmentOf, killAll, startServer } from '../support/server.ts'

const CUSTOMERS = 300

describe('a background program on a server that is killed meanwhile', () => {
  let remove: () => Promise<void>
  let environment: Environment

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory, { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' })
  })
  afterAll(() => {
    killAll()
    return remove()
  })

  it('does each row once', async () => {
    let server = await startServer(environment)
    const token = server.token!
    const tool = (code: string) => server.tool('code_execute', code, token)
    for (let from = 0; from < CUSTOMERS; from += 100)
      await tool(`100.times { |i| post("/customers", email: "c#{i + ${from}}@example.com") }`)
    const begun = await tool(`# background: true
each_batch(list("/customers"), of: 5) do |rows|
  rows.each { |row| patch("/customers/#{row["id"]}", metadata: { seen: ((row["metadata"]["seen"] || 0).to_i + 1).to_s }) }
end`)
    const id = begun.result.background
    await sleep(Math.random() * 200)
    await server.stop('SIGKILL')
    server = await startServer(environment)
    const after = (await tool(`# status: ${id}`)).result
    expect(after.done).toBeLessThan(CUSTOMERS)
    let progress = after
    for (let tries = 0; tries < 400 && progress.state !== 'done'; tries++) {
      await sleep(200)
      progress = (await tool(`# status: ${id}`)).result
    }
    expect(progress).toMatchObject({ state: 'done', done: CUSTOMERS, changed: { 'customer.updated': CUSTOMERS } })
    const seen = await tool('list("/customers").map { |c| c["metadata"]["seen"] }.tally')
    expect(seen.result).toEqual({ 1: CUSTOMERS })
    await server.stop()
  }, 180_000)
})
