import { integer, longText, oneOf, text, texts } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

export const File = noun('file', {
  prefix: 'file',
  group: 'Files',
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
