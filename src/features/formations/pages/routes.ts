import { type Env, Hono } from 'hono'
import { accountOf } from '../../../access/account-of.ts'
import { ApiError, errorDocsUrl } from '../../../contract/declarations/errors.ts'
import { disposition } from '../../../contract/values/public-name.ts'
import type { PageParts } from '../../../pages/parts/page-parts.ts'
import { type Download, mayDownload, readDocument } from '../resources/formation-document/contents.ts'

/** Routes for downloads of company documents. A signature in the URL replaces a token. */
export function documentPages<E extends Env>(parts: PageParts): Hono<E> {
  const app = new Hono<E>()
  app.get('/documents/:id', async (context) => {
    const { expires = '', signature = '' } = context.req.query()
    const download = await find(parts, context.req.param('id'), { expires, signature })
    return download ? downloadAnswer(download) : goneAnswer(parts.publicUrl)
  })
  return app
}

async function find(
  { pipeline, services, database }: PageParts,
  id: string,
  signed: { expires: string; signature: string },
): Promise<Download | null> {
  if (!mayDownload({ services }, id, signed)) return null
  const accountId = await accountOf(database.read, 'formation_documents', id)
  if (accountId === null) return null
  const caller = { kind: 'buyer', accountId, checkoutId: id } as const
  return pipeline.visits.look(caller, (context) => readDocument(context, id))
}

/** Responds with the document. The headers make browsers save it and never show it as a page of this service. */
function downloadAnswer({ document, content }: Download): Response {
  const headers = {
    'Content-Type': document.content_type,
    'Content-Length': String(content.length),
    'Content-Disposition': disposition('attachment', document.name),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-store',
  }
  return new Response(new Uint8Array(content), { headers })
}

/** Responds to a download URL that is not valid. The response is the same for expired and for invented URLs. */
function goneAnswer(publicUrl: string): Response {
  const message =
    'This download URL is invalid or has expired after an hour. Retrieve the document again to get a new one.'
  const error = new ApiError('resource_missing', message)
  return Response.json(error.body(errorDocsUrl(publicUrl)), { status: 404, headers: { 'Cache-Control': 'no-store' } })
}
