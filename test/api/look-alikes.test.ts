import { describe, expect, it } from 'vitest'
import { onGateEngine } from '../support/shop.ts'

/** Characters that become letters of ASCII in lower or upper case, or under a normal form. */
const KELVIN = '\u212a'
const LONG_S = '\u017f'
const DOTTED_I = '\u0130'
const DOTLESS_I = '\u0131'
const FULLWIDTH_K = '\uff2b'
const LIGATURE = '\ufb01'

describe('A character that is nearly another', () => {
  onGateEngine((shop) => {
    it('never makes an address into the address of somebody else', async () => {
      for (const email of ['kim@example.com', 'sam@example.com', 'ida@example.com', 'fia@example.com'])
        await shop.customer({ email })
      const refused = [
        [`${KELVIN}im@example.com`, 'K'],
        [`${FULLWIDTH_K}im@example.com`, 'K'],
        [`${LONG_S}am@example.com`, 's'],
        [`${LIGATURE}a@example.com`, 'f'],
        [`kim@${KELVIN}.example.com`, 'K'],
        [`kim@example\u3002com`, '.'],
      ]
      for (const [email, plain] of refused) {
        if (plain === '.') {
          expect(await shop.refusal('POST', '/customers', { email })).toHaveProperty('email')
          continue
        }
        const says = expect.stringMatching(new RegExp(`must not contain .* write “${plain}”`))
        expect(await shop.refusal('POST', '/customers', { email })).toEqual({ email: [says] })
        const filtered = await shop.api('GET', `/customers?email=${encodeURIComponent(email!)}`)
        expect([email, filtered.status, filtered.body.error.param]).toEqual([email, 400, 'email'])
      }
      for (const letter of [DOTTED_I, DOTLESS_I]) {
        const { email } = await shop.customer({ email: `${letter}da@example.com` })
        expect(email).not.toBe('ida@example.com')
      }
      expect(await shop.listed('/customers?email=ida@example.com', 'email')).toEqual(['ida@example.com'])
    })

    it('is in no discount code, slug, subdomain, currency or time zone', async () => {
      for (const letter of [KELVIN, LONG_S, DOTTED_I, FULLWIDTH_K, LIGATURE]) {
        const code = { code: `TA${letter}E`, discount_type: 'percent_off', percent_off: 10 }
        expect(await shop.refusal('POST', '/discounts', code)).toHaveProperty('code')
        expect(await shop.refusal('POST', '/products', { name: 'Tea', slug: `ta${letter}e` })).toHaveProperty('slug')
        expect(await shop.refusal('PATCH', '/account', { subdomain: `ta${letter}e` })).toHaveProperty('subdomain')
        expect(await shop.refusal('PATCH', '/account', { default_currency: `${letter}es` })).toHaveProperty(
          'default_currency',
        )
        expect(await shop.refusal('PATCH', '/account', { timezone: `${letter}st` })).toHaveProperty('timezone')
      }
      expect((await shop.patch('/account', { default_currency: 'KES' })).default_currency).toBe('kes')
    })

    it('finds a product by no address but its own', async () => {
      const { slug } = await shop.product({ name: `${KELVIN}elvin ${LONG_S}ign` })
      expect(slug).toBe('kelvin-sign')
      for (const other of ['Kelvin-sign', `${KELVIN}elvin-sign`, `kelvin-${LONG_S}ign`])
        expect((await shop.api('GET', `/products/${encodeURIComponent(other)}`)).status).toBe(404)
    })

    it('in the name of a tag is the same letter only where Unicode says that the two are equal', async () => {
      const { id } = await shop.tag({ name: 'kilo ska' })
      expect((await shop.tag({ name: `${KELVIN}ilo S\u212aa` })).id).toBe(id)
      for (const name of [`kilo ${LONG_S}ka`, `${FULLWIDTH_K}ilo ska`])
        expect((await shop.tag({ name })).id).not.toBe(id)
    })

    it('that is none, NUL or half a pair, is refused and named, and kept nowhere', async () => {
      for (const name of ['a\0b', 'a\ud800b', '\udc00']) {
        const says = { name: ['must not contain NUL characters or lone surrogates'] }
        expect(await shop.refusal('POST', '/tags', { name })).toEqual(says)
        expect(
          (await shop.refusal('POST', '/products', { name: 'Tea', metadata: { key: name } }))['metadata.key'],
        ).toEqual(says.name)
        expect((await shop.api('GET', `/tags?query=${encodeURIComponent('\0')}`)).status).toBe(400)
      }
    })

    it('of any kind may be in a program, which is kept without it', async () => {
      const headers = { Authorization: `Bearer ${shop.running.token}`, 'Content-Type': 'application/json' }
      const run = async (code: string) => {
        const params = { name: 'code_execute', arguments: { code } }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        const answer = await fetch(`${shop.running.url}/mcp`, { method: 'POST', headers, body })
        return [answer.status, ((await answer.json()) as { error?: unknown }).error]
      }
      for (const text of ['\0', '\ud800', '\udc00x', KELVIN])
        for (const first of ['', '# dry_run: true\n', '# once: key\n'])
          expect(await run(`${first}post("/tags", name: "Plan ${first.length}")\n"${text}" # ${text}`)).toEqual([
            200,
            undefined,
          ])
    })
  })
})
