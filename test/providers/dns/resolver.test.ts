import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { domainRecords } from '../../../src/providers/dns/resolver/resolver.ts'
import { type NameServer, startNameServer } from '../../support/name-server.ts'

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

  it('are the addresses to which it leads', async () => {
    server.hosts.set('shop.example.com', ['192.0.2.7', '192.0.2.8'])
    const found = await domainRecords([server.address]).lookUp('shop.example.com', 'addresses')
    expect(found?.toSorted()).toEqual(['192.0.2.7', '192.0.2.8'])
  })

  it('are those of IPv4 where a name server refuses the question for IPv6', async () => {
    server.hosts.set('shop.example.com', ['192.0.2.7'])
    server.refusesIpv6 = true
    const records = domainRecords([server.address])
    expect(await records.lookUp('shop.example.com', 'addresses')).toEqual(['192.0.2.7'])
    expect(await records.lookUp('nowhere.example.com', 'addresses')).toBeNull()
  })

  it('are none where there is no such name, or no text', async () => {
    server.texts.set('empty.example.com', [])
    const records = domainRecords([server.address])
    expect(await records.texts('nowhere.example.com')).toEqual([])
    expect(await records.texts('empty.example.com')).toEqual([])
    for (const kind of ['texts', 'addresses'] as const)
      expect(await records.lookUp('nowhere.example.com', kind)).toEqual([])
  })

  it('are none when no name server answers in time', { timeout: 20_000 }, async () => {
    server.silent = true
    const started = performance.now()
    const records = domainRecords([server.address])
    const asked = [records.texts('slow.example.com'), records.lookUp('slow.example.com', 'addresses')]
    expect(await Promise.all([...asked, records.lookUp('slow.example.com', 'texts')])).toEqual([[], null, null])
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(server.asked.length).toBeGreaterThan(0)
  })
})
