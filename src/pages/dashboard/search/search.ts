import { setTimeout as sleep } from 'node:timers/promises'
import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { sentenceOf } from '../derived/problem-words.ts'
import { dashboardAnswer, framed } from '../kit/answers.ts'
import { refusalOf, rowsIn } from '../kit/call.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { pluralTitle } from '../kit/words.ts'
import { actionsFor, placesFor, type SearchLink } from './offers.ts'

/** The maximum length of a query in characters. */
const MAX_QUERY = 200
const MOST_ROWS = 100
const MOST_OFFERS = 5
const MOST_PAGES = 4
/** The maximum wait for results from the documentation, because the first search starts building the index. */
const DOCUMENTATION_MS = 150

/** The value of the query parameter `as` with which the palette requests only the results. */
const AS_OPTIONS = 'options'

/** The search palette on every page shows the same results. */
export const searchPage: DashboardPage = {
  path: '/search',
  see: 'account.read',
  get: async (visit) => {
    const query = (visit.query.get('q') ?? '').slice(0, MAX_QUERY)
    const found = await findFor(visit, query)
    if (visit.query.get('as') === AS_OPTIONS) return dashboardAnswer(optionsOf(found))
    const lead =
      'Orders, customers, products and everything else of this account, by name, e-mail address, number or ID.'
    return framed(visit, { title: 'Search', lead }, html`${searchForm(visit, query)}${resultsOf(found, query)}`)
  },
}

function searchForm({ base }: DashboardContext, query: string): Page {
  return html`<form class="search-form" role="search" action="${base}/search"><label class="unseen" for="q">Search this account</label>
<input type="search" id="q" name="q" value="${query}" maxlength="${MAX_QUERY}" autocomplete="off" autocapitalize="off" spellcheck="false"><button class="primary">Search</button></form>`
}

function resultsOf({ groups, problem }: SearchResults, query: string): Page {
  if (problem !== null) return html`<p class="notice bad" role="alert">${problem}</p>`
  if (query.trim() === '')
    return html`<p class="hint">For example: a buyer’s name, a part of an e-mail address, an invoice number, or what you want to do, such as “new product”.</p>`
  if (groups.length === 0) return html`<div class="empty"><p>${NOTHING}</p></div>`
  return html`${groups.map(
    ({ title, items, outside }) =>
      html`<section class="found"><h2>${title}</h2><ul>${items.map(
        ({ words, detail, address }) =>
          html`<li><a class="found-link" href="${address}"${withoutTurbo(outside)}>${resultText(words, detail)}</a></li>`,
      )}</ul></section>`,
  )}`
}

/** Renders the results as a list box. The focus stays in the search field, which refers to the active option. */
function optionsOf({ groups, problem }: SearchResults): Page {
  if (problem !== null) return html`<p class="found-none">${problem}</p>`
  if (groups.length === 0) return html`<p class="found-none">${NOTHING}</p>`
  return html`${groups.map((group, place) => optionGroup(group, place))}`
}

function optionGroup({ title, items, outside }: ResultGroup, place: number): Page {
  return html`<div role="group" aria-labelledby="found-${place}"><div class="found-title" id="found-${place}" role="presentation">${title}</div>${items.map(
    ({ words, detail, address }, at) =>
      html`<a class="found-link" role="option" aria-selected="false" tabindex="-1" id="found-${place}-${at}" href="${address}"${withoutTurbo(outside)}>${resultText(words, detail)}</a>`,
  )}</div>`
}

function resultText(words: string, detail: string | null): Page {
  return html`<span class="found-words">${words}</span>${detail ? html`<span class="found-detail">${detail}</span>` : ''}`
}

function withoutTurbo(outside = false): Page | string {
  return outside ? html` data-turbo="false"` : ''
}

const NOTHING = 'Nothing was found. Words are found by their beginnings: try fewer, or a part of an e-mail address.'

interface ResultGroup {
  title: string
  items: SearchLink[]
  /** Whether the links lead to pages that are not part of the dashboard. */
  outside?: boolean
}

interface SearchResults {
  groups: ResultGroup[]
  problem: string | null
}

async function findFor(visit: DashboardContext, given: string): Promise<SearchResults> {
  const query = readable(given)
  if (query === '') return { groups: [], problem: null }
  const answer = await visit.call('GET /search', { query: { query, limit: MOST_ROWS } })
  const refusal = refusalOf(answer)
  const rows = refusal ? [] : groupsOf(visit, rowsIn(answer).rows)
  const offers: ResultGroup[] = [
    { title: 'Actions', items: actionsFor(visit, query).slice(0, MOST_OFFERS) },
    { title: 'Pages', items: placesFor(visit, query).slice(0, MOST_OFFERS) },
  ]
  const documentation = { title: 'Documentation', items: await documentationFor(visit, query), outside: true }
  const groups = [...rows, ...offers, documentation].filter(({ items }) => items.length > 0)
  return { groups, problem: refusal && sentenceOf(refusal.message) }
}

/** Replaces control characters, because the API does not accept them in texts. */
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

/** Groups the results by type. The order of the API's response stays, because it has exact matches first. */
function groupsOf({ catalogue }: DashboardContext, rows: readonly Row[]): ResultGroup[] {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  return [...byKind].map(([kind, found]) => ({
    title: pluralTitle(catalogue.of(kind)?.path ?? kind),
    items: found.map(({ title, detail, path }) => ({ words: title, detail, address: path })),
  }))
}

async function documentationFor({ parts }: DashboardContext, query: string): Promise<SearchLink[]> {
  const late = sleep(DOCUMENTATION_MS, [])
  const pages = await Promise.race([parts.findDocumentation(query), late])
  return pages
    .slice(0, MOST_PAGES)
    .map(({ title, path, section }) => ({ words: title, detail: section, address: path }))
}
