import { ApiError } from '../../../contract/declarations/errors.ts'
import { counted } from '../../../format/counts.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import type { BodyReader } from '../../../pipeline/body-reader.ts'
import type { PageRequest } from '../../parts/page-parts.ts'

const FORM_TYPE = 'multipart/form-data'
/** Matches a boundary (RFC 2046, section 5.1.1) without the characters that browsers never use. */
const BOUNDARY = /;\s*boundary=(?:"([\w'+.-]{1,70})"|([\w'+.-]{1,70}))\s*(?:;|$)/i
const HEAD_END = Buffer.from('\r\n\r\n')

/** The maximum number of files in one form. Parsing keeps three copies of them in memory. */
export const MOST_FILES = 10
export const FILES_BYTES = 20_000_000

const BOUNDS: MultipartBounds = { parts: 100, headBytes: 4096, fieldBytes: 1024 }
const FORM_BYTES = FILES_BYTES + BOUNDS.parts * (BOUNDS.headBytes + BOUNDS.fieldBytes)

/** The maximum number of forms with files in memory at a time, over all accounts. */
const AT_ONCE = 2
/** The time limit for sending a form, which is enough for the largest form at 550 kbit/s. */
const LONGEST_MS = 5 * 60_000
/** The maximum number of bytes of an oversized form that are discarded: browsers show a response only after sending the body. */
const DISCARDED_BYTES = 3 * FILES_BYTES
const DISCARDING_MS = 10_000

interface FileForm {
  /** Returns the value of a text field, or an empty string. */
  field(name: string): string
  files: File[]
}

/** Reads forms with files, up to `AT_ONCE` at a time and one at a time per account. */
export class FileForms {
  readonly #bodies: BodyReader
  readonly #arriving = new Set<string>()

  constructor(bodies: BodyReader) {
    this.#bodies = bodies
  }

  /** Reads a form and calls `use`. Throws `unsupported_media_type`, `request_too_large`, `malformed_request` or `overloaded`. */
  async read<Result>(
    { request, header, allowLong }: PageRequest,
    accountId: string,
    use: (form: FileForm) => Promise<Result>,
  ): Promise<Result> {
    const boundary = boundaryOf(header('content-type'))
    if (Number(header('content-length') ?? 0) > FORM_BYTES) throw await discardBody(request, tooLarge())
    if (this.#arriving.has(accountId) || this.#arriving.size >= AT_ONCE) throw await discardBody(request, tooMany())
    this.#arriving.add(accountId)
    try {
      allowLong(LONGEST_MS)
      const body = { request, header, accountId: `files of ${accountId}`, limitBytes: FORM_BYTES }
      return await this.#bodies.read(body, async (bytes) => use(formOf(await parseMultipart(bytes, boundary, BOUNDS))))
    } finally {
      this.#arriving.delete(accountId)
    }
  }
}

/** Reads the fields, without the empty file that browsers send for a file input without a choice. */
function formOf(form: FormData): FileForm {
  const files = [...form.values()].filter((value) => typeof value !== 'string')
  const chosen = files.filter(({ name, size }) => name !== '' || size > 0)
  if (chosen.length > MOST_FILES)
    throw new ApiError('request_too_large', `A form takes at most ${MOST_FILES} files. Send fewer at a time.`)
  return {
    files: chosen,
    field(name) {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    },
  }
}

/** Discards the rest of the body and returns `refusal`, because a browser shows no response if its request is cut off. */
async function discardBody({ body }: Request, refusal: ApiError): Promise<ApiError> {
  const reader = body?.getReader()
  if (!reader) return refusal
  const timer = setTimeout(() => reader.cancel().catch(() => {}), DISCARDING_MS)
  try {
    for (let [size, step] = [0, await reader.read()]; !step.done && size < DISCARDED_BYTES; step = await reader.read())
      size += step.value.length
  } catch {
    // The browser disconnected, so there is nothing left to discard.
  } finally {
    clearTimeout(timer)
  }
  return refusal
}

function tooLarge(): ApiError {
  return new ApiError(
    'request_too_large',
    `The files are larger than ${bytesInWords(FILES_BYTES)} in total. Nothing was uploaded.`,
  )
}

function tooMany(): ApiError {
  const message = 'Too many uploads are in progress. Nothing was uploaded. Try again in a minute.'
  return new ApiError('overloaded', message, { headers: { 'Retry-After': '60' } })
}

interface MultipartBounds {
  parts: number
  /** The maximum number of bytes of the headers of one part. */
  headBytes: number
  /** The maximum number of bytes of a text field. */
  fieldBytes: number
}

function boundaryOf(contentType: string | null): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType ?? '') ?? []
  const boundary = quoted ?? plain
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE || boundary === undefined)
    throw new ApiError('unsupported_media_type', `Send a form with files as ${FORM_TYPE} with a boundary.`)
  return boundary
}

async function parseMultipart(bytes: Uint8Array, boundary: string, bounds: MultipartBounds): Promise<FormData> {
  checkParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), Buffer.from(`--${boundary}`), bounds)
  const headers = { 'Content-Type': `${FORM_TYPE}; boundary=${boundary}` }
  const form = await new Response(bytes as BodyInit, { headers }).formData().catch(() => {
    throw new ApiError('malformed_request', 'The form could not be read. Reload the page and try again.')
  })
  for (const [name, value] of form)
    if (typeof value === 'string' && Buffer.byteLength(value) > bounds.fieldBytes)
      throw new ApiError('request_too_large', `The field ${name} is longer than ${counted(bounds.fieldBytes, 'byte')}.`)
  return form
}

/** Checks the parts before they are parsed, because parsing very many parts or very long headers takes seconds. */
function checkParts(bytes: Buffer, line: Buffer, { parts, headBytes }: MultipartBounds): void {
  let count = 0
  for (let at = bytes.indexOf(line); at >= 0; at = bytes.indexOf(line, at + line.length)) {
    const head = bytes.subarray(at + line.length, at + line.length + headBytes)
    // The closing boundary ends with two hyphens.
    if (head.toString('latin1', 0, 2) === '--') return
    count += 1
    if (count > parts) throw new ApiError('request_too_large', `The form has more than ${parts} parts.`)
    if (!head.includes(HEAD_END))
      throw new ApiError('request_too_large', `The headers of a part are longer than ${counted(headBytes, 'byte')}.`)
  }
}
