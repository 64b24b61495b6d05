import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { runsTable } from '../agents/runs.ts'
import { columnsOf } from '../derived/columns.ts'
import { listQuery } from '../derived/list.ts'
import { nounTable } from '../derived/table.ts'
import { rowsIn } from '../kit/ask.ts'
import type { Visit } from '../kit/visit.ts'

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

/** What agents, tasks and people ran last. */
export async function latestRuns(visit: Visit): Promise<Page> {
  const { rows: runs } = rowsIn(await visit.ask('GET /runs', { query: { limit: ROWS } }))
  if (runs.length === 0) return html``
  return headed(visit, { path: 'runs', heading: 'Latest runs', all: 'All runs' }, runsTable(visit, runs))
}

function headed(visit: Visit, { path, heading, all }: Latest, content: Page): Page {
  return html`<section class="related" aria-labelledby="latest-${path}"><header><h2 id="latest-${path}">${heading}</h2><a href="${visit.base}/${path}">${all}</a></header>
${content}</section>`
}
