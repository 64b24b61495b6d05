import { html } from 'hono/html'
import type { Fields } from '../../../contract/declarations/field.ts'
import type { Page } from '../../parts/markup.ts'
import type { Refusal } from '../kit/ask.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { Visit } from '../kit/visit.ts'
import { type Active, activeFilters, filterChips, inOneSentence } from './active-filters.ts'
import { problemsOf } from './problem-words.ts'
import { viewsOf } from './saved-views.ts'

/** What a list made by hand shows of its filters and saved views, as those do that follow from declarations. */
interface Narrowed {
  tabs: Page | string
  /** The filters that are set, each with the way to take it off, and the form that saves them. */
  chips: Page | string
  /** ` status “Active”`; nothing where none is set. */
  words: string
}

/** `own` are filters of the page that its list does not have under this name, or that are better said in other words. */
export async function narrowed(visit: Visit, things: Manageable, own: readonly Active[] = []): Promise<Narrowed> {
  const [known, { tabs, form }] = await Promise.all([activeFilters(visit, things.list!), viewsOf(visit, things)])
  const named = new Set(own.map(({ name }) => name))
  const active = [...own, ...known.filter(({ name }) => !named.has(name))]
  return { tabs, chips: filterChips(visit, active, form), words: active.length > 0 ? ` ${inOneSentence(active)}` : '' }
}

/** Why a list cannot be shown as its address asks, with the way back to all of it; nothing where it can. */
export function refusedQuery({ path }: Visit, refusal: Refusal | null, fields: Fields): Page | string {
  if (refusal === null) return ''
  const said = problemsOf(refusal, fields).map(({ message }) => message)
  return html`<p class="notice bad" role="alert">${said.join(' ')} <a href="${path}">Clear filters</a></p>`
}
