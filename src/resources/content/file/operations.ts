import { sql } from 'kysely'
import { outside } from '../../../records/custom.ts'
import { anyOf, equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { confirmUpload } from './confirm.ts'
import { createFile, requireOrigin } from './create.ts'
import { deleteFile } from './delete.ts'
import { File } from './file.ts'
import { expireUpload, importFile } from './jobs.ts'
import { removeBytes } from './remove_bytes.ts'
import { deriveFiles } from './show.ts'

const { list, create, retrieve, remove } = verbs(File)

export const files = resource(File, {
  derive: deriveFiles,
  jobs: [importFile, expireUpload, removeBytes],
  operations: [
    list({
      summary: 'List files',
      description: 'Includes files that are not ready.',
      filters: {
        kind: equals(File, 'kind', 'Only files, or only videos on other sites'),
        source_type: anyOf(File.fields.source_type!, (type: 'upload' | 'external') =>
          type === 'external' ? sql<boolean>`url is not null` : sql<boolean>`url is null`,
        ),
        upload_status: equals(File, 'upload_status', 'Only files of this status'),
      },
    }),
    create({
      inTurn: true,
      summary: 'Start an upload, import a URL or pin an external video',
      description:
        'filename alone: PUT the bytes, at most 500 MB, to upload_url with upload_headers within an hour, then POST /files/{id}/uploaded. url: the service fetches it after the answer, or after the commit of a program, at most 100 MB in 30 s; file.ready or file.failed follows, and only then can it be used. kind external_video with url: ready at once. The files of an account take at most 50 GB.',
      emits: ['file.created', 'file.ready'],
      example: { filename: 'cover.png' },
      checks: [{ fields: ['filename', 'url', 'kind'], check: requireOrigin }],
      rule: createFile,
    }),
    retrieve({ summary: 'Show one file' }),
    remove({
      summary: 'Delete a file',
      description:
        'While the gallery of a product, an experience or a scheduled social post has it, 400 resource_in_use.',
      emits: ['file.deleted'],
      rule: deleteFile,
    }),
    outside({
      id: 'confirm_file_upload',
      method: 'POST',
      path: '/files/{id}/uploaded',
      answers: File,
      summary: 'Confirm that the bytes of an upload have arrived',
      description:
        'Comes after the bytes were put to upload_url. Makes a pending upload ready, with what its bytes are; one that is too large becomes failed. Without bytes, and for what is no upload, 400 invalid_state; a ready upload stays as it is.',
      emits: ['file.ready', 'file.failed'],
      evenWhenFull: true,
      rule: confirmUpload,
    }),
  ],
})
