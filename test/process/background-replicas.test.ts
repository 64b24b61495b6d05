import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory, freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'

const CUSTOMERS = 200

describe.skipIf(!testServerUrl)('background programs on two replicas of which one is killed', () => {
  let servers: Server[]
  let undo: (() => Promise<void>)[]

  beforeAll(async () => {
    const fresh = await freshDirectory()
    const database = await freshPostgresUrl()
    undo = [fresh.remove, database.remove]
    const environment = (name: string) =>
      environmentOf(join(fresh.directory, name), {
        DATABASE_URL: database.url,
        SECRET_KEY: 'a key that all replicas share',
        DEMO_DATA: 'none',
        RATE_LIMIT_PER_MINUTE: '1000000',
        RATE_LIMIT_BURST: '1000000',
      })
    servers = [await startServer(environment('one')), await startServer(environment('two'))]
  })
  afterAll(async () => {
    killAll()
    for (const step of undo) await step()
  })

  it('do each row once', async () => {
    const [one, two] = servers as [Server, Server]
    const token = one.token!
    const tool = (code: string) => one.tool('code_execute', code, token)
    for (let from = 0; from < CUSTOMERS; from += 50)
      await tool(`50.times { |i| post("/customers", email: "c#{i + ${from}}@example.com") }`)
    const begun = await tool(`# background: true
each_batch(list("/customers"), of: 4) do |rows|
  rows.each { |row| patch("/customers/#{row["id"]}", metadata: { seen: ((row["metadata"]["seen"] || 0).to_i + 1).to_s }) }
end`)
    await sleep(200)
    await two.stop('SIGKILL')
    let progress = begun.result
    for (let tries = 0; tries < 400 && progress.state !== 'done'; tries++) {
      await sleep(200)
      progress = (await tool(`# status: ${begun.result.background}`)).result
    }
    expect(progress).toMatchObject({ state: 'done', done: CUSTOMERS, changed: { 'customer.updated': CUSTOMERS } })
    const seen = await tool('list("/customers").map { |c| c["metadata"]["seen"] }.tally')
    expect(seen.result).toEqual({ 1: CUSTOMERS })
  }, 180_000)
})
