import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { askAt } from './at-host.ts'
import { type NameServer, startNameServer } from './name-server.ts'
import { type Body, onGateEngine, type Shop } from './shop.ts'

/** The address of the service, and another address. */
export const HERE = '192.0.2.7'
export const ELSEWHERE = '192.0.2.8'
export const SERVICE = 'shopwright.test'

let made = 0

/** Runs a suite with a named service whose shops and sites can have custom domains. */
export function describeOwnDomains(
  what: string,
  suite: (service: Shop, domains: ReturnType<typeof ownDomains>, names: () => NameServer) => void,
  onEngine = onGateEngine,
): void {
  describe(what, () => {
    let server: NameServer
    const names = () => server
    beforeAll(async () => {
      server = await startNameServer()
    })
    beforeEach(() => {
      server.hosts.set(SERVICE, [HERE])
    })
    afterAll(() => server.close())
    onEngine((service) => suite(service, ownDomains(service, names), names), withNames(names), {
      publicUrl: (port) => `http://${SERVICE}:${port}`,
    })
  })
}

/** Helpers for shops with custom domains, which the DNS server of the test resolves. */
function ownDomains(service: Shop, names: () => NameServer) {
  const at = (host: string, path = '/', options = {}) => askAt(service.running, host, path, options)
  const addressOf = (host: string) => `http://${host}:${new URL(service.running.url).port}`
  let watching: Promise<Shop> | undefined
  const another = async (): Promise<Shop> => service.as(await service.running.another(`own-${++made}`))
  const newDomain = () => `shop-${++made}.example.com`
  const give = (shop: Shop, storefront_domain: string | null): Promise<Body> =>
    shop.patch('/account', { storefront_domain })
  const publish = ({ storefront_domain_records: records, storefront_domain: domain }: Body, ...to: string[]) => {
    names().texts.set(records[0].name, ['v=spf1 -all', records[0].value])
    names().hosts.set(domain, to)
  }
  /** Verifies the domain at once, and returns the account. */
  async function checked(shop: Shop, domain: string): Promise<Body> {
    await give(shop, domain)
    await service.settled()
    return shop.get('/account')
  }
  async function served(shop: Shop): Promise<string> {
    const domain = newDomain()
    publish(await give(shop, domain), HERE)
    expect((await checked(shop, domain)).storefront_domain_verified).toBe(true)
    return domain
  }
  /** Runs the scheduled domain checks now. */
  async function nextCheck(): Promise<void> {
    await service.running.app.database.transaction(({ db }) =>
      db
        .updateTable('jobs')
        .set({ state: 'due', run_at: '2026-01-01T00:00:00Z' })
        .where('name', 'in', ['account.verify_domain', 'site.check_domain'])
        .where('state', '=', 'waiting')
        .execute(),
    )
    // Enqueueing a job wakes the worker.
    watching ??= another()
    await give(await watching, newDomain())
    await service.settled()
  }
  return { at, addressOf, another, newDomain, give, publish, checked, served, nextCheck }
}

/** Returns the settings of a service with custom domains. */
function withNames(names: () => NameServer) {
  return {
    SITES_DOMAIN: 'sites.test',
    get DNS_SERVERS() {
      return names().address
    },
  }
}
