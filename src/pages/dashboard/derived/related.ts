import { html } from 'hono/html'
import type { Noun } from '../../../contract/declarations/noun.ts'
import type { Page } from '../../parts/markup.ts'
import { rowsIn, type Values } from '../kit/ask.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { mayCall, type Visit, withQuery } from '../kit/visit.ts'
import { pluralTitle } from '../kit/words.ts'
import { columnsOf, expandedBy } from './columns.ts'
import { nounTable } from './table.ts'

const ROWS = 5

/** The newest of everything whose list can be narrowed by a thing: the orders of a customer, the reviews of a product. */
export async function relatedLists(
  visit: Visit,
  noun: Noun,
  values: Values,
  only: readonly string[] | undefined,
): Promise<Page> {
  const lists = visit.catalogue.all().filter(({ list, noun: other, path }) => {
    const isOwnList = list?.kind === 'list' && list.path === `/${path}` && mayCall(visit, list)
    return isOwnList && list.query[noun.name] !== undefined && other !== noun && (only?.includes(other.name) ?? true)
  })
  const sections = await Promise.all(lists.map((things) => relatedList(visit, things, noun, values)))
  return html`${sections}`
}

/** One of these lists, with the way to all of it; nothing where it is empty. */
async function relatedList(visit: Visit, things: Manageable, of: Noun, values: Values): Promise<Page> {
  const { noun, path, list } = things
  const view = visit.catalogue.viewOf(noun.name)
  const columns = columnsOf(noun, view).filter((name) => name !== of.name)
  const expand = expandedBy(things, columns, view)
  const id = String(values.id)
  const query = { [of.name]: id, limit: ROWS, ...(expand.length > 0 && { expand }) }
  const { rows, more } = rowsIn(await visit.askAny('GET', list!.path, { query }))
  if (rows.length === 0) return html``
  const all = withQuery(`${visit.base}/${path}`, { [of.name]: id })
  return html`<section class="related" aria-labelledby="r-${path}"><header><h2 id="r-${path}">${pluralTitle(path)}</h2>
${more ? html`<a href="${all}">All ${pluralTitle(path).toLowerCase()}</a>` : ''}</header>
${nounTable(visit, { noun, columns, rows, caption: pluralTitle(path), cells: view?.cells })}</section>`
}
