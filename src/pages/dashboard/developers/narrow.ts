import { html } from 'hono/html'
import { optionTags, type Page } from '../../parts/markup.ts'
import { type ActiveFilter, boundsOf } from '../derived/filters.ts'
import { foldedFilters } from '../kit/list-controls.ts'
import type { DashboardContext } from '../kit/visit.ts'

export function choiceOf(
  visit: DashboardContext,
  name: string,
  words: string,
  values: readonly (readonly [string, string])[],
): Page {
  const given = visit.query.get(name) ?? ''
  const options = optionTags([['', 'Any'], ...values], given)
  return html`<div class="filter"><label for="f-${name}">${words}</label><select id="f-${name}" name="${name}">${options}</select></div>`
}

export function chosenOf(
  { query }: DashboardContext,
  name: string,
  title: string,
  values: readonly (readonly [string, string])[],
): ActiveFilter[] {
  const [, words] = values.find(([value]) => value === query.get(name)) ?? []
  return words === undefined ? [] : [{ name, title, value: words }]
}

export function textOf(visit: DashboardContext, name: string, words: string): Page {
  return html`<div class="filter wide"><label for="f-${name}">${words}</label><input type="search" id="f-${name}" name="${name}" maxlength="200" spellcheck="false" value="${visit.query.get(name) ?? ''}"></div>`
}

export function daysOf(visit: DashboardContext): Page {
  const day = (name: string, words: string) =>
    html`<div class="filter"><label for="f-${name}">${words}</label><input type="date" id="f-${name}" name="${name}" value="${visit.query.get(name) ?? ''}"></div>`
  return html`${day('from', 'From')}${day('until', 'Until')}`
}

/** Returns the range of days in the page's query as a filter of the operation. The last day is included. */
export function betweenDays({ query, account }: DashboardContext): { created_at?: { gte?: string; lt?: string } } {
  const [from, until] = [query.get('from'), query.get('until')]
  return from || until ? { created_at: boundsOf(account, from, until) } : {}
}

export function givenOf<const Name extends string>({ query }: DashboardContext, names: readonly Name[]) {
  const given: { [Key in Name]?: string } = {}
  for (const name of names) {
    const text = query.get(name)
    if (text) given[name] = text
  }
  return given
}

export function narrowForm(visit: DashboardContext, inputs: Page, isEmpty: boolean): Page {
  const set = [...visit.query].filter(([name, value]) => name !== 'starting_after' && value !== '').length
  const form = html`<form class="filters" method="get" role="search" aria-label="Narrow the list">${inputs}
<div class="filter-buttons"><button>Apply</button></div></form>`
  return foldedFilters(form, { words: 'Filter', set, isEmpty })
}
