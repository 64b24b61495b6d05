import { setTimeout as sleep } from 'node:timers/promises'
import { sentenceOf } from '../derived/problem-words.ts'
import { refusalOf, rowsIn } from '../kit/ask.ts'
import type { Visit } from '../kit/visit.ts'
import { pluralTitle } from '../kit/words.ts'
import { actionsFor, type Offer, placesFor } from './offers.ts'

export interface Group {
  title: string
  items: Offer[]
  /** They are no pages of the dashboard. */
  outside?: boolean
}

/** Characters of a search; nobody types more. */
export const MAX_QUERY = 200
const MOST_ROWS = 100
const MOST_OFFERS = 5
const MOST_PAGES = 4
/** The index of the documentation is made with the first search, which does not wait for it. */
const DOCUMENTATION_MS = 150

export interface Found {
  groups: Group[]
  /** Why the rows could not be searched. */
  problem: string | null
}

/** All that a search finds: rows that are exactly what was asked for, actions and pages, other rows, documentation. */
export async function findFor(visit: Visit, given: string): Promise<Found> {
  const query = readable(given)
  if (query === '') return { groups: [], problem: null }
  const answer = await visit.ask('GET /search', { query: { query, limit: MOST_ROWS } })
  const refusal = refusalOf(answer)
  const rows = refusal ? [] : groupsOf(visit, rowsIn(answer).rows)
  const offers: Group[] = [
    { title: 'Actions', items: actionsFor(visit, query).slice(0, MOST_OFFERS) },
    { title: 'Pages', items: placesFor(visit, query).slice(0, MOST_OFFERS) },
  ]
  const documentation = { title: 'Documentation', items: await documentationFor(visit, query), outside: true }
  const groups = [...rows, ...offers, documentation].filter(({ items }) => items.length > 0)
  return { groups, problem: refusal && sentenceOf(refusal.message) }
}

/** What text of the API may hold: the rest can be no part of a name. */
function readable(given: string): string {
  return given
    .slice(0, MAX_QUERY)
    .toWellFormed()
    .replaceAll(/\p{Control}/gu, ' ')
    .trim()
}

interface Row {
  kind: string
  title: string
  detail: string | null
  path: string
}

/** In the order of the answer, whose exact matches are first. */
function groupsOf({ catalogue }: Visit, rows: readonly Row[]): Group[] {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  return [...byKind].map(([kind, found]) => ({
    title: pluralTitle(catalogue.of(kind)?.path ?? kind),
    items: found.map(({ title, detail, path }) => ({ words: title, detail, address: path })),
  }))
}

async function documentationFor({ parts }: Visit, query: string): Promise<Offer[]> {
  const late = sleep(DOCUMENTATION_MS, [])
  const pages = await Promise.race([parts.findDocumentation(query), late])
  return pages
    .slice(0, MOST_PAGES)
    .map(({ title, path, section }) => ({ words: title, detail: section, address: path }))
}
