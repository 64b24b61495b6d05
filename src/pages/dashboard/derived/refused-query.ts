import { html } from 'hono/html'
import type { Fields } from '../../../contract/declarations/field.ts'
import type { Page } from '../../parts/markup.ts'
import type { Refusal } from '../kit/ask.ts'
import type { Visit } from '../kit/visit.ts'
import { problemsOf } from './problem-words.ts'

/** Why a list cannot be shown as its address asks, with the way back to all of it; nothing where it can. */
export function refusedQuery({ path }: Visit, refusal: Refusal | null, fields: Fields): Page | string {
  if (refusal === null) return ''
  const said = problemsOf(refusal, fields).map(({ message }) => message)
  return html`<p class="notice bad" role="alert">${said.join(' ')} <a href="${path}">Clear filters</a></p>`
}
