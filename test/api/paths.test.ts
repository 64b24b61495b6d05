import { beforeAll, describe, expect, it } from 'vitest'
import { onGateEngine } from '../support/shop.ts'
import { call, type Ids, pathOf, stock, stockFor } from '../support/stock.ts'
import { UNRELATED } from '../support/unrelated-paths.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT']

describe('Every path', () => {
  onGateEngine((shop) => {
    let ids: Ids
    beforeAll(async () => {
      ids = await stock(shop)
    })

    it('answers with the id of the request and what is left of the budget', async () => {
      const requests = new Set<string>()
      for (const operation of shop.operations) {
        const ids = await stockFor(shop, operation)
        const found = await call(shop, operation, ids)
        const refused = await shop.api(operation.method, `${pathOf(operation, ids)}x/y`)
        for (const { headers } of [found, refused]) {
          requests.add(headers.get('request-id')!)
          expect(headers.get('request-id')).toMatch(/^req_[0-9a-z]{26}$/)
          // A slow operation has a budget of its own besides.
          expect(headers.get('ratelimit-policy')).toMatch(/^"default";q=10000000;w=60(, "\w+";q=\d+;w=60)?$/)
          expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+(, "\w+";r=\d+;t=\d+)?$/)
          expect(headers.get('content-type')).toBe('application/json')
        }
        expect(found.status).toBe(operation.status)
      }
      expect(requests.size).toBe(2 * shop.operations.length)
    })

    it('names the methods it has to any other, and to one who asks', async () => {
      const methodsOf = Map.groupBy(shop.operations, (one) => one.path)
      for (const [, operations] of methodsOf) {
        const declared = operations.map((one) => one.method as string)
        const has = [...declared, ...(declared.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
        const path = pathOf(operations[0]!, ids)
        for (const method of METHODS.filter((one) => !has.includes(one))) {
          const { status, body, headers } = await shop.api(method, path)
          expect([status, body.error.code]).toEqual([405, 'method_not_allowed'])
          expect(body.error.message).toBe(`${method} is not allowed on ${path}. Allowed: ${headers.get('allow')}`)
          expect(headers.get('allow')!.split(', ').sort()).toEqual([...has].sort())
        }
        const asked = await shop.running.api('OPTIONS', path)
        expect([asked.status, asked.text, asked.headers.get('allow')!.split(', ').sort()]).toEqual([
          204,
          '',
          has.sort(),
        ])
      }
      expect((await shop.api('OPTIONS', '/nowhere')).status).toBe(404)
    })

    it('gives nothing but headers to HEAD, where there is something to GET', async () => {
      const ids = await stock(shop)
      for (const operation of shop.operations.filter((one) => one.method === 'GET')) {
        const { status, text, headers } = await shop.running.api('HEAD', pathOf(operation, ids))
        expect([operation.id, status, text]).toEqual([operation.id, 200, ''])
        expect(headers.get('request-id')).toMatch(/^req_/)
      }
      const refused = await shop.running.api('HEAD', `/reviews/${ids.review}/position`)
      expect([refused.status, refused.text, refused.headers.get('allow')]).toEqual([405, '', 'POST, OPTIONS'])
    })

    it('is suggested to one who mistyped it', async () => {
      for (const [wrong, right] of [
        ['/prodcts', '/products'],
        ['/product', '/products'],
        [`/price_variant/${ids.price_variant}`, `/price_variants/${ids.price_variant}`],
        [`/reviews/${ids.review}/positon`, `/reviews/${ids.review}/position`],
        ['/blogposts', '/blog_posts'],
        ['/Products', '/products'],
      ]) {
        const { status, body } = await shop.api('GET', wrong!)
        expect([status, body.error.code]).toEqual([404, 'resource_missing'])
        expect(body.error.message).toContain(`Did you mean ${right}?`)
      }
      for (const wrong of UNRELATED) {
        const { status, body } = await shop.api('GET', wrong)
        expect([wrong, status, body.error.message]).toEqual([wrong, 404, `No such path: ${wrong}.`])
      }
      for (const wrong of [
        '',
        '/',
        '/xyzzy-plugh',
        `/${'a/'.repeat(1000)}`,
        '/%',
        '/products/%E0%A4%A/x',
        '/..%2f..%2fetc',
      ]) {
        expect([wrong, (await shop.api('GET', wrong)).status]).toEqual([wrong, 404])
      }
    })

    it('explains each error on a page of its own', async () => {
      for (const [path, status] of [
        ['/nowhere', 404],
        ['/products?limit=0', 400],
      ] as const) {
        const answer = await shop.api('GET', path)
        expect(answer.status).toBe(status)
        const page = await fetch(answer.body.error.doc_url)
        expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(answer.body.error.code)])
      }
    })
  })
})
