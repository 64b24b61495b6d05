import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, errorDocsUrl } from '../contract/declarations/errors.ts'
import { durationInWords } from '../format/durations.ts'
import { memoryInWords } from '../format/sizes.ts'
import { newRequestId } from '../pipeline/run.ts'
import { connectionLimits as limits } from './limits.ts'

/** Returns the error for a request that Node.js could not parse. `code` is the error code of Node.js. */
export function unreadableRequest(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        'headers_too_large',
        `The URL and the headers together are larger than ${memoryInWords(limits.headerBytes)}.`,
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(
        'request_timeout',
        `The request took too long: its headers must arrive within ${durationInWords(limits.headersMs / 1000)}, all of it within ${durationInWords(limits.requestMs / 1000)}.`,
      )
    case 'HPE_INVALID_METHOD':
      return malformed('it does not start with an HTTP method (was HTTPS sent to an HTTP port?)')
    case 'HPE_INVALID_CHUNK_SIZE':
      return malformed('a chunk of its body has an invalid size')
    case 'HPE_INVALID_CONTENT_LENGTH':
    case 'HPE_UNEXPECTED_CONTENT_LENGTH':
      return malformed('its Content-Length is invalid')
    case 'HPE_INVALID_EOF_STATE':
      return malformed('it ends in the middle')
    default:
      return malformed('its first line or its headers are invalid')
  }
}

export function malformed(problem: string): ApiError {
  return new ApiError('malformed_request', `The request is not valid HTTP: ${problem}.`)
}

export function tooManyConnections(): ApiError {
  const headers = { 'Retry-After': '1' }
  const message = `Your address has ${limits.connectionsOfClient} open connections, the maximum. Close some.`
  return new ApiError('rate_limit_exceeded', message, { headers })
}

function partsOf(error: ApiError, publicUrl: string) {
  const headers = {
    'Request-Id': newRequestId(),
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    Connection: 'close',
    ...error.headers,
  }
  return { headers, body: JSON.stringify(error.body(errorDocsUrl(publicUrl))) }
}

export function answerUnread(socket: Duplex, error: ApiError, publicUrl: string): void {
  const { headers, body } = partsOf(error, publicUrl)
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`)
}

export function unreadResponse(error: ApiError, publicUrl: string): Response {
  const { headers, body } = partsOf(error, publicUrl)
  return new Response(body, { status: error.status, headers })
}
