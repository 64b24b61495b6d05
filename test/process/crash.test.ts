import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { times } from '../support/depth.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'

const ROUNDS = times({ gate: 2, deep: 10 })
const WRITERS = 4
/** Enough acknowledged writes of a round for the kill to come in the middle of others. */
const ENOUGH = 30

/** What was acknowledged: products by their mark, and how many prices each was given. */
type Acknowledged = Map<string, number>

/** One program is one transaction: both products or neither. */
const pair = (
  mark: string,
) => `ids = [1, 2].map { |n| post('/products', name: 'One of two', seo_title: "${mark} #{n}")[:id] }
ids.compact.size`

describe('a server that is killed while it writes, again and again', () => {
  let directory: string
  let remove: () => Promise<void>
  let environment: Environment
  let token: string
  const acknowledged: Acknowledged = new Map()
  const pairs = new Set<string>()

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    environment = environmentOf(directory, { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' })
    token = await prepareShop(environment)
    for (let round = 0; round < ROUNDS; round++) await writeUntilKilled(round)
  }, 600_000)
  afterAll(() => {
    killAll()
    return remove()
  })

  async function writeUntilKilled(round: number): Promise<void> {
    const server = await startServer(environment)
    let written = 0
    let killed = false
    const repeat = async (write: (turn: number) => Promise<void>) => {
      for (let turn = 0; !killed; turn++) {
        try {
          await write(turn)
          written += 1
        } catch (error) {
          // A write that was cut off counts for nothing: it may be there or not.
          if (!killed) throw error
        }
      }
    }
    const writers = Array.from({ length: WRITERS }, (_, writer) => [
      repeat((turn) => writeProduct(server, `Product ${round}/${writer}/${turn}`)),
      repeat((turn) => writePair(server, `Pair ${round}/${writer}/${turn}`)),
    ]).flat()
    const done = Promise.all(writers)
    while (written < ENOUGH) await Promise.race([sleep(5), done])
    await sleep(Math.random() * 100)
    killed = true
    expect(await server.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: '' })
    await done
  }

  async function writeProduct(server: Server, mark: string): Promise<void> {
    const product = await server.api('POST', '/products', { name: mark, seo_title: mark }, { token })
    expect(product.status, product.text).toBe(201)
    acknowledged.set(mark, 0)
    for (const count of [1, 2]) {
      const price = { product_id: product.body.id, name: `Price ${count}`, amount_type: 'free' }
      expect((await server.api('POST', '/price_variants', price, { token })).status).toBe(201)
      acknowledged.set(mark, count)
    }
  }

  async function writePair(server: Server, mark: string): Promise<void> {
    const answer = await server.tool('code_execute', pair(mark), token)
    expect(answer, JSON.stringify(answer)).toMatchObject({ committed: 'all', result: 2 })
    pairs.add(mark)
  }

  it('starts again each time with every acknowledged write, no half program, and its numbers in order', async () => {
    const server = await startServer(environment)
    const products = await allProducts(server, token)
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
    const marks = new Set(products.map(({ seo_title }) => seo_title))
    expect([...acknowledged.keys()].filter((mark) => !marks.has(mark))).toEqual([])
    expect([...pairs].filter((mark) => !marks.has(`${mark} 1`))).toEqual([])
    expect([...marks].filter((mark) => mark.startsWith('Pair') && !marks.has(otherOf(mark)))).toEqual([])
    expect(marks.size).toBe(products.length)
    expect(new Set(products.map(({ slug }) => slug)).size).toBe(products.length)
    for (const { seo_title, price_variants } of products) {
      expect(price_variants.length).toBeGreaterThanOrEqual(acknowledged.get(seo_title) ?? 0)
      expect(price_variants.map(({ position }) => position)).toEqual(price_variants.map((_, index) => index + 1))
    }
    expect(acknowledged.size + pairs.size).toBeGreaterThanOrEqual(ROUNDS * (ENOUGH - WRITERS))
  })
})

interface Product {
  /** What a writer knows it by. */
  seo_title: string
  slug: string
  price_variants: { position: number }[]
}

async function allProducts(server: Server, token: string): Promise<Product[]> {
  const products: (Product & { id: string })[] = []
  for (let more = true; more; ) {
    const after = products.length > 0 ? `&starting_after=${products.at(-1)!.id}` : ''
    const { status, body } = await server.api('GET', `/products?limit=100&expand=price_variants${after}`, undefined, {
      token,
    })
    expect(status).toBe(200)
    products.push(...body.data)
    more = body.has_more
  }
  return products
}

/** The other product of the same program. */
function otherOf(mark: string): string {
  return mark.slice(0, -1) + (mark.endsWith('1') ? '2' : '1')
}
