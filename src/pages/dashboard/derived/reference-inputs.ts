import { html } from 'hono/html'
import type { Field } from '../../../contract/declarations/field.ts'
import type { Page } from '../../parts/markup.ts'
import { rowsIn, type Values } from '../kit/ask.ts'
import type { Visit } from '../kit/visit.ts'
import { nameOf } from '../kit/words.ts'

/** Things that a choice of a reference offers; where there are more, their id is pasted. */
const MOST_OFFERED = 100

export type Offer = [id: string, words: string]

/** The things that a reference may be to, or null where they are too many to choose from, or one of `chosen` is not among them. */
export async function offersOf(visit: Visit, { spec }: Field, chosen: string[]): Promise<Offer[] | null> {
  const things = visit.catalogue.of(spec.relation!.noun)
  if (!things?.list || things.list.path !== `/${things.path}`) return null
  const ofProduct = things.list.expandable && things.noun.fields.product?.spec.relation?.expandable
  const query = { limit: MOST_OFFERED, ...(ofProduct && { expand: ['product'] }) }
  const { rows, more } = rowsIn(await visit.askAny('GET', things.list.path, { query }))
  const isKnown = chosen.every((id) => rows.some((one) => one.id === id))
  if (more || !isKnown || rows.length === 0) return null
  return rows.map((one) => [String(one.id), offerWords(one)])
}

/** Prices are known by their product as well: `Field Guide, Single`. */
function offerWords(one: Values): string {
  const { product } = one
  return typeof product === 'object' && product !== null ? `${nameOf(product as Values)}, ${nameOf(one)}` : nameOf(one)
}

interface ChecksOptions {
  field: Field
  name: string
  id: string
  /** The chosen ids, a line each. */
  text: string
  described: Page
}

/** Boxes of the things that a list of references may hold, the chosen ones first and in their order; null where they are too many. */
export async function checksOf(
  visit: Visit,
  { field, name, id, text, described }: ChecksOptions,
): Promise<Page | null> {
  const chosen = text.split('\n').flatMap((line) => line.trim() || [])
  const offers = await offersOf(visit, field, chosen)
  if (offers === null) return null
  const ordered = [
    ...chosen.flatMap((one) => offers.filter(([offered]) => offered === one)),
    ...offers.filter(([offered]) => !chosen.includes(offered)),
  ]
  const boxes = ordered.map(
    ([offered, words]) =>
      html`<label><input type="checkbox" name="${name}" value="${offered}"${chosen.includes(offered) ? html` checked` : ''}> ${words}</label>`,
  )
  return html`<input type="hidden" name="${name}" value=""><div class="checks long-checks" id="${id}" role="group" tabindex="-1"${described}>${boxes}</div>`
}
