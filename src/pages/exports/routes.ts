import { type Env, Hono } from 'hono'
import { accountOf } from '../../access/account-of.ts'
import { ApiError, errorDocsUrl } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { findRow } from '../../records/records.ts'
import { AccountExport } from '../../resources/dashboard/account-export/account-export.ts'
import { archiveKey, mayDownload } from '../../resources/dashboard/account-export/download.ts'
import { ALWAYS } from '../parts/asset.ts'
import type { PageParts } from '../parts/page-parts.ts'

type ExportPageParts = Pick<PageParts, 'services' | 'database' | 'publicUrl'>

type ExportRow = Row<typeof AccountExport>

/** Routes for downloads of account archives. A signature in the URL replaces a session. */
export function exportPages<E extends Env>(parts: ExportPageParts): Hono<E> {
  const app = new Hono<E>()
  app.get('/exports/:id', async (context) => {
    const { expires = '', signature = '' } = context.req.query()
    const row = await find(parts, context.req.param('id'), { expires, signature })
    const bytes = row && (await parts.services.files.named(row.store!).read(archiveKey(row)))
    return row && bytes ? new Response(bytes, { headers: headersOf(row) }) : goneAnswer(parts.publicUrl)
  })
  return app
}

async function find(
  { services, database }: ExportPageParts,
  id: string,
  given: { expires: string; signature: string },
): Promise<ExportRow | null> {
  if (!mayDownload({ services }, id, given)) return null
  const accountId = await accountOf(database.read, 'account_exports', id)
  if (accountId === null) return null
  const row = await findRow({ db: database.read, accountId }, AccountExport, id)
  return row?.status === 'ready' ? row : null
}

function headersOf({ size, ready_at }: ExportRow): Record<string, string> {
  return {
    ...ALWAYS,
    'Content-Type': 'application/zip',
    'Content-Length': String(size),
    'Content-Disposition': `attachment; filename="export-${ready_at!.slice(0, 10)}.zip"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-store',
  }
}

/** Returns the 404 response, which is the same for expired and for invented URLs. */
function goneAnswer(publicUrl: string): Response {
  const message = 'This download URL is invalid or has expired after an hour. Open the export again to get a new one.'
  const error = new ApiError('resource_missing', message)
  return Response.json(error.body(errorDocsUrl(publicUrl)), { status: 404, headers: { 'Cache-Control': 'no-store' } })
}
