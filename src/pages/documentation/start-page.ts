import { html, raw } from 'hono/html'
import type { Page } from '../parts/markup.ts'
import type { Book } from './book.ts'
import { framed } from './frame.ts'
import { renderMarkdown } from './markdown.ts'
import { navigation } from './navigation.ts'
import { fence } from './page.ts'

const DESCRIPTION = 'A commerce backend that agents program.'

/** What a browser shows at the address of the service: what it is, and where to go on. */
export function startPage(book: Book, publicUrl: string): Page {
  const content = html`<h1>Shopwright</h1><p class="lead">${DESCRIPTION}</p>
<ul class="cards"><li><a href="/dashboard">Dashboard</a><p>Products, orders, agents, plans and settings of your account.</p></li>
<li><a href="/docs">Documentation</a><p>Guides, and a reference of all ${book.catalogue.operations.length} operations.</p></li></ul>
${raw(renderMarkdown(addresses(publicUrl)).html)}`
  const page = { title: DESCRIPTION.replace('.', ''), description: DESCRIPTION, path: '/', markdownPath: null }
  return framed({ ...page, navigation: navigation(book, '/'), content }, publicUrl)
}

function addresses(publicUrl: string): string {
  return `## Addresses

- \`${publicUrl}/mcp\` *MCP*

  The endpoint for agents: two tools, programs in Ruby. [Connect a client](/docs/clients)

- \`${publicUrl}/v1\` *REST*

  The API, described by [openapi.json](/v1/openapi.json). [How to call it](/docs/rest)

- \`${publicUrl}/llms.txt\` *text*

  The documentation for agents: every page in Markdown.

The first two need an API token. A first request:

${fence('bash', `curl ${publicUrl}/v1/products -H "Authorization: Bearer $SHOPWRIGHT_TOKEN"`)}

To receive events in your own service, see [webhooks](/docs/webhooks).`
}
