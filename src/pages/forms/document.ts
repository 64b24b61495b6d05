import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Form } from '../../resources/audience/form/form.ts'
import { document, type Frame } from '../parts/document.ts'
import { type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { sheets, stylesheet } from '../parts/stylesheet.ts'
import type { TypedAnswers } from './entries.ts'
import { question } from './questions.ts'

export const FORM_STYLE = stylesheet('/forms/', ...sheets(import.meta.url, 'forms'))

export const HONEYPOT = 'website'

export interface ShownForm extends Pick<Row<typeof Form>, 'id' | 'name' | 'description' | 'fields'> {
  shop: Frame['shop']
}

export function formPage(form: ShownForm, typed: TypedAnswers = {}, problems: readonly Problem[] = []): Page {
  const questions = form.fields.map((field) => question({ field, typed: typed[field.id] ?? [], problems }))
  const title = problems.length > 0 ? `Problem: ${form.name}` : form.name
  const content = html`<h1>${form.name}</h1>
${form.description ? html`<p class="words">${form.description}</p>` : ''}
${summaryOf(problems)}
<form method="post" novalidate action="/forms/${form.id}">
${questions}
<div class="trap" aria-hidden="true"><label for="${HONEYPOT}">Leave this empty</label><input id="${HONEYPOT}" name="${HONEYPOT}" type="text" tabindex="-1" autocomplete="off"></div>
<p><button class="primary" type="submit" name="do" value="submit">Send</button></p>
</form>`
  return framed(form.shop, title, content)
}

export function wordsPage(
  shop: Frame['shop'],
  { title, words, way }: { title: string; words: string; way?: { url: string; words: string } | null },
): Page {
  const content = html`<h1>${title}</h1><p class="words" role="status">${words}</p>
${way ? html`<p><a class="button primary" href="${way.url}" rel="noreferrer">${way.words}</a></p>` : ''}`
  return framed(shop, title, content)
}

/** GET changes nothing, because mail programs prefetch links. */
export function confirmPage(
  shop: Frame['shop'],
  { address, email, form }: Record<'address' | 'email' | 'form', string>,
): Page {
  const title = 'Confirm your e-mail address'
  const content = html`<h1>${title}</h1>
<p>The address <strong>${email}</strong> was entered in the form “${form}”. Please confirm that it was you.</p>
<form method="post" action="${address}"><p><button class="primary" type="submit" name="do" value="confirm">Confirm</button></p></form>`
  return framed(shop, title, content)
}

export function agreePage(
  shop: NonNullable<Frame['shop']>,
  { address, email }: Record<'address' | 'email', string>,
): Page {
  const title = 'Confirm this address'
  const content = html`<h1>${title}</h1>
<p>${shop.name} wants to notify <strong>${email}</strong> of each form submission.</p>
<form method="post" action="${address}"><p><button class="primary" type="submit" name="do" value="confirm">Confirm</button></p></form>`
  return framed(shop, title, content)
}

function framed(shop: Frame['shop'], title: string, content: Page): Page {
  const frame = { shop, test: false, style: FORM_STYLE.address }
  return document(title, frame, html`<div class="message">${content}</div>`)
}
