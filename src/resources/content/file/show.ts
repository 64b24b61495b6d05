import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { fileUrl, merchantFileUrl } from './addresses.ts'
import type { FileRow } from './file.ts'

export function deriveFiles(files: FileRow[], context: Context): Derived[] {
  return files.map((file) => ({
    source_type: file.url === null ? 'upload' : 'external',
    file_url: merchantFileUrl(context, file),
  }))
}

/** A file as galleries show it. */
export function galleryEntry(context: Context, file: FileRow): { id: string; type: string; url: string | null } {
  const type = file.content_type?.split('/')[0] ?? file.kind
  return { id: file.id, type, url: fileUrl(context, file) ?? file.url }
}
