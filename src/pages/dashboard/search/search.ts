import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { framed } from '../kit/frame.ts'
import type { DashboardPage, Visit } from '../kit/visit.ts'
import { type Found, findFor, type Group, MAX_QUERY } from './found.ts'

/** What the palette asks for: the results alone, as the options of its list. */
const AS_OPTIONS = 'options'

/** Finds anything of the account, and what can be done. The palette of every page shows the same. */
export const search: DashboardPage = {
  path: '/search',
  get: async (visit) => {
    const query = (visit.query.get('q') ?? '').slice(0, MAX_QUERY)
    const found = await findFor(visit, query)
    if (visit.query.get('as') === AS_OPTIONS) return dashboardAnswer(optionsOf(found))
    const lead =
      'Orders, customers, products and everything else of this account, by name, e-mail address, number or ID.'
    return framed(visit, { title: 'Search', lead }, html`${field(visit, query)}${resultsOf(found, query)}`)
  },
}

function field({ base }: Visit, query: string): Page {
  return html`<form class="search-form" role="search" action="${base}/search"><label class="unseen" for="q">Search this account</label>
<input type="search" id="q" name="q" value="${query}" maxlength="${MAX_QUERY}" autocomplete="off" autocapitalize="off" spellcheck="false"><button class="primary">Search</button></form>`
}

function resultsOf({ groups, problem }: Found, query: string): Page {
  if (problem !== null) return html`<p class="notice bad" role="alert">${problem}</p>`
  if (query.trim() === '')
    return html`<p class="hint">For example: a buyer’s name, a part of an e-mail address, an invoice number, or what you want to do, such as “new product”.</p>`
  if (groups.length === 0) return html`<div class="empty"><p>${NOTHING}</p></div>`
  return html`${groups.map(
    ({ title, items, outside }) =>
      html`<section class="found"><h2>${title}</h2><ul>${items.map(
        ({ words, detail, address }) =>
          html`<li><a class="found-link" href="${address}"${turbo(outside)}>${inside(words, detail)}</a></li>`,
      )}</ul></section>`,
  )}`
}

/** For a list box: the focus stays in the field, which names the option that Enter opens. */
function optionsOf({ groups, problem }: Found): Page {
  if (problem !== null) return html`<p class="found-none">${problem}</p>`
  if (groups.length === 0) return html`<p class="found-none">${NOTHING}</p>`
  return html`${groups.map((group, place) => optionGroup(group, place))}`
}

function optionGroup({ title, items, outside }: Group, place: number): Page {
  return html`<div role="group" aria-labelledby="found-${place}"><div class="found-title" id="found-${place}" role="presentation">${title}</div>${items.map(
    ({ words, detail, address }, at) =>
      html`<a class="found-link" role="option" aria-selected="false" tabindex="-1" id="found-${place}-${at}" href="${address}"${turbo(outside)}>${inside(words, detail)}</a>`,
  )}</div>`
}

function inside(words: string, detail: string | null): Page {
  return html`<span class="found-words">${words}</span>${detail ? html`<span class="found-detail">${detail}</span>` : ''}`
}

function turbo(outside = false): Page | string {
  return outside ? html` data-turbo="false"` : ''
}

const NOTHING = 'Nothing was found. Words are found by their beginnings: try fewer, or a part of an e-mail address.'
