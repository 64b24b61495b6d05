import { sql } from 'kysely'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import { text } from '../../../contract/declarations/kinds.ts'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import { only } from '../../../errors.ts'
import { FileTooLargeError } from '../../../providers/files/provider.ts'
import type { Context, OutsideContext } from '../../../records/context.ts'
import { outside } from '../../../records/custom.ts'
import { anyOf, equals } from '../../../records/filters.ts'
import { changeRow, deleteRow, findRow, requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { idsFound } from '../../../records/search/by-words.ts'
import { type Meant, words } from '../../../records/starting.ts'
import { verbs } from '../../../records/verbs.ts'
import { createFile, requireOrigin } from './create.ts'
import { File, type FileRow, MAX_UPLOAD_BYTES } from './file.ts'
import { expireUpload, importFile } from './jobs.ts'
import { discardBytes, failFile, type Inspected, inspectFile, removeBytes, settleFile } from './settle.ts'
import { deriveFiles } from './show.ts'
import { findBlockingUse } from './uses.ts'

/** Inspects the uploaded bytes and marks the file as ready or failed. Has no effect on a file that is ready. */
async function confirmUpload(context: OutsideContext, { path }: { path: { id: string } }): Promise<FileRow> {
  const file = await findRow(context, File, path.id)
  if (!file) throw missingResource(File.name)
  if (isDone(file)) return file
  const found = await contentsOf(context, file)
  return context.transaction((part) => settleOnce(part, file.id, found))
}

/** Checks the status again, because another request may have confirmed the upload meanwhile. */
async function settleOnce(context: Context, id: string, found: Inspected | FileTooLargeError): Promise<FileRow> {
  const file = await requireRow(context, File, id)
  if (isDone(file)) return file
  return found instanceof FileTooLargeError ? failFile(context, file, found.message) : settleFile(context, file, found)
}

/** Throws `invalid_state` if the file cannot be confirmed. */
function isDone({ source, upload_status }: FileRow): boolean {
  if (source === 'upload' && upload_status === 'ready') return true
  if (source === 'upload' && upload_status === 'pending') return false
  const what = source === 'upload' ? `the upload has ${upload_status}` : 'the file was not uploaded'
  throw new ApiError('invalid_state', `Only pending uploads can be confirmed: ${what}.`)
}

async function contentsOf(context: OutsideContext, file: FileRow): Promise<Inspected | FileTooLargeError> {
  const inspected = inspectFile(context, file, { maxBytes: MAX_UPLOAD_BYTES })
  const found = await inspected.catch(only(FileTooLargeError, (error) => error))
  if (found) return found
  throw new ApiError('invalid_state', 'No bytes have arrived yet. PUT them to the upload_url of the create first.')
}

const MOST = 500

const FILE_WORDS = words(
  File,
  'An id, or beginnings of words of the file name or title',
  async (context, given): Promise<Meant[]> => {
    if (File.isId(given)) return [['id', [given]]]
    return [['id', await idsFound(context, File, given, MOST)]]
  },
)

const DESCRIBED = {
  alternative_text: text('What the picture shows', {
    max: 1000,
    example: 'A kestrel printed in two shades of green',
  }).nullable('none'),
}

const { list, create, retrieve, remove, action } = verbs(File)

export const files = resource(File, {
  derive: deriveFiles,
  jobs: [importFile, expireUpload, removeBytes],
  operations: [
    list({
      summary: 'List files',
      description: 'Includes files that are not ready.',
      filters: {
        kind: equals(File, 'kind', 'Only files, or only external videos'),
        source_type: anyOf(File.fields.source_type, (type: 'upload' | 'external') =>
          type === 'external' ? sql<boolean>`url is not null` : sql<boolean>`url is null`,
        ),
        upload_status: equals(File, 'upload_status', 'Only files of this status'),
        query: FILE_WORDS,
      },
    }),
    create({
      inTurn: true,
      summary: 'Start an upload, import a URL or pin an external video',
      description:
        'filename only: PUT the bytes, at most 500 MB, to upload_url with upload_headers within an hour, then POST /files/{id}/uploaded. url: the service fetches it after the response, or after the commit of a program, at most 100 MB in 30 s; the file can be used after file.ready; file.failed reports an error. kind external_video with url: ready at once. At most 50 GB of files per account.',
      emits: ['file.created', 'file.ready'],
      example: { filename: 'cover.png' },
      checks: [{ fields: ['filename', 'url', 'kind'], check: requireOrigin }],
      rule: createFile,
    }),
    retrieve({ summary: 'Show one file' }),
    remove({
      summary: 'Delete a file',
      description: 'While a product gallery, an experience or a scheduled social post uses it, 400 resource_in_use.',
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
        'Call it after the bytes are at upload_url. A pending upload becomes ready, with its detected type; one that is too large becomes failed. If no bytes arrived, or the file is not an upload, 400 invalid_state; a ready upload does not change.',
      emits: ['file.ready', 'file.failed'],
      evenWhenFull: true,
      rule: confirmUpload,
    }),
  ],
  dashboard: [
    action('describe', {
      summary: 'Describe a picture for people who cannot see it',
      description: 'Pages and social posts use it from then on.',
      body: DESCRIBED,
      rule: describeFile,
    }),
  ],
})

/** Throws if the file is in use. Its bytes are removed after the commit. */
async function deleteFile(context: Context, file: FileRow): Promise<void> {
  const user = await findBlockingUse(context, file.id)
  if (user !== null) throw new ApiError('resource_in_use', `The file is used in ${user}. Remove it there first.`)
  if (file.expire_job !== null) await context.cancel(file.expire_job)
  await deleteRow(context, File, file)
  await discardBytes(context, file)
  context.emit(File, 'deleted', file)
}

/** Emits no event, because files have none for updates. */
function describeFile(
  context: Context,
  file: FileRow,
  { alternative_text: words }: InputOf<typeof DESCRIBED>,
): Promise<FileRow> {
  return changeRow(context, File, file, { alternative_text: words?.trim() || null })
}
