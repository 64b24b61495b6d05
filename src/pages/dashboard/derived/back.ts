import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { Visit } from '../kit/visit.ts'

/** A page of this account by its path below it, with its query. */
const BACK = /^((?:\/\w+)+)(?:\?(.*))?$/
const MAX_BACK = 1_000

/** In a form of a list: the page that shows it, as it was narrowed; another one where the list was made by hand. */
export function backField({ path, base, query }: Visit): Page {
  return html`<input type="hidden" name="back" value="${path.slice(base.length)}?${query.toString()}">`
}

export function backIn(form: URLSearchParams): string {
  return (form.get('back') ?? '').slice(0, MAX_BACK)
}

/** The address of the page that a form of a list came from, as it was narrowed. */
export function backTo({ base }: Pick<Visit, 'base'>, { path }: Manageable, back: string): string {
  const [, page = `/${path}`, words = ''] = BACK.exec(back) ?? []
  const query = new URLSearchParams(words)
  query.delete('done')
  return `${base}${page}${query.size > 0 ? `?${query.toString()}` : ''}`
}

/** The same without its query. */
export function pageBehind(visit: Visit, things: Manageable, form: URLSearchParams): string {
  return backTo(visit, things, backIn(form).replace(/\?.*/, ''))
}
