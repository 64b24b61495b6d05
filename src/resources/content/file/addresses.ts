import { publicName } from '../../../contract/values/public-name.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context, VaultContext } from '../../../records/context.ts'
import { File, type FileRow } from './file.ts'

type LinkContext = Pick<Context, 'services' | 'publicUrl'>
type TimedLinkContext = LinkContext & Pick<Context, 'realNow'>
/** The purposes differ, so that the URL to read a file does not allow uploads. */
const READ = 'file'
const READ_UNTIL = 'file_until'
const UPLOAD = 'file_upload'

const HOUR_SECONDS = 60 * 60

/** Returns the URL of a file, or null if no bytes are stored. The URL does not work while the file is for buyers only. */
export function fileUrl(context: LinkContext, file: FileRow): string | null {
  return addressOf(context, file, context.services.vault.derive(READ, file.id))
}

/**
 * Returns the URL of a file for its merchant. If the file is in an experience, the URL also works while the file is for buyers
 * only, and expires after `seconds` or up to an hour later. Calls within the same hour return the same URL.
 */
export function merchantFileUrl(context: TimedLinkContext, file: FileRow, seconds = HOUR_SECONDS): string | null {
  if (!file.in_experience) return fileUrl(context, file)
  const earliest = Date.parse(context.realNow) / 1000 + seconds
  const expires = String(Math.ceil(earliest / HOUR_SECONDS) * HOUR_SECONDS)
  const signature = context.services.vault.derive(READ_UNTIL, until(file.id, expires))
  return addressOf(context, file, `${expires}.${signature}`)
}

function addressOf({ publicUrl }: LinkContext, { id, filename, checksum }: FileRow, capability: string): string | null {
  if (checksum === null) return null
  const name = filename === null ? null : publicName(filename)
  const end = name === null ? [] : ['/', encodeURIComponent(name)]
  return inOnePiece(publicUrl, '/files/', id, '/', capability, ...end)
}

/** Returns the text that is signed. Ids contain no space, so it is unambiguous. */
function until(id: string, expires: string): string {
  return `${id} ${expires}`
}

/** `lasting`: the URL opens the file unless it is for buyers only; `current`: it opens the file in any case; null: it is invalid. */
export type FileOpening = 'current' | 'lasting' | null

/** Returns what a URL opens. Expired URLs still open files that are not for buyers only, because a text may contain them. */
export function openingOf({ services }: VaultContext, id: string, given: string): FileOpening {
  if (!File.isId(id)) return null
  const [, expires, signature] = /^(\d{1,12})\.(.+)$/.exec(given) ?? []
  if (expires === undefined || signature === undefined)
    return services.vault.matches(READ, id, given) ? 'lasting' : null
  if (!services.vault.matches(READ_UNTIL, until(id, expires), signature)) return null
  return Number(expires) * 1000 > Date.now() ? 'current' : 'lasting'
}

export function ownUploadUrl({ services, publicUrl }: LinkContext, id: string): string {
  return inOnePiece(publicUrl, '/uploads/', id, '/', services.vault.derive(UPLOAD, id))
}

/** Returns whether the secret in a URL allows a client to upload the file's bytes. */
export function opensUpload({ services }: VaultContext, id: string, given: string): boolean {
  return File.isId(id) && services.vault.matches(UPLOAD, id, given)
}

/** Returns the key of the file's bytes in the file store. */
export function fileKey({ account_id, id }: Pick<FileRow, 'account_id' | 'id'>): string {
  return `${account_id}/${id}`
}
