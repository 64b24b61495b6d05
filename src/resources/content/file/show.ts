import type { Row } from '../../../contract/noun.ts'
import type { File } from './file.ts'

/** A file as galleries show it. */
export function galleryEntry(file: Row<typeof File>): { id: string; type: string; url: string | null } {
  return { id: file.id, type: file.content_type?.split('/')[0] ?? file.kind, url: file.file_url ?? file.url }
}
