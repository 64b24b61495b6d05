import { expect, it } from 'vitest'
import { describeOwnDomains, ELSEWHERE, HERE, SERVICE } from '../support/own-domains.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'

/** A shop or a site of an account of its own, which can have a domain. */
interface Holder {
  shop: Shop
  /** Asks for the domain; the TXT record that proves it. */
  claim(domain: string): Promise<{ name: string; value: string }>
  isVerified(): Promise<boolean>
}

const KINDS = ['shop', 'site'] as const
const PAIRS = KINDS.flatMap((one) => KINDS.map((other) => [one, other] as const))

describeOwnDomains(
  'A domain of a shop or of a site',
  (service, { at, addressOf, another, newDomain, nextCheck }, names) => {
    async function shopHolder(): Promise<Holder> {
      const shop = await another()
      return {
        shop,
        claim: async (domain) =>
          (await shop.patch('/account', { storefront_domain: domain })).storefront_domain_records[0],
        isVerified: async () => (await shop.get('/account')).storefront_domain_verified,
      }
    }
    async function siteHolder(): Promise<Holder> {
      const shop = await another()
      const { id } = await shop.post('/sites', { prompt: 'Paper.' })
      await service.settled()
      return {
        shop,
        claim: async (domain) => (await shop.patch(`/sites/${id}`, { domain })).domain_record,
        isVerified: async () => (await shop.get(`/sites/${id}`)).domain_verified,
      }
    }
    const make = (kind: (typeof KINDS)[number]) => (kind === 'shop' ? shopHolder() : siteHolder())
    const publish = (domain: string, ...records: { name: string; value: string }[]) => {
      names().hosts.set(domain, [HERE])
      names().texts.set(`_shopwright.${domain}`, ['v=spf1 -all', ...records.map(({ value }) => value)])
    }
    async function verified(holder: Holder) {
      const domain = newDomain()
      const record = await holder.claim(domain)
      publish(domain, record)
      await holder.claim(domain)
      await service.settled()
      expect(await holder.isVerified()).toBe(true)
      return { domain, record }
    }
    /** Tells whether a domain is served, and whether proxies may get a certificate for it. */
    const seen = async (domain: string): Promise<[served: boolean, certified: boolean]> => [
      // A host of nobody shows what the service shows.
      (await at(domain, '/healthz')).status === 404,
      (await at(SERVICE, `/site-hosts?domain=${domain}`)).status === 200,
    ]

    it.each(KINDS)(
      'leads `www.` to the domain of a %s, with a certificate, unless somebody has verified it',
      async (kind) => {
        const holder = await make(kind)
        const { domain } = await verified(holder)
        const www = `www.${domain}`
        for (const host of [www, www.toUpperCase(), `${www}.`]) {
          const { status, headers } = await at(host, '/a/b?c=%2F')
          expect([host, status, headers.location]).toEqual([host, 301, `${addressOf(domain)}/a/b?c=%2F`])
          expect(headers['cache-control']).toBe('no-cache')
        }
        const isCertified = async (host: string) => (await at(SERVICE, `/site-hosts?domain=${host}`)).status === 200
        expect(await Promise.all([www, `www.${www}`, `ww.${domain}`].map(isCertified))).toEqual([true, false, false])
        const other = await make(kind)
        publish(www, await other.claim(www))
        await other.claim(www)
        await service.settled()
        expect([await other.isVerified(), (await at(www, '/')).status, await isCertified(www)]).toEqual([
          true,
          200,
          true,
        ])
        expect([await isCertified(`www.${www}`), (await at(`www.${www}`, '/healthz')).status]).toEqual([false, 200])
        await holder.shop.patch('/account', { storefront_domain: null })
        for (const { id } of (await holder.shop.get('/sites')).data)
          await holder.shop.patch(`/sites/${id}`, { domain: null })
        expect([(await at(www, '/')).status, await isCertified(domain)]).toEqual([200, false])
      },
    )

    it('that begins with `www.` says nothing of the shorter one', async () => {
      const holder = await make('shop')
      const domain = `www.${newDomain()}`
      publish(domain, await holder.claim(domain))
      await holder.claim(domain)
      await service.settled()
      expect(await holder.isVerified()).toBe(true)
      expect([await seen(domain), await seen(domain.slice(4)), await seen(`www.${domain}`)]).toEqual([
        [true, true],
        [false, false],
        [false, false],
      ])
    })

    for (const [kind, other] of PAIRS) {
      it(`is lost by a ${kind} once its record is gone for long, and can be had by a ${other} of another account`, async () => {
        const [holder, next] = [await make(kind), await make(other)]
        const { domain } = await verified(holder)
        expect(await seen(domain)).toEqual([true, true])
        names().texts.set(`_shopwright.${domain}`, [])
        await nextCheck()
        await nextCheck()
        expect([await holder.isVerified(), await seen(domain)]).toEqual([true, [true, true]])
        const events: Body[] = await service.eventsOf(nextCheck)
        expect(
          events
            .filter(
              ({ type }) =>
                /^(account|ai_site)\.updated$/.test(type) && type.startsWith(kind === 'shop' ? 'account' : 'ai_site'),
            )
            .map(({ previous }) => previous),
        ).toContainEqual(
          expect.objectContaining({ [kind === 'shop' ? 'storefront_domain_verified' : 'domain_verified']: true }),
        )
        expect([await holder.isVerified(), await seen(domain)]).toEqual([false, [false, false]])
        publish(domain, await next.claim(domain))
        await next.claim(domain)
        await service.settled()
        expect([await next.isVerified(), await holder.isVerified(), await seen(domain)]).toEqual([
          true,
          false,
          [true, true],
        ])
      })

      it(`goes from a ${kind} to the ${other} of another account that proves it now, and to nobody while the ${kind} does`, async () => {
        const [holder, next] = [await make(kind), await make(other)]
        const { domain, record } = await verified(holder)
        const wanted = await next.claim(domain)
        await service.settled()
        publish(domain, record, wanted)
        await next.claim(domain)
        await service.settled()
        for (let time = 0; time < 4; time++) await nextCheck()
        expect([await holder.isVerified(), await next.isVerified()]).toEqual([true, false])
        publish(domain, wanted)
        await next.claim(domain)
        await service.settled()
        await nextCheck()
        expect([await holder.isVerified(), await next.isVerified(), await seen(domain)]).toEqual([
          false,
          true,
          [true, true],
        ])
        await holder.claim(domain)
        await service.settled()
        expect([await holder.isVerified(), await next.isVerified()]).toEqual([false, true])
      })

      it(`is that of one alone when a ${kind} and a ${other} prove it in the same moment`, async () => {
        const holders = [await make(kind), await make(other)]
        const domain = newDomain()
        const records = await Promise.all(holders.map((one) => one.claim(domain)))
        publish(domain, ...records)
        await Promise.all(holders.map((one) => one.claim(domain)))
        await service.settled()
        await nextCheck()
        expect((await Promise.all(holders.map((one) => one.isVerified()))).filter(Boolean)).toEqual([true])
      })
    }

    for (const kind of KINDS) {
      it(`rides out an outage of name servers as that of a ${kind}, and asking again does not put off its loss`, async () => {
        const holder = await make(kind)
        const { domain, record } = await verified(holder)
        names().hosts.set(SERVICE, kind === 'shop' ? [] : [HERE])
        if (kind === 'shop') for (let time = 0; time < 4; time++) await nextCheck()
        names().hosts.set(SERVICE, [HERE])
        names().texts.set(`_shopwright.${domain}`, [])
        await nextCheck()
        publish(domain, record)
        await nextCheck()
        names().texts.set(`_shopwright.${domain}`, [])
        await nextCheck()
        await nextCheck()
        expect(await holder.isVerified()).toBe(true)
        await holder.claim(domain)
        await service.settled()
        await nextCheck()
        expect(await holder.isVerified()).toBe(false)
        publish(domain, record)
        await nextCheck()
        expect(await holder.isVerified()).toBe(true)
      })
    }

    it('of a shop stays when it leads elsewhere for a moment, although another asks for it', async () => {
      const [holder, next] = [await shopHolder(), await shopHolder()]
      const { domain } = await verified(holder)
      await next.claim(domain)
      names().hosts.set(domain, [ELSEWHERE])
      await nextCheck()
      expect([await holder.isVerified(), await next.isVerified()]).toEqual([true, false])
    })
  },
  onEachEngine,
)
