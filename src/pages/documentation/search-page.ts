import { html } from 'hono/html'
import type { Page } from '../parts/markup.ts'
import type { Found } from './search.ts'

/** The results of a question, for browsers without scripts and for Enter. */
export function searchContent(question: string, found: readonly Found[]): Page {
  const results = found.map(
    ({ path, title, section, description }) =>
      html`<li><a href="${path}">${title}</a> <span class="quiet">${section}</span><p>${description}</p></li>`,
  )
  return html`<h1>${question === '' ? 'Search' : `Results for “${question}”`}</h1>
${found.length > 0 ? html`<ol class="results">${results}</ol>` : html`<p>${nothing(question)}</p>`}`
}

function nothing(question: string): Page {
  if (question === '') return html`Type a search term in the field at the top.`
  return html`No results. Try fewer or different words, or browse <a href="/docs/api">all operations</a>.`
}
