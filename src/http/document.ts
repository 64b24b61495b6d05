import { createHash } from 'node:crypto'
import { openapi } from '../contract/openapi.ts'
import type { Pipeline } from '../pipeline/run.ts'
import type { Handler } from './read-only.ts'

/** The OpenAPI document of everything the pipeline can run, as JSON text. */
export function apiDocument(pipeline: Pipeline, serverUrl: string): string {
  const { findNoun } = pipeline.presenter
  const nouns = pipeline.presenter.nouns()
  return JSON.stringify(openapi(pipeline.operations, nouns, findNoun, serverUrl))
}

/** Serves the document to anybody. A client that already has it gets 304 (RFC 9110, section 13.1.2). */
export function documentHandler(document: string): Handler {
  const etag = `"${createHash('sha256').update(document).digest('base64url')}"`
  const caching = { ETag: etag, 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' }
  return (context) => {
    const held = context.req.header('if-none-match')
    if (held !== undefined && names(held, etag)) return new Response(null, { status: 304, headers: caching })
    return new Response(document, { headers: { ...caching, 'Content-Type': 'application/json' } })
  }
}

/** `*`, or a list of tags of which one is ours, whether marked as weak or not. */
function names(list: string, etag: string): boolean {
  return list.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}
