import type { Ask } from '../../kit/ask.ts'

const MOST = 100

/** Puts prices of a product into an order; others of it, such as archived ones, keep their places among them. */
export async function orderPrices(ask: Ask, product: string, wanted: readonly string[]): Promise<void> {
  const { body } = await ask('GET /price_variants', { query: { product, limit: MOST } })
  const now = body.data.map(({ id }) => id)
  const next = wanted.filter((id) => now.includes(id))
  const goal = now.map((id) => (wanted.includes(id) ? next.shift()! : id))
  for (const [index, id] of goal.entries()) {
    if (now[index] === id) continue
    await ask('PATCH /price_variants/{id}', { path: { id }, body: { position: index + 1 } })
    now.splice(now.indexOf(id), 1)
    now.splice(index, 0, id)
  }
}
