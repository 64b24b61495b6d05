import { openapi } from '../contract/documents/openapi.ts'
import { etagOf, namesTag } from '../pages/parts/asset.ts'
import type { Pipeline } from '../pipeline/run.ts'
import type { Handler } from './read-only.ts'

export function apiDocument(pipeline: Pipeline, serverUrl: string): string {
  const { findNoun } = pipeline.presenter
  const nouns = pipeline.nouns
  return JSON.stringify(openapi(pipeline.operations, nouns, findNoun, serverUrl))
}

/** Serves the OpenAPI document. A client that already has it gets a 304 (RFC 9110, section 13.1.2). */
export function documentHandler(make: () => string): Handler {
  // The document is created with the first request, because it takes a tenth of a second and a megabyte, and most services never need it.
  let made: { document: string; etag: string } | undefined
  return (context) => {
    made ??= tagged(make())
    const { document, etag } = made
    const caching = { ETag: etag, 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' }
    if (namesTag(context.req.header('if-none-match'), etag))
      return new Response(null, { status: 304, headers: caching })
    return new Response(document, { headers: { ...caching, 'Content-Type': 'application/json' } })
  }
}

function tagged(document: string): { document: string; etag: string } {
  return { document, etag: etagOf(document) }
}
