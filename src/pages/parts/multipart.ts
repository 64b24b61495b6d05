import { ApiError } from '../../contract/declarations/errors.ts'
import { counted } from '../../words/counts.ts'

/** What a form with files may have; more of it is refused before anything is made of it. */
export interface MultipartBounds {
  parts: number
  /** Of a part's headers, with the name of its file. */
  headBytes: number
  /** Of a field that is no file. */
  fieldBytes: number
}

const FORM_TYPE = 'multipart/form-data'
/** RFC 2046, section 5.1.1, without the characters that browsers never choose. */
const BOUNDARY = /;\s*boundary=(?:"([\w'+.-]{1,70})"|([\w'+.-]{1,70}))\s*(?:;|$)/i
const HEAD_END = Buffer.from('\r\n\r\n')

/** The boundary between the parts of a form with files. Throws `unsupported_media_type`. */
export function boundaryOf(contentType: string | null): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType ?? '') ?? []
  const boundary = quoted ?? plain
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE || boundary === undefined)
    throw new ApiError('unsupported_media_type', `Send a form with files as ${FORM_TYPE} with a boundary.`)
  return boundary
}

/** The parts of a form with files. Throws `request_too_large` or `malformed_request`. */
export async function parseMultipart(bytes: Uint8Array, boundary: string, bounds: MultipartBounds): Promise<FormData> {
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

/** Reading very many parts, or very long headers, would take seconds, so they are counted first. */
function checkParts(bytes: Buffer, line: Buffer, { parts, headBytes }: MultipartBounds): void {
  let count = 0
  for (let at = bytes.indexOf(line); at >= 0; at = bytes.indexOf(line, at + line.length)) {
    const head = bytes.subarray(at + line.length, at + line.length + headBytes)
    // The last line ends with two hyphens, and nothing of it follows.
    if (head.toString('latin1', 0, 2) === '--') return
    count += 1
    if (count > parts) throw new ApiError('request_too_large', `The form has more than ${parts} parts.`)
    if (!head.includes(HEAD_END))
      throw new ApiError('request_too_large', `The headers of a part are longer than ${counted(headBytes, 'byte')}.`)
  }
}
