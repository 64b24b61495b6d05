import { invalid } from '../contract/errors.ts'
import { integer, longText, oneOf, text, texts } from '../contract/kinds.ts'
import { noun, type Row } from '../contract/noun.ts'
import type { Context } from '../records/context.ts'
import { findRows, requireIds } from '../records/records.ts'
import { resource } from '../records/resource.ts'
import type { TableOf } from '../records/tables.ts'

export const File = noun('file', {
  prefix: 'file',
  tag: 'Files',
  description: 'Bytes that the shop shows or sells, or a video elsewhere.',
  fields: {
    kind: oneOf(['file', 'external_video'], 'file has bytes here, external_video an address elsewhere').readOnly(),
    source: oneOf(['upload', 'url_import', 'external_video', 'generation'], 'Where it came from').readOnly(),
    upload_status: oneOf(['pending', 'processing', 'ready', 'failed'], 'Whether it can be used').readOnly(),
    filename: text('Name of the file', { max: 255, example: 'cover.png' }).nullable().readOnly(),
    content_type: text('Media type', { max: 255, example: 'image/png' }).nullable().readOnly(),
    size: integer('Bytes', { min: 0, example: 48_213 }).nullable().readOnly(),
    title: text('Title', { max: 200, example: 'Cover' }).nullable().readOnly(),
    description: longText('Description', 5000).nullable().readOnly(),
    tags: texts('Words of your own').nullable().readOnly(),
    url: text('Address outside', { max: 2048, example: 'https://example.com/cover.png' }).nullable().readOnly(),
    file_url: text('Where the bytes are served', { max: 2048, example: 'https://shop.example/files/cover.png' })
      .nullable()
      .readOnly(),
  },
})

declare module '../records/tables.ts' {
  interface Tables {
    files: TableOf<typeof File>
  }
}

export const files = resource(File, {})

/** Ids of ready files from a body, in order and without repetition; a 404 for an unknown one, a 422 for one that is not ready. */
export async function requireReadyFiles(context: Context, ids: string[], param: string): Promise<string[]> {
  const wanted = await requireIds(context, File, ids, param)
  const found = await findRows(context, File, wanted)
  const notReady = ids.findIndex((id) => found.get(id)?.upload_status !== 'ready')
  if (notReady >= 0) throw invalid({ [`${param}.${notReady}`]: ['is not ready yet'] })
  return wanted
}

/** A file as galleries show it. */
export function galleryEntry(file: Row<typeof File>): { id: string; type: string; url: string | null } {
  return { id: file.id, type: file.content_type?.split('/')[0] ?? file.kind, url: file.file_url ?? file.url }
}
