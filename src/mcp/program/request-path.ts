import { ApiError, requestTooLarge } from '../../contract/declarations/errors.ts'
import { readQueryString } from '../../contract/requests/given.ts'
import type { OperationRequest, ProgramPart } from '../../pipeline/request.ts'
import type { ProgramCall } from '../../sandbox/api.ts'
import { type Addresses, namesHost } from '../endpoint/addresses.ts'

export type ProgramRequest = Pick<OperationRequest, 'method' | 'path' | 'query' | 'body'> &
  Pick<ProgramPart, 'helper' | 'aggregate'>

const ABSOLUTE = /^(https?:)?\/\/([^/?#]*)(.*)$/is

/** Converts a call to a request. The path may have a `/v1` prefix or this server's address. Throws ApiError. */
export function toRequest(call: ProgramCall, server: Addresses): ProgramRequest {
  const inQuery = call.method === 'GET' || call.method === 'DELETE'
  if (call.over !== null) throw requestTooLarge(call.over)
  const [path = '', queryString = ''] = split(withoutAddress(call.path.trim(), server))
  const query = readQueryString(queryString)
  return {
    method: call.method,
    path: operationPath(path),
    query: inQuery ? joined(query, call.params) : query,
    body: inQuery ? undefined : call.params,
    ...(call.word && { helper: true }),
    ...(call.aggregate && { aggregate: call.aggregate }),
  }
}

/** Adds the parameters to the query in the path. A name in both gets both values, except that a paging parameter is replaced. */
function joined(query: Record<string, unknown>, params: ProgramCall['params']): Record<string, unknown> {
  const both = Object.entries(params).map(([name, value]) => {
    const adds = Object.hasOwn(query, name) && !PAGING.includes(name)
    return [name, adds ? [query[name], value].flat() : value]
  })
  return Object.fromEntries([...Object.entries(query), ...both])
}

const PAGING = ['limit', 'starting_after']

function withoutAddress(written: string, { hosts, publicUrl }: Addresses): string {
  const absolute = ABSOLUTE.exec(written)
  if (absolute === null) return written
  const [, , host = '', rest = ''] = absolute
  if (namesHost(`http://${host}`, hosts)) return rest
  throw new ApiError(
    'parameter_invalid',
    `${written.slice(0, 200)} is on another server; programs can reach only ${publicUrl}, by paths such as /products.`,
    { param: 'path' },
  )
}

function split(path: string): string[] {
  return /^([^?#]*)(?:\?([^#]*))?/.exec(path)?.slice(1) ?? []
}

function operationPath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '')
  if (segments[0]?.toLowerCase() === 'v1') segments.shift()
  return `/${segments.join('/')}`
}
