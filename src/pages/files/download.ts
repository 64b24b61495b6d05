import { accountOf } from '../../access/account-of.ts'
import { missingResource } from '../../contract/errors.ts'
import type { Row } from '../../contract/noun.ts'
import { findRow } from '../../records/records.ts'
import { keyOf, opensFile } from '../../resources/content/file/addresses.ts'
import { File } from '../../resources/content/file/file.ts'
import { namesTag } from '../parts/etag.ts'
import { headersOf } from './headers.ts'
import type { FileParts, FileRequest } from './parts.ts'
import { rangeOf } from './range.ts'

/** Answers with the bytes of a file, or the part that is asked for. Throws `resource_missing`. */
export async function download(parts: FileParts, { id, capability, request, header }: FileRequest): Promise<Response> {
  const file = opensFile(parts, id, capability) ? await readyFile(parts, id) : null
  if (file?.store == null || file.size === null) throw missingResource(File.name)
  const headers = headersOf(file)
  if (namesTag(header('if-none-match'), headers.ETag!)) return new Response(null, { status: 304, headers })
  const range = isSame(header('if-range'), headers.ETag!) ? rangeOf(header('range'), file.size) : null
  if (range === 'none')
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${file.size}` } })
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const sent = { ...headers, 'Content-Length': String(end - start + 1) }
  const status = range === null ? 200 : 206
  const all = range === null ? sent : { ...sent, 'Content-Range': `bytes ${start}-${end}/${file.size}` }
  if (request.method === 'HEAD' || file.size === 0) return new Response(null, { status, headers: all })
  const bytes = await parts.services.files.named(file.store).read(keyOf(file), range ?? undefined)
  if (bytes === null) throw missingResource(File.name)
  return new Response(bytes, { status, headers: all })
}

async function readyFile({ database }: FileParts, id: string): Promise<Row<typeof File> | null> {
  const accountId = await accountOf(database.read, 'files', id)
  if (accountId === null) return null
  const file = await findRow({ db: database.read, accountId }, File, id)
  return file?.upload_status === 'ready' ? file : null
}

/** A part is sent only of the file that the client has the beginning of. */
function isSame(condition: string | null, etag: string): boolean {
  return condition === null || condition === etag
}
