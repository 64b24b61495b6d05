import { type Env, Hono, type Context as Request } from 'hono'
import { type ApiError, methodNotAllowed } from '../../contract/declarations/errors.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import { lazy } from '../../runtime/lazy.ts'
import { ALWAYS, namesTag } from '../parts/asset.ts'
import type { Page } from '../parts/markup.ts'
import { PageOf } from '../parts/page-parts.ts'
import { makeBook } from './book.ts'
import { framed, navigation, SCRIPT, STYLE } from './frame.ts'
import type { DocumentedSettings, ServiceFacts } from './guides.ts'
import { llmsFullText, llmsText, RenderedPages, type RenderedText, textOf } from './rendered.ts'
import {
  DocumentationSearch,
  MAX_QUESTION,
  MAX_SUGGESTIONS,
  searchContent,
  startPage,
  unknownContent,
  unknownText,
  wordsOf,
} from './search.ts'

/** The policy allows our own script and style files, but nothing inline and nothing from other sites. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
}

export type { DocumentedSettings }

interface DocumentationParts extends ServiceFacts {
  pipeline: Pipeline
}

type ToErrorResponse = (error: ApiError) => Response

/** Routes of the start page and the documentation, which are public and read-only. */
export function documentationPages<E extends Env>(made: Documentation, refusal: ToErrorResponse): Hono<E> {
  const app = new Hono<E>()
  const add = (path: string, answer: (request: Request<E>) => Response | null | Promise<Response>) => {
    app.get(path, async (request) => (await answer(request)) ?? request.notFound())
    app.all(path, ({ req }) => {
      const refused = methodNotAllowed(req.method, req.path, ['GET'])
      return req.method === 'OPTIONS' ? new Response(null, { status: 204, headers: refused.headers }) : refusal(refused)
    })
  }
  const text = (path: string, find: (path: string, wanted: RenderedText['type']) => RenderedText | null) =>
    add(path, ({ req }) => sent(find(req.path, wantedType(req.header('accept'))), req.header('if-none-match')))

  app.get(STYLE.address, STYLE.answer)
  app.get(SCRIPT.address, SCRIPT.answer)
  text('/', made.start)
  text('/llms.txt', made.llms)
  text('/llms-full.txt', made.llmsFull)
  add('/docs/search', ({ req }) => made.searchPage(req.query('q') ?? ''))
  add('/docs/search.json', ({ req }) => made.searchAnswer(req.query('q') ?? ''))
  text('/docs.md', () => made.pages().find('/docs', 'text/markdown'))
  text('/docs', (path, wanted) => made.pages().find(path, wanted))
  add('/docs/*', ({ req }) => {
    const wanted = wantedType(req.header('accept'))
    return sent(made.page(req.path, wanted), req.header('if-none-match')) ?? made.unknown(req.path, wanted)
  })
  return app
}

/** The documentation. It is built on the first request, so that the start is fast. */
export class Documentation extends PageOf<DocumentationParts> {
  readonly #book = lazy(() => {
    const { operations, nouns, presenter } = this.parts.pipeline
    return makeBook({ operations, nouns, findNoun: presenter.findNoun }, this.parts)
  })
  readonly #search = lazy(() => new DocumentationSearch(this.#book()))
  readonly start = lazy(() => textOf('text/html', String(startPage(this.#book(), this.parts.publicUrl))))
  readonly llms = lazy(() => textOf('text/plain', llmsText(this.#book(), this.parts.publicUrl)))
  readonly llmsFull = lazy(() => textOf('text/plain', llmsFullText(this.#book(), this.parts.publicUrl)))
  readonly pages = lazy(() => new RenderedPages(this.#book(), this.parts.publicUrl))

  page(path: string, wanted: RenderedText['type']): RenderedText | null {
    return path.endsWith('.md')
      ? this.pages().find(path.slice(0, -3), 'text/markdown')
      : this.pages().find(path, wanted)
  }

  async searchPage(given: string): Promise<Response> {
    const question = given.slice(0, MAX_QUESTION).trim()
    const content = searchContent(question, await this.find(question))
    return this.#answer({ title: question || 'Search', query: question, content }, 200)
  }

  /** Returns the 404 page with a search field and suggested pages. */
  async unknown(path: string, wanted: RenderedText['type']): Promise<Response> {
    const words = wordsOf(path)
    const offered = (await this.find(words)).slice(0, MAX_SUGGESTIONS)
    if (wanted === 'text/html' && !path.endsWith('.md'))
      return this.#answer({ title: 'Not found', query: words, content: unknownContent(path, offered) }, 404)
    const text = unknownText(path, offered, this.parts.publicUrl)
    return new Response(text, { status: 404, headers: answerHeaders('text/markdown') })
  }

  #answer({ title, query, content }: { title: string; query: string; content: Page }, status: number): Response {
    const page = framed(
      {
        ...{ title, description: 'Search the documentation of Shopwright.', path: '/docs/search' },
        ...{ markdownPath: null, navigation: navigation(this.#book(), ''), query, content },
      },
      this.parts.publicUrl,
    )
    return new Response(String(page), { status, headers: answerHeaders('text/html') })
  }

  async searchAnswer(given: string): Promise<Response> {
    return Response.json({ results: await this.find(given) }, { headers: answerHeaders('application/json') })
  }

  find(question: string) {
    return this.#search().find(question)
  }
}

/** Returns HTML, unless the client accepts Markdown but not HTML. */
function wantedType(accept = ''): RenderedText['type'] {
  return accept.includes('text/markdown') && !accept.includes('text/html') ? 'text/markdown' : 'text/html'
}

function sent(found: RenderedText | null, held: string | undefined): Response | null {
  if (!found) return null
  const headers = { ...answerHeaders(found.type), ETag: found.etag }
  if (namesTag(held, found.etag)) return new Response(null, { status: 304, headers })
  return new Response(found.text, { headers })
}

/** Returns the headers. Responses are the same for everyone, and clients revalidate them by their ETag. */
function answerHeaders(type: string): Record<string, string> {
  return {
    ...ALWAYS,
    ...PAGE_HEADERS,
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    Vary: 'Accept',
  }
}
