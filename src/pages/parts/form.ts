import { ApiError } from '../../contract/declarations/errors.ts'
import type { BodyReader } from '../../pipeline/body-reader.ts'
import { FORM_LIMIT_BYTES } from './guard.ts'
import type { PageRequest } from './parts.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The fields of a posted form. Throws `unsupported_media_type` or `request_too_large`. */
export async function readForm(
  bodies: BodyReader,
  { request, header, address }: PageRequest,
  limitBytes = FORM_LIMIT_BYTES,
): Promise<URLSearchParams> {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE || (header('content-encoding') ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', `Send the form as ${FORM_TYPE}.`)
  // Nobody has signed in here, so what one sender holds of the memory is counted by its address.
  const body = { request, header, accountId: `forms of ${address}`, limitBytes }
  return bodies.read(body, (bytes) => new URLSearchParams(new TextDecoder().decode(bytes)))
}
