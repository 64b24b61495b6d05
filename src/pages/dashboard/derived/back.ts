import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import type { Visit } from '../kit/visit.ts'

/** A page of this account, by its path below it. */
const BACK = /^(\/\w+)+$/

/** In a form of a list: the page that shows it, which is another one where the list was made by hand. */
export function backField({ path, base }: Visit): Page {
  return html`<input type="hidden" name="back" value="${path.slice(base.length)}">`
}

/** The address of the page that a form of a list came from. */
export function backOf({ base }: Visit, path: string, form: URLSearchParams): string {
  const back = form.get('back') ?? ''
  return base + (BACK.test(back) ? back : `/${path}`)
}
