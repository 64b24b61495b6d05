import { z } from 'zod'
import {
  flag,
  integer,
  longText,
  oneOf,
  servedAddress,
  structure,
  text,
  texts,
  timestamp,
} from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

export const MAX_UPLOAD_BYTES = 500_000_000
export const MAX_IMPORT_BYTES = 100_000_000

const MEDIA_TYPE = /^[a-zA-Z0-9][\w.+-]*\/[\w.+-]+( ?;[ -~]*)?$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects them, and JSON Schema has no classes like \p{Cc}
const FILE_NAME = /^[^/\\\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/

export const File = noun('file', {
  prefix: 'file',
  group: 'Files',
  area: 'content',
  description: 'A file that the shop shows or sells, or a video hosted elsewhere.',
  gist: 'upload or video',
  foundBy: ['filename', 'title'],
  events: ['created', 'ready', 'failed', 'deleted'],
  notInEvents: ['upload_url', 'upload_headers'],
  example: {
    url: null,
    provider: null,
    error_message: null,
    source_job_id: null,
    upload_url: null,
    upload_headers: null,
  },
  hidden: {
    declared_type: text('The media type that the client named').nullable(),
    declared_size: integer('The size that the client named').nullable(),
    detected_type: text('The media type that the signature of the bytes tells').nullable(),
    store: text('Store that has its bytes').nullable(),
    stored_bytes: integer('Bytes that it takes, confirmed or not').default(0),
    duration_ms: integer('Length of a video; 0 where its bytes do not tell').nullable(),
    measured: flag('Whether its length, width and height have been looked for').default(false),
    upload_expires_at: timestamp('Until when its bytes are taken').nullable(),
    expire_job: text('The job that gives it up').nullable(),
    in_experience: flag('Whether an experience has ever held it: only then may it be for buyers alone').default(false),
  },
  fields: {
    kind: oneOf(
      ['file', 'external_video'],
      'file: stored here; external_video: on YouTube, Vimeo or Wistia, at `url`. Default: file',
    ).createOnly(),
    source: oneOf(['upload', 'url_import', 'external_video', 'generation'], 'Origin of the file').readOnly(),
    source_type: oneOf(['upload', 'external'], 'external: created from a `url`').derived(),
    upload_status: oneOf(
      ['pending', 'processing', 'ready', 'failed'],
      'pending: waiting for its bytes and POST /files/{id}/uploaded; processing: being imported; ready: can be used; failed: see error_message',
    ).readOnly(),
    filename: text('File name, without slashes. Default for imports: the last part of the URL', {
      max: 255,
      pattern: FILE_NAME,
      says: 'must not contain slashes or control characters',
      example: 'cover.png',
    })
      .nullable('unknown')
      .createOnly(),
    content_type: text('Media type, detected from the bytes; a given one is only a hint for text formats', {
      max: 255,
      pattern: MEDIA_TYPE,
      says: 'is not a media type; write it like image/png',
      example: 'image/png',
    })
      .nullable('unknown until it is ready')
      .createOnly(),
    size: integer('File size; can be given in advance', {
      min: 0,
      max: MAX_UPLOAD_BYTES,
      unit: 'bytes',
      example: 48_213,
    })
      .nullable('unknown until it is ready')
      .createOnly(),
    width: integer('Width of a picture or video, as it is shown', { min: 1, unit: 'pixels', example: 1200 })
      .nullable('not known')
      .readOnly(),
    height: integer('Height of a picture or video, as it is shown', { min: 1, unit: 'pixels', example: 800 })
      .nullable('not known')
      .readOnly(),
    checksum: text('SHA-256 of its bytes, in hexadecimal', { max: 64, example: 'e3b0c44298fc1c149afbf4c8996fb924' })
      .nullable('not stored here')
      .readOnly(),
    title: text('Title', { max: 200, example: 'Cover' }).nullable('none').createOnly(),
    description: longText('Description', 5000).nullable('none').createOnly(),
    alternative_text: text(
      'Description of a picture for people who cannot see it, on product pages and in social posts',
      { max: 1000, example: 'A kestrel printed in two shades of green' },
    )
      .nullable('none')
      .createOnly(),
    tags: texts('Your own keywords').nullable('none').createOnly(),
    url: text('URL of the file to import, or of the video', {
      max: 2048,
      example: 'https://example.com/cover.png',
    })
      .nullable('uploaded')
      .createOnly(),
    provider: oneOf(['youtube', 'vimeo', 'wistia'], 'Host of an external video')
      .nullable('not an external video')
      .readOnly(),
    file_url: servedAddress(
      'Address where its bytes are served, to everybody who knows it. While only an experience for buyers holds the file, this address expires within two hours and each answer has a fresh one; buyers open it through their own page, as long as they have access',
      'https://shop.example/files/file_01k9z6v8q2f3x7c5m1n4b0r8ta/x/cover.png',
    ).nullable('not stored here'),
    source_job_id: text('Import job', { max: 100, example: null }).nullable('not imported').readOnly(),
    error_message: text('Why it failed', { max: 500, example: null }).nullable('not failed').readOnly(),
    upload_url: text('URL to PUT the bytes to: once, within an hour, without a token', {
      max: 4096,
      example: null,
    })
      .nullable('shown only when an upload is created')
      .derived(),
    upload_headers: structure('object', z.record(z.string(), z.string()), 'Headers to send with the PUT', {})
      .nullable('shown only when an upload is created')
      .derived(),
  },
})

export type FileRow = Row<typeof File>
