import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { rowsIn } from '../kit/ask.ts'
import type { Visit } from '../kit/visit.ts'
import { listQuery } from './list.ts'
import { columnsOf, nounTable } from './table.ts'

const ROWS = 5

interface Latest {
  path: string
  heading: string
  all: string
}

/** The newest things of a list, with the way to all of it; nothing where there are none. */
export async function latest(visit: Visit, { path, heading, all }: Latest): Promise<Page> {
  const things = visit.catalogue.at(path)
  if (!things?.list) return html``
  const view = visit.catalogue.viewOf(things.noun.name)
  const columns = columnsOf(things.noun, view)
  const answer = await visit.askAny('GET', things.list.path, {
    query: { ...listQuery(visit, things, columns, view), limit: ROWS },
  })
  const { rows } = rowsIn(answer)
  if (rows.length === 0) return html``
  return headed(
    visit,
    { path, heading, all },
    nounTable(visit, { noun: things.noun, columns, rows, caption: heading, cells: view?.cells }),
  )
}

/** The first of some things under a heading, with the way to all of them. */
export function headed(visit: Visit, { path, heading, all }: Latest, content: Page): Page {
  return html`<section class="related" aria-labelledby="latest-${path}"><header><h2 id="latest-${path}">${heading}</h2><a href="${visit.base}/${path}">${all}</a></header>
${content}</section>`
}
