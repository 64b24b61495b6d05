import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { knownAddresses } from '../../src/mcp/endpoint/addresses.ts'
import { toRequest } from '../../src/mcp/program/request-path.ts'
import type { Json, ProgramCall } from '../../src/sandbox/api.ts'
import { times } from '../support/depth.ts'
import { asParams, asText, type Said } from '../support/said.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'
import { type Ids, pathOf, stock } from '../support/stock.ts'

describe('A query over HTTP and the same of a program', () => {
  onGateEngine((shop) => {
    /** A call of a program, as the host sees it. */
    const ask = async (method: ProgramCall['method'], path: string, params: ProgramCall['params']) => {
      const request = toRequest(
        { method, path, params, line: 1, listing: false, over: null },
        knownAddresses(shop.running.url, [], []),
      )
      return shop.running.app.pipeline.runUnmetered({ ...request, caller: await callerOf(shop) })
    }

    let ids: Ids
    beforeAll(async () => {
      ids = await stock(shop)
    })

    it('in programs are hashes and lists, and answer as over HTTP', async () => {
      const same = async (path: string, text: string, params: { [key: string]: Json }) => {
        const { body } = await shop.api('GET', `${path}?${text}`)
        expect((await ask('GET', path, params)).body).toEqual(body)
        return body
      }
      const draft = await same(
        '/products',
        'status[]=draft&status[]=archived&created_at[gte]=2026-01-01&expand=reviews',
        {
          status: ['draft', 'archived'],
          created_at: { gte: '2026-01-01' },
          expand: ['reviews'],
        },
      )
      expect(draft.data.length).toBeGreaterThan(0)
      await same('/price_variants', 'amount[lt]=x', { amount: { lt: 'x' } })
      await same('/price_variants', 'amuont[lt]=5', { 'amuont[lt]': 5 })
      await same('/customers', 'metadata[campaign]=spring', { metadata: { campaign: 'spring' } })
      expect((await ask('GET', '/products', { status: null })).body).toMatchObject({ error: { param: 'status' } })
    })

    it('that do not exist are refused on every operation, with what was meant', async () => {
      for (const operation of shop.operations) {
        const { status, body } = await ask(operation.method, `${pathOf(operation, ids)}?expnd=x`, {})
        expect([operation.id, status, body]).toMatchObject([
          operation.id,
          400,
          { error: { code: 'parameter_unknown', param: 'expnd' } },
        ])
      }
      expect((await shop.api('GET', '/products?stats=draft')).body.error.message).toContain('Did you mean status?')
      expect((await shop.api('POST', '/tags?name=x', {})).body.error.message).toContain('belongs in the body')
      const deletion = await shop.api('DELETE', `/tags/${ids.tag}?expand=customers`)
      expect([deletion.status, deletion.body.error.code, deletion.body.error.param]).toEqual([
        400,
        'parameter_invalid',
        'expand',
      ])
      expect(await shop.refusal('GET', '/account?expand=owner')).toEqual([400, 'parameter_invalid', 'expand'])
      expect((await shop.get(`/tags/${ids.tag}`)).id).toBe(ids.tag)
    })

    it('never fail, and answer a program as they answer over HTTP', async () => {
      const reads = shop.operations.filter((one) => one.method === 'GET')
      const names = [
        ...new Set(reads.flatMap(({ query }) => Object.keys(query))),
        'expand',
        'unknown',
        '__proto__',
        'toString',
        'n'.repeat(300),
      ]
      const key = fc.constantFrom('gt', 'gte', 'lt', 'lte', 'ge', 'campaign', '__proto__', '\0', "'", '"', '😀', '%')
      const value = fc.oneof(
        fc.constantFrom(
          '',
          '1',
          '0',
          '-1',
          '3',
          'true',
          'draft',
          'active',
          'usd',
          '2026-01-15',
          '2026-01-15T10:30:00+02:00',
        ),
        fc.constantFrom(
          'tags',
          'product',
          '999999999999999',
          '1e400',
          '4.5',
          "'; drop table products; --",
          '%',
          '\\',
          '\0',
        ),
        fc.constant('x'.repeat(600)),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
      )
      const name = fc.constantFrom(...names)
      const plain = fc.tuple(name, fc.array(value, { minLength: 1, maxLength: 3 }))
      const index = fc.tuple(fc.constantFrom('0', '7'), value).map((entry) => [entry])
      const keys = fc.uniqueArray(fc.tuple(key, value), { minLength: 1, maxLength: 3, selector: ([one]) => one })
      const hash = fc.tuple(name, fc.oneof(keys, index))
      const query = fc.uniqueArray(
        fc.oneof(
          plain.map(([one, values]) => ({ name: one, said: values.map((value): Said => ({ name: one, value })) })),
          hash.map(([one, entries]) => ({
            name: one,
            said: entries.map(([key, value]): Said => ({ name: one, key, value })),
          })),
        ),
        { maxLength: 3, selector: (one) => one.name },
      )
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...reads.map((one) => one.id)), query, async (id, parts) => {
          const operation = reads.find((one) => one.id === id)!
          const query = parts.flatMap((part) => part.said)
          const path = pathOf(operation, ids)
          const { status, body } = await shop.api('GET', `${path}?${asText(query)}`)
          expect([200, 400, 404]).toContain(status)
          expect((await ask('GET', path, asParams(query))).body).toEqual(body)
        }),
        { numRuns: times({ gate: 60, deep: 400 }) },
      )
    })
  })
})

/** Who the token of the shop's account stands for. */
async function callerOf({ db, accountId }: Shop): Promise<Caller> {
  const member = await db
    .selectFrom('memberships')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { kind: 'token', accountId, userId: member.user_id, role: 'owner', tokenId: 'program', right: 'write' }
}
