import { beforeAll, describe, expect, it } from 'vitest'
import { expandableNames } from '../../src/contract/documents/describe.ts'
import { onEachEngine } from '../support/shop.ts'
import { call, type Ids, pathOf, stock, stockFor } from '../support/stock.ts'

describe('Every query', () => {
  onEachEngine((shop) => {
    let ids: Ids
    beforeAll(async () => {
      ids = await stock(shop)
    })
    const lists = () => shop.operations.filter((one) => one.kind === 'list')
    const refusal = async (path: string) => {
      const { status, body } = await shop.api('GET', path)
      return [status, body.error?.code, body.error?.param]
    }

    it('has a limit of 1 to 100', async () => {
      for (const { path } of lists()) {
        for (const limit of [
          '0',
          '101',
          '-1',
          'abc',
          '1.5',
          '',
          ' ',
          '1e1',
          '0x10',
          'NaN',
          '99999999999999999999',
          '1&limit=0',
        ]) {
          expect([limit, ...(await refusal(`${path}?limit=${limit}`))]).toEqual([
            limit,
            400,
            'parameter_invalid',
            'limit',
          ])
        }
        for (const limit of [1, 100]) expect((await shop.get(`${path}?limit=${limit}`)).object).toBe('list')
      }
    })

    it('filters by the values of a closed list only', async () => {
      let filters = 0
      for (const { path, query } of lists()) {
        for (const [name, field] of Object.entries(query)) {
          const options = field.spec.json?.enum as string[] | undefined
          const isFlag = field.spec.type === 'boolean'
          if (!options && !isFlag) continue
          filters++
          expect(await refusal(`${path}?${name}=unknown`)).toEqual([400, 'parameter_invalid', name])
          expect(await refusal(`${path}?${name}=`)).toEqual([400, 'parameter_invalid', name])
          for (const option of options ?? ['true', 'false']) {
            expect((await shop.get(`${path}?${name}=${option}`)).object).toBe('list')
          }
        }
      }
      expect(filters).toBeGreaterThan(5)
    })

    it('expands what is declared, comma-separated or repeated, and nothing else', async () => {
      for (const operation of shop.operations.filter((one) => one.method === 'GET')) {
        const path = pathOf(operation, ids)
        const names = operation.expandable
          ? expandableNames(operation.noun, shop.running.app.pipeline.presenter.findNoun)
          : []
        const repeated = names.map((name) => `expand[]=${name}`).join('&')
        for (const query of [
          `expand=${names.join(',')}`,
          repeated,
          `expand=${names[0] ?? ''}&${repeated}`,
          'expand=,',
        ]) {
          expect([path, query, (await shop.api('GET', `${path}?${query}`)).status]).toEqual([path, query, 200])
        }
        for (const name of [
          'unknown',
          'id',
          '__proto__',
          'constructor',
          `${names[0] ?? 'x'}.unknown`,
          '.',
          'a.b.c.d',
        ]) {
          expect([name, ...(await refusal(`${path}?expand=${name}`))]).toEqual([
            name,
            400,
            'parameter_invalid',
            'expand',
          ])
        }
      }
    })

    it('expands three deep and no deeper', async () => {
      const path = `/price_variants/${ids.price_variant}`
      expect(
        (await shop.get(`${path}?expand=product.price_variants.product`)).product.price_variants[0].product.id,
      ).toBe((await shop.get(path)).product)
      expect(await refusal(`${path}?expand=product.price_variants.product.reviews`)).toEqual([
        400,
        'parameter_invalid',
        'expand',
      ])
    })

    it('expands in the answers of writes too', async () => {
      for (const operation of shop.operations.filter((one) => one.writes && one.expandable)) {
        ids = { ...ids, ...(await stockFor(shop, operation)) }
        const names = expandableNames(operation.noun, shop.running.app.pipeline.presenter.findNoun).join(',')
        const ask = (expand: string) => call(shop, { ...operation, path: `${operation.path}?expand=${expand}` }, ids)
        expect([operation.id, (await ask(names)).status < 300]).toEqual([operation.id, true])
        const refused = await ask('unknown')
        expect([operation.id, refused.status, refused.body.error.param]).toEqual([operation.id, 400, 'expand'])
      }
    })

    it('with unknown names or odd characters is answered or refused', async () => {
      const odd = [
        'unknown=1',
        '__proto__=x&constructor=y',
        '&&==&=',
        'a=%',
        'a=%ff',
        '%00=a',
        'query=%ED%A0%80',
        `q=${'a'.repeat(8000)}`,
      ]
      for (const operation of shop.operations.filter((one) => one.method === 'GET')) {
        for (const query of odd) {
          const { status, body } = await shop.api('GET', `${pathOf(operation, ids)}?${query}`)
          const outcome = [operation.id, query, status, body.error?.code]
          const refused = query === 'query=%ED%A0%80' ? outcome : [operation.id, query, 400, 'parameter_unknown']
          expect(outcome).toEqual(refused)
          expect(status).toBeLessThan(500)
        }
        for (const name of Object.keys(operation.query)) {
          for (const value of ['%00', 'a%00b', '%27%22', '%25', '%5C', 'a'.repeat(8000), '%F0%9F%98%80', '__proto__']) {
            const { status } = await shop.api('GET', `${operation.path}?${name}=${value}`)
            expect([operation.id, name, value, status < 500]).toEqual([operation.id, name, value, true])
          }
        }
      }
    })
  })
})
