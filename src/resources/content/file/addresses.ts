import type { Row } from '../../../contract/noun.ts'
import { publicName } from '../../../contract/public-name.ts'
import { inOnePiece } from '../../../contract/values.ts'
import type { Context } from '../../../records/context.ts'
import { File } from './file.ts'

type Vaulted = Pick<Context, 'services'>
type Published = Pick<Context, 'services' | 'publicUrl'>
type FileRow = Row<typeof File>

/** What the capabilities are for: knowing where a file is read must not let anybody write it. */
const READ = 'file'
const UPLOAD = 'file_upload'

/** Where the bytes of a file are served: an address that nobody can guess, since buyers pay for some files. */
export function fileUrl({ services, publicUrl }: Published, { id, filename, checksum }: FileRow): string | null {
  if (checksum === null) return null
  const name = filename === null ? null : publicName(filename)
  const end = name === null ? [] : ['/', encodeURIComponent(name)]
  return inOnePiece(publicUrl, '/files/', id, '/', services.vault.derive(READ, id), ...end)
}

/** Whether somebody has the address of a file's bytes. */
export function opensFile({ services }: Vaulted, id: string, given: string): boolean {
  return File.isId(id) && services.vault.matches(READ, id, given)
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
