import { integer, longText, oneOf, text, texts } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

export const File = noun('file', {
  prefix: 'file',
  group: 'Files',
  description: 'A file that the shop shows or sells, or a video on another site.',
  fields: {
    kind: oneOf(
      ['file', 'external_video'],
      'file: its bytes are kept here; external_video: on another site',
    ).readOnly(),
    source: oneOf(['upload', 'url_import', 'external_video', 'generation'], 'Origin of the file').readOnly(),
    upload_status: oneOf(['pending', 'processing', 'ready', 'failed'], 'Only ready files can be used').readOnly(),
    filename: text('Name of the file', { max: 255, example: 'cover.png' }).nullable('unknown').readOnly(),
    content_type: text('Media type', { max: 255, example: 'image/png' }).nullable('unknown').readOnly(),
    size: integer('Size of the file', { min: 0, unit: 'bytes', example: 48_213 }).nullable('unknown').readOnly(),
    title: text('Title', { max: 200, example: 'Cover' }).nullable('none').readOnly(),
    description: longText('Description', 5000).nullable('none').readOnly(),
    tags: texts('Your own keywords').nullable('none').readOnly(),
    url: text('Address outside from which it was imported or where it is', {
      max: 2048,
      example: 'https://example.com/cover.png',
    })
      .nullable('uploaded')
      .readOnly(),
    file_url: text('Address where its bytes are served', { max: 2048, example: 'https://shop.example/files/cover.png' })
      .nullable('no bytes here')
      .readOnly(),
  },
})
