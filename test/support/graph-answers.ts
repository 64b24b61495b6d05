import { createHmac } from 'node:crypto'
import type { Answer, Body, Incoming } from './network-server.ts'

/** Returns an error response of the Graph API (Graph API, Handle errors). */
export function refused(message: string, code: number, more: object = {}, status = 400): Answer {
  const error = { message, type: 'OAuthException', code, fbtrace_id: 'AbCdEf', ...more }
  return [status, { error }]
}

export function unknownObject(id: string): Answer {
  const message = `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`
  return refused(message, 100, { type: 'GraphMethodException', error_subcode: 33 })
}

export function expiredToken(): Answer {
  const message = 'Error validating access token: Session has expired on Tuesday, 24-Nov-26 10:00:00 PST.'
  return refused(message, 190, { error_subcode: 463 }, 401)
}

/** A decoded form of any media type: its fields, and its files by name. */
export interface Form {
  fields: Map<string, string>
  files: Map<string, Buffer>
}

/** Returns the parameters of a request: the form of a POST, otherwise the query. Null if the body is not a form. */
export function formOf({ method, query, headers, sent }: Incoming): Form | null {
  const type = headers['content-type'] ?? ''
  if (method !== 'POST') return { fields: new Map(query), files: new Map() }
  if ([...query].length > 0) return null
  if (type === 'application/x-www-form-urlencoded')
    return { fields: new Map(new URLSearchParams(sent.toString('utf8'))), files: new Map() }
  const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(type) ?? []
  return boundary === undefined ? null : partsOf(sent, boundary)
}

function partsOf(sent: Buffer, boundary: string): Form {
  const form: Form = { fields: new Map(), files: new Map() }
  for (const part of sent.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    const bytes = Buffer.from(rest.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1')
    const [, name = ''] = /name="([^"]+)"/.exec(head) ?? []
    if (head.includes('filename=')) form.files.set(name, bytes)
    else form.fields.set(name, bytes.toString('utf8'))
  }
  return form
}

/** Returns the top-level names in `fields`. */
function fieldsIn(fields: string | undefined): string[] {
  let depth = 0
  const names = ['']
  for (const character of fields ?? '') {
    if (character === '{' || character === '(') depth++
    else if (character === '}' || character === ')') depth--
    else if (character === ',' && depth === 0) names.push('')
    else if (depth === 0) names[names.length - 1] += character
  }
  return names.map((name) => name.replace(/\..*$/, '')).filter(Boolean)
}

/** Returns only the requested fields. */
export function picked(object: Body, fields: string | undefined): Body {
  const names = fieldsIn(fields)
  return Object.fromEntries(Object.entries(object).filter(([name]) => name === 'id' || names.includes(name)))
}

/** Returns the error of the network for a parameter that is not allowed, or null. */
export function unexpected(form: Form, allowed: readonly string[]): Answer | null {
  const names = [...form.fields.keys(), ...form.files.keys()].map((name) => name.replace(/\[\d+\]$/, ''))
  const foreign = names.find((name) => !['access_token', 'appsecret_proof', ...allowed].includes(name))
  return foreign === undefined ? null : refused(`(#100) Unexpected parameter ${foreign}`, 100)
}

export function isProof(proof: string | undefined, token: string, secret: string): boolean {
  return proof === createHmac('sha256', secret).update(token).digest('hex')
}
