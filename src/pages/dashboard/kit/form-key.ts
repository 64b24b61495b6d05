import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import type { Refusal } from './ask.ts'

const NAME = 'form_key'

/** The field that tells a form that is sent twice from one that is filled in twice. */
export function keyField(sent: URLSearchParams | null = null, refusal: Refusal | null = null): Page {
  // What is still being done keeps its key, so that it is not done again.
  const kept = refusal?.code === 'idempotency_key_in_use' ? sent?.get(NAME) : null
  return html`<input type="hidden" name="${NAME}" value="${kept || randomUUID()}">`
}

/** The idempotency key of a form that was sent; null where it has none. */
export function keyOf(form: URLSearchParams): string | null {
  return form.get(NAME)
}
