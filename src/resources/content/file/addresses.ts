import { publicName } from '../../../contract/values/public-name.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { File, type FileRow } from './file.ts'

type Vaulted = Pick<Context, 'services'>
type Published = Pick<Context, 'services' | 'publicUrl'>
type Timed = Published & Pick<Context, 'realNow'>
/** What the capabilities are for: knowing where a file is read must not let anybody write it. */
const READ = 'file'
const READ_UNTIL = 'file_until'
const UPLOAD = 'file_upload'

const HOUR_SECONDS = 60 * 60

/** Where the bytes of a file are served unless it is for buyers alone: an address that nobody can guess. */
export function fileUrl(context: Published, file: FileRow): string | null {
  return addressOf(context, file, context.services.vault.derive(READ, file.id))
}

/**
 * The address of a file for its merchant. Of a file that an experience has held it is one that opens files for buyers too, for
 * `seconds` and less than an hour more: those who ask within the same hour get the same address.
 */
export function merchantFileUrl(context: Timed, file: FileRow, seconds = HOUR_SECONDS): string | null {
  if (!file.in_experience) return fileUrl(context, file)
  const earliest = Date.parse(context.realNow) / 1000 + seconds
  const expires = String(Math.ceil(earliest / HOUR_SECONDS) * HOUR_SECONDS)
  const signature = context.services.vault.derive(READ_UNTIL, until(file.id, expires))
  return addressOf(context, file, `${expires}.${signature}`)
}

function addressOf({ publicUrl }: Published, { id, filename, checksum }: FileRow, capability: string): string | null {
  if (checksum === null) return null
  const name = filename === null ? null : publicName(filename)
  const end = name === null ? [] : ['/', encodeURIComponent(name)]
  return inOnePiece(publicUrl, '/files/', id, '/', capability, ...end)
}

/** Ids hold no blank, so no other id and moment are the same text. */
function until(id: string, expires: string): string {
  return `${id} ${expires}`
}

/** What the address of a file's bytes opens: null for none of ours, `current` for files for buyers too. */
export type FileOpening = 'current' | 'lasting' | null

/** An address with an expiry that is over opens as much as one without: the merchant may have put it into a text. */
export function openingOf({ services }: Vaulted, id: string, given: string): FileOpening {
  if (!File.isId(id)) return null
  const [, expires, signature] = /^(\d{1,12})\.(.+)$/.exec(given) ?? []
  if (expires === undefined || signature === undefined)
    return services.vault.matches(READ, id, given) ? 'lasting' : null
  if (!services.vault.matches(READ_UNTIL, until(id, expires), signature)) return null
  return Number(expires) * 1000 > Date.now() ? 'current' : 'lasting'
}

/** Where this service takes the bytes of a file. */
export function ownUploadUrl({ services, publicUrl }: Published, id: string): string {
  return inOnePiece(publicUrl, '/uploads/', id, '/', services.vault.derive(UPLOAD, id))
}

/** Whether somebody has the address that takes a file's bytes. */
export function opensUpload({ services }: Vaulted, id: string, given: string): boolean {
  return File.isId(id) && services.vault.matches(UPLOAD, id, given)
}

/** The name of a file's bytes in its store. */
export function keyOf({ account_id, id }: Pick<FileRow, 'account_id' | 'id'>): string {
  return `${account_id}/${id}`
}
