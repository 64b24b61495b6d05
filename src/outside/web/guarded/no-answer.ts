import { AddressRefusedError, NoAnswerError } from '../client.ts'

/** What went wrong, by the codes of Node.js, OpenSSL and undici. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the response was complete.',
  EPIPE: 'The connection was closed before the response was complete.',
  UND_ERR_SOCKET: 'The connection was closed before the response was complete.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large.',
  HPE_HEADER_OVERFLOW: 'The response headers are too large.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate cannot be verified.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
}

/** An error of a request in one sentence. What the guard has refused stays as it is. */
export function noAnswer(error: unknown): Error {
  const known = causesOf(error).find((cause) => cause instanceof AddressRefusedError || cause instanceof NoAnswerError)
  if (known) return known
  const codes = causesOf(error).map((cause) => String((cause as { code?: unknown }).code))
  const code = codes.find((one) => Object.hasOwn(REASONS, one))
  if (code !== undefined) return new NoAnswerError(REASONS[code], { cause: error })
  const isMalformed = causesOf(error).some(({ name }) => name === 'HTTPParserError')
  return new NoAnswerError(isMalformed ? 'The response is not valid HTTP.' : 'The request failed.', { cause: error })
}

/** An error, its causes, and the parts of one that stands for several attempts to connect. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const parts = error instanceof AggregateError ? error.errors : []
  return [error, ...causesOf(error.cause), ...parts.flatMap(causesOf)]
}
