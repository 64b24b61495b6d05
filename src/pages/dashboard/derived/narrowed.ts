import { html } from 'hono/html'
import type { Fields } from '../../../contract/declarations/field.ts'
import type { Page } from '../../parts/markup.ts'
import type { Refusal } from '../kit/call.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { DashboardContext } from '../kit/visit.ts'
import { type ActiveFilter, activeFilters, filterChips, inOneSentence } from './active-filters.ts'
import { problemsOf } from './problem-words.ts'
import { viewsOf } from './saved-views.ts'

interface ListFilters {
  tabs: Page | string
  /** The active filters, each with a link that removes it, and the form that saves them. */
  chips: Page | string
  /** The active filters in words, such as ` status “Active”`; empty if there are none. */
  words: string
}

/** Renders a list's filters. `own` are filters that the operation does not have under this name, or that need other words. */
export async function narrowed(
  visit: DashboardContext,
  things: Manageable,
  own: readonly ActiveFilter[] = [],
): Promise<ListFilters> {
  const [known, { tabs, form }] = await Promise.all([activeFilters(visit, things.list!), viewsOf(visit, things)])
  const named = new Set(own.map(({ name }) => name))
  const active = [...own, ...known.filter(({ name }) => !named.has(name))]
  return { tabs, chips: filterChips(visit, active, form), words: active.length > 0 ? ` ${inOneSentence(active)}` : '' }
}

export function refusedQuery({ path }: DashboardContext, refusal: Refusal | null, fields: Fields): Page | string {
  if (refusal === null) return ''
  const said = problemsOf(refusal, fields).map(({ message }) => message)
  return html`<p class="notice bad" role="alert">${said.join(' ')} <a href="${path}">Clear filters</a></p>`
}
