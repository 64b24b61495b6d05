import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { domainRecords } from '../../../src/outside/dns/resolver/resolver.ts'
import { type NameServer, startNameServer } from '../../support/name_server.ts'

describe('The records of a domain', () => {
  let server: NameServer
  beforeEach(async () => {
    server = await startNameServer()
  })
  afterEach(() => server.close())

  it('are its texts, put together from their parts', async () => {
    const long = 'x'.repeat(600)
    server.texts.set('_shopwright.example.com', ['v=spf1 -all', long])
    expect(await domainRecords([server.address]).texts('_shopwright.example.com')).toEqual(['v=spf1 -all', long])
  })

  it('are none where there is no such name, or no text', async () => {
    server.texts.set('empty.example.com', [])
    const records = domainRecords([server.address])
    expect(await records.texts('nowhere.example.com')).toEqual([])
    expect(await records.texts('empty.example.com')).toEqual([])
  })

  it('are none when no name server answers in time', { timeout: 20_000 }, async () => {
    server.silent = true
    const started = performance.now()
    expect(await domainRecords([server.address]).texts('slow.example.com')).toEqual([])
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(server.asked.length).toBeGreaterThan(0)
  })
})
