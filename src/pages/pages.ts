import { html } from 'hono/html'
import { CONFIGURATION_NOTE, clientConfigurations } from '../access/client-configuration.ts'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { type Page, page } from './layout.ts'

/** What a browser shows at the address of the service. */
export function homePage(publicUrl: string): Page {
  const clients = clientConfigurations(publicUrl).map(
    ({ client, place, text }) => html`<h3>${client}, in ${place}</h3><pre>${text}</pre>`,
  )
  return page(
    'A commerce backend that agents program',
    html`<h1>Shopwright</h1><p>A commerce backend that agents program.</p>
      <dl><dt><code>${publicUrl}/mcp</code></dt><dd>The agent-tool endpoint: two tools, programs in Ruby</dd>
      <dt><code>${publicUrl}/connect</code></dt><dd>The same for clients that know OAuth: people sign in, and no token is copied</dd>
      <dt><code>${publicUrl}/v1</code></dt><dd>The REST API, described by <a href="/v1/openapi.json">openapi.json</a></dd></dl>
      <p>The endpoint and the API need the header <code>Authorization: Bearer &lt;API token&gt;</code>. A refused request is answered with one of
      <a href="/docs/errors">these errors</a>. What your own service hears of changes is described under
      <a href="/docs/webhooks">webhooks</a>.</p>
      <h2>Connect an agent</h2><p>${CONFIGURATION_NOTE}</p>${clients}`,
  )
}

/** All error codes. */
export function errorsPage(): Page {
  const entries = CODES.map((code) => {
    const [status, , when] = ERRORS[code]
    return html`<dt><a href="/docs/errors/${code}"><code>${code}</code></a> <span class="quiet">${status}</span></dt><dd>${withCode(when)}</dd>`
  })
  return page(
    'Errors',
    html`<h1>Errors</h1><p>Every error is a JSON object with <code>type</code>, <code>code</code> and <code>message</code>.</p><dl>${entries}</dl>`,
  )
}

/** The page of one code, which `error.doc_url` points at, or null when there is no such code. */
export function errorPage(code: string): Page | null {
  const known = CODES.find((one) => one === code)
  if (!known) return null
  const [status, type, when] = ERRORS[known]
  const body = JSON.stringify({ error: { type, code, message: 'What was wrong, and what would be right' } }, null, 2)
  return page(
    code,
    html`<p class="quiet"><a href="/docs/errors">Errors</a></p><h1><code>${code}</code></h1><p>${withCode(when)}</p>
      <p class="quiet">HTTP status ${status}</p><pre>${body}</pre>`,
  )
}

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** Words between backticks as code. */
function withCode(text: string): Page[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}
