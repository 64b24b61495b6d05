import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import { bodySchema } from '../../src/contract/documents/schemas.ts'
import { readConformance } from '../support/conformance.ts'
import { SEED, times } from '../support/depth.ts'
import { startSite } from '../support/local-site.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'
import { type Ids, stock, stockFor } from '../support/stock.ts'
import { malformedRequests } from './malformed.ts'
import { validRequests } from './requests.ts'
import { type GeneratedRequest, send } from './send.ts'
import { kindsNamedIn, type Surroundings } from './values.ts'

const { shop: resources } = PRODUCT

type AnyOperation = Shop['operations'][number]

/** Requests of each kind for each operation. They are sent so many at the same time, as callers do. */
const REQUESTS = times({ gate: 20, deep: 200 })
const AT_ONCE = 20

/** Answers that say that another site failed. */
const FAILED_OUTSIDE = ['webhook_delivery_failed', 'upstream_failed']

/** A request on one line, as a report should show it. */
const shown = ({ method, path, headers, body }: GeneratedRequest) =>
  `${method} ${path.slice(0, 500)} ${JSON.stringify(headers ?? {})} ${typeof body === 'string' ? body.slice(0, 2_000) : (body ?? '')}`

describe('Of every operation', () => {
  onEachEngine((shop) => {
    let departures: Awaited<ReturnType<typeof readConformance>>
    let addresses: string[]

    beforeAll(async () => {
      departures = await readConformance(shop.running)
      const { url } = await startSite({ '/': '<a href="/about">About</a>' }, { keepsAlive: false })
      addresses = [url, `${url}/about`, `${url}/sitemap.xml?a=1#b`]
    })

    let shared: ReturnType<typeof open> | undefined

    async function open(name: string, fill: (own: Shop) => Promise<Ids>) {
      const account = await shop.running.another(name)
      const own = shop.as(account)
      return { own, token: account.token, around: { ids: await fill(own), addresses } satisfies Surroundings }
    }

    /** A shop with one of everything to read, and for an operation that writes one of its own, with what it can name. */
    async function stocked(operation: AnyOperation, kind: string) {
      if (!operation.writes) {
        shared ??= open('read', stock)
        return shared
      }
      const name = `${kind}-${operation.id.replaceAll('_', '-')}`
      return open(name, (own) => stockFor(own, operation, kindsNamedIn(bodySchema(operation) ?? {})))
    }

    /** What of the answer to a request is wrong, and its status. */
    async function answered(own: Shop, token: string, request: GeneratedRequest) {
      const { asked, answer } = await send(own, token, request)
      const isOurFault = answer.status >= 500 && !FAILED_OUTSIDE.includes(answer.body?.error?.code)
      const faults = [...(isOurFault ? [answer.text] : []), ...departures(request.method, asked, answer)]
      return {
        status: answer.status,
        faults: faults.map((fault) => `${shown(request)}\n  → ${answer.status} ${fault}`),
      }
    }

    /** Sends generated requests, some at the same time, and gives the statuses. A fault is then looked for one by one. */
    async function statusesOf(own: Shop, token: string, requests: fc.Arbitrary<GeneratedRequest>) {
      const parameters = { seed: SEED, numRuns: REQUESTS }
      const results: Awaited<ReturnType<typeof answered>>[] = []
      const sample = fc.sample(requests, parameters)
      for (let start = 0; start < sample.length; start += AT_ONCE)
        results.push(
          ...(await Promise.all(sample.slice(start, start + AT_ONCE).map((one) => answered(own, token, one)))),
        )
      const faults = results.flatMap((result) => result.faults)
      if (faults.length > 0) {
        const alone = fc.asyncProperty(requests, async (request) => {
          expect((await answered(own, token, request)).faults).toEqual([])
        })
        await fc.assert(alone, parameters)
        expect(faults, `Only when sent together, with TEST_SEED=${SEED}`).toEqual([])
      }
      return results.map(({ status }) => status)
    }

    for (const { id } of resources.flatMap((resource) => resource.operations)) {
      const operation = () => shop.operations.find((one) => one.id === id)!

      it(`valid requests of ${id} are answered as declared, and some succeed`, async () => {
        const { own, token, around } = await stocked(operation(), 'valid')
        const statuses = await statusesOf(own, token, validRequests(own, operation(), around))
        expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(0)
      })

      it(`malformed requests of ${id} are refused as declared, most of them`, async () => {
        const { own, token, around } = await stocked(operation(), 'wrong')
        const statuses = await statusesOf(own, token, malformedRequests(own, operation(), around.ids))
        expect(statuses.filter((status) => status >= 400).length).toBeGreaterThan(statuses.length / 2)
      })
    }
  })
})
