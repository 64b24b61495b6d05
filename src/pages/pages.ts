import { html } from 'hono/html'
import { CONFIGURATION_NOTE, clientConfigurations } from '../access/client-configuration.ts'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'

type Page = ReturnType<typeof html>

const STYLE = `
  :root { color-scheme: light dark; --ink: light-dark(#1a1a1a, #ececec); --quiet: light-dark(#6b6b6b, #a0a0a0); --line: light-dark(#e4e4e4, #333); --accent: light-dark(#0b5fae, #7db8f0); }
  body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); max-width: 44rem; margin: 4rem auto; padding: 0 1.25rem; }
  h1 { font-size: 1.6rem; letter-spacing: -0.01em; margin: 0 0 0.5rem; }
  h2 { font-size: 1.2rem; margin: 2.5rem 0 0.5rem; } h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
  code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
  pre { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; overflow-x: auto; }
  a { color: var(--accent); }
  dt { margin-top: 1.25rem; } dd { margin: 0.15rem 0 0; color: var(--quiet); }
  .quiet { color: var(--quiet); }`

function page(title: string, content: Page): Page {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>${title} · Shopwright</title><style>${STYLE}</style></head><body>${content}</body></html>`
}

/** What a browser shows at the address of the service. */
export function homePage(publicUrl: string): Page {
  const clients = clientConfigurations(publicUrl).map(
    ({ client, place, text }) => html`<h3>${client}, in ${place}</h3><pre>${text}</pre>`,
  )
  return page(
    'A commerce backend that agents program',
    html`<h1>Shopwright</h1><p>A commerce backend that agents program.</p>
      <dl><dt><code>${publicUrl}/mcp</code></dt><dd>The agent-tool endpoint: two tools, programs in Ruby</dd>
      <dt><code>${publicUrl}/v1</code></dt><dd>The REST API, described by <a href="/v1/openapi.json">openapi.json</a></dd></dl>
      <p>Both need the header <code>Authorization: Bearer &lt;API token&gt;</code>. A refused request is answered with one of
      <a href="/docs/errors">these errors</a>.</p>
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
