import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { runsInShort } from '../agents/runs.ts'
import { headed } from '../derived/latest.ts'
import { rowsIn } from '../kit/ask.ts'
import { mayOpen } from '../kit/page-rights.ts'
import type { Visit } from '../kit/visit.ts'

const ROWS = 5

/** What agents, tasks and people ran last. */
export async function latestRuns(visit: Visit): Promise<Page> {
  if (!mayOpen(visit, '/runs')) return html``
  const { rows: runs } = rowsIn(await visit.ask('GET /runs', { query: { limit: ROWS } }))
  if (runs.length === 0) return html``
  return headed(visit, { path: 'runs', heading: 'Latest runs', all: 'All runs' }, runsInShort(visit, runs))
}
