import { accountOf } from '../../access/account-of.ts'
import type { BuyerCaller, Caller } from '../../contract/declarations/caller.ts'
import { ApiError, missingResource, storageRefused } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import { counted } from '../../format/counts.ts'
import { FileTooLargeError, KeyTakenError } from '../../providers/files/provider.ts'
import { changeRow, findRow } from '../../records/records.ts'
import { keyOf, opensUpload } from '../../resources/content/file/addresses.ts'
import { File, MAX_UPLOAD_BYTES } from '../../resources/content/file/file.ts'
import { fits, QUOTA_FULL } from '../../resources/content/file/settle.ts'
import type { PageParts } from '../parts/parts.ts'

type FileRow = Row<typeof File>

class UploadEndedError extends Error {}

/** Returns the number of bytes. Throws `resource_missing`, `invalid_state`, `request_too_large`, `malformed_request` or `storage_full`. */
export async function upload(parts: FileParts, asked: FileRequest, admitted: () => void): Promise<number> {
  const { id, capability, request, header } = asked
  const accountId = opensUpload(parts, id, capability) ? await accountOf(parts.database.read, 'files', id) : null
  if (accountId === null) throw missingResource(File.name)
  const caller: BuyerCaller = { kind: 'buyer', accountId, checkoutId: id }
  const announced = Number(header('content-length') ?? 0)
  return keepBytes(parts, caller, id, { announced, chunks: chunksOf(request.body), admitted })
}

interface IncomingBytes {
  /** The number of bytes that the client announced, or 0 if unknown. */
  announced: number
  chunks: AsyncIterable<Uint8Array>
  admitted?: () => void
}

type KeepParts = Pick<FileParts, 'pipeline' | 'services'>

/** Uploads for a caller who was already authorized. */
export async function keepBytes(parts: KeepParts, caller: Caller, id: string, bytes: IncomingBytes): Promise<number> {
  const { announced, chunks, admitted } = bytes
  const file = await parts.pipeline.visits.look(caller, async (context) => {
    const found = requireOpen(await findRow(context, File, id), context.now)
    if (!(await fits(context, announced))) throw new ApiError('request_too_large', QUOTA_FULL)
    return found
  })
  const maxBytes = file.declared_size ?? MAX_UPLOAD_BYTES
  if (announced > maxBytes) throw tooLarge(maxBytes)
  admitted?.()
  const size = await write(parts, file, chunks, maxBytes)
  await recordSize(parts, caller, file, size)
  return size
}

/** Throws unless the file's upload is pending and not expired. */
function requireOpen(file: FileRow | undefined, now: string): FileRow {
  if (!file) throw missingResource(File.name)
  if (file.upload_status !== 'pending')
    throw new ApiError('invalid_state', `The upload is ${file.upload_status}; no more data is accepted.`)
  if (file.upload_expires_at === null || file.upload_expires_at <= now)
    throw new ApiError('invalid_state', 'The upload URL has expired. Create the file again.')
  return file
}

async function write(
  { services }: Pick<FileParts, 'services'>,
  file: FileRow,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<number> {
  try {
    return await services.files.named(file.store!).write(keyOf(file), chunks, { maxBytes })
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

function refusalOf(error: unknown): ApiError | null {
  if (error instanceof FileTooLargeError) return tooLarge(error.maxBytes)
  if (error instanceof KeyTakenError)
    return new ApiError(
      'invalid_state',
      'The file has already been uploaded. Confirm it with POST /files/{id}/uploaded.',
    )
  if (error instanceof UploadEndedError)
    return new ApiError(
      'malformed_request',
      'The upload was interrupted and nothing was saved. Send the whole file again.',
    )
  return (error as NodeJS.ErrnoException).code === 'ENOSPC' ? storageRefused('full') : null
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('request_too_large', `The upload is larger than the allowed ${counted(maxBytes, 'byte')}.`)
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (let step = await readChunk(reader); !step.done; step = await readChunk(reader)) yield step.value
  } finally {
    reader.releaseLock()
  }
}

function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return reader.read().catch((error: unknown) => {
    throw new UploadEndedError('The body broke off', { cause: error })
  })
}

/** Stores the number of bytes, or removes the bytes if the file was deleted meanwhile. */
async function recordSize(
  { pipeline, services }: KeepParts,
  caller: Caller,
  file: FileRow,
  size: number,
): Promise<void> {
  const isWanted = await pipeline.visits.act(caller, [], async (context) => {
    const current = await findRow(context, File, file.id)
    if (current?.upload_status === 'pending') await changeRow(context, File, current, { stored_bytes: size })
    return current !== undefined && current.upload_status !== 'failed'
  })
  if (!isWanted) await services.files.named(file.store!).remove(keyOf(file))
}

export type FileParts = Pick<PageParts, 'pipeline' | 'services' | 'database'>

export interface FileRequest {
  id: string
  /** The secret in the URL, which authorizes the request. */
  capability: string
  request: Request
  header: HeaderOf
}
