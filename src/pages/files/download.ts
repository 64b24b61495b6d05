import { accountOf } from '../../access/account-of.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import { disposition } from '../../contract/values/public-name.ts'
import type { ByteRange } from '../../providers/files/provider.ts'
import { findRow } from '../../records/records.ts'
import { fileKey, openingOf } from '../../resources/content/file/addresses.ts'
import { File } from '../../resources/content/file/file.ts'
import { isForBuyers } from '../../resources/content/file/uses.ts'
import { namesTag } from '../parts/asset.ts'
import type { FileParts, FileRequest } from './upload.ts'

/** The types that browsers show without running code. Files of other types are sent as attachments. */
const DISPLAYED_TYPES = new Set([
  ...['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'apng'].map((kind) => `image/${kind}`),
  ...['mp4', 'webm', 'ogg', 'quicktime', 'x-m4v'].map((kind) => `video/${kind}`),
  ...['mpeg', 'mp4', 'x-m4a', 'ogg', 'wav', 'flac', 'aac', 'webm'].map((kind) => `audio/${kind}`),
  'application/pdf',
])

/** Blocks scripts, forms and external resources, even if the browser guesses another type. */
const SANDBOX_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"
/** PDFs need a policy without `sandbox`, because the browsers' viewers do not work in one. They run no scripts in the page. */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

type FileRow = Row<typeof File>

/** Responds with a file or the requested range of it. Throws `resource_missing`. */
export async function download(parts: FileParts, { id, capability, request, header }: FileRequest): Promise<Response> {
  const opening = openingOf(parts, id, capability)
  const file = opening === null ? null : await findFile(parts, id)
  if (file === null) throw missingResource(File.name)
  if (opening === 'lasting' && (await isForBuyers(inAccountOf(parts, file), file))) throw missingResource(File.name)
  const sent = await sendFile(parts, file, { method: request.method, header })
  if (sent === null) throw missingResource(File.name)
  return sent
}

interface SendOptions {
  method: string
  header: HeaderOf
  /** These headers replace those derived from the file. */
  headers?: Record<string, string>
}

/** Sends a file to a reader whose access was already checked. Returns null if the file has no bytes. */
export async function sendFile(
  parts: Pick<FileParts, 'services'>,
  file: FileRow,
  sending: SendOptions,
): Promise<Response | null> {
  const { method, header } = sending
  if (file.upload_status !== 'ready' || file.store === null || file.size === null) return null
  const headers = { ...headersOf(file), ...sending.headers }
  const etag = headers.ETag!
  if (namesTag(header('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const range = matchesIfRange(header('if-range'), etag) ? rangeOf(header('range'), file.size) : null
  if (range === 'none')
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${file.size}` } })
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const sent = { ...headers, 'Content-Length': String(end - start + 1) }
  const status = range === null ? 200 : 206
  const all = range === null ? sent : { ...sent, 'Content-Range': `bytes ${start}-${end}/${file.size}` }
  if (method === 'HEAD' || file.size === 0) return new Response(null, { status, headers: all })
  const bytes = await parts.services.files.named(file.store).read(fileKey(file), range ?? undefined)
  return bytes && new Response(bytes, { status, headers: all })
}

async function findFile(parts: FileParts, id: string): Promise<FileRow | null> {
  const accountId = await accountOf(parts.database.read, 'files', id)
  if (accountId === null) return null
  const file = await findRow(inAccountOf(parts, { account_id: accountId }), File, id)
  return file ?? null
}

function inAccountOf({ database, services }: FileParts, { account_id }: Pick<FileRow, 'account_id'>) {
  return { db: database.read, accountId: account_id, services }
}

/** Returns whether `If-Range` allows a range: the header is absent, or the client has the same version of the file. */
function matchesIfRange(condition: string | null, etag: string): boolean {
  return condition === null || condition === etag
}

/** Returns the headers. They do not depend on the type that the client declared at the upload. */
function headersOf({ detected_type, filename, checksum }: Row<typeof File>): Record<string, string> {
  const isShown = detected_type !== null && DISPLAYED_TYPES.has(detected_type)
  return {
    'Content-Type': detected_type ?? 'application/octet-stream',
    'Content-Disposition': disposition(isShown ? 'inline' : 'attachment', filename),
    'Content-Security-Policy': detected_type === 'application/pdf' ? PDF_POLICY : SANDBOX_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    'Accept-Ranges': 'bytes',
    ETag: `"${checksum}"`,
    // The bytes never change, but the file may be deleted, so caches keep it for only an hour.
    'Cache-Control': 'private, max-age=3600',
  }
}

/** Parses a `Range` header (RFC 9110, section 14). `none`: the file has no such range; null: the whole file, also for several ranges. */
function rangeOf(header: string | null, size: number): ByteRange | 'none' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '')
    return size === 0 || Number(last) === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'none' : { start, end }
}
