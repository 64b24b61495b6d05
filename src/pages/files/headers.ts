import type { Row } from '../../contract/declarations/noun.ts'
import { disposition } from '../../contract/values/public-name.ts'
import type { File } from '../../resources/content/file/file.ts'

/** Kinds that browsers show without running anything of them. All others are saved, under a type that none of them runs. */
const SHOWN = new Set([
  ...['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'apng'].map((kind) => `image/${kind}`),
  ...['mp4', 'webm', 'ogg', 'quicktime', 'x-m4v'].map((kind) => `video/${kind}`),
  ...['mpeg', 'mp4', 'x-m4a', 'ogg', 'wav', 'flac', 'aac', 'webm'].map((kind) => `audio/${kind}`),
  'application/pdf',
])

/** Whatever a browser takes it for, it runs no script, sends no form and loads nothing from elsewhere. */
const SEALED = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"
/** The viewers of browsers do not work in a sandbox; the scripts of a document do not run in them. */
const PDF = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** The headers of a file, whichever part of it is asked for. What the client declared decides none of them. */
export function headersOf({ detected_type, filename, checksum }: Row<typeof File>): Record<string, string> {
  const isShown = detected_type !== null && SHOWN.has(detected_type)
  return {
    'Content-Type': detected_type ?? 'application/octet-stream',
    'Content-Disposition': disposition(isShown ? 'inline' : 'attachment', filename),
    'Content-Security-Policy': detected_type === 'application/pdf' ? PDF : SEALED,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    'Accept-Ranges': 'bytes',
    ETag: `"${checksum}"`,
    // Bytes never change, but a file may be deleted.
    'Cache-Control': 'private, max-age=3600',
  }
}
