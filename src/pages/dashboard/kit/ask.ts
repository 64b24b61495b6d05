import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { PathNames } from '../../../contract/declarations/operation.ts'
import type { OperationAnswer } from '../../../pipeline/request.ts'
import type {
  AnswerOf,
  BodyOf,
  ExpandableBy,
  List,
  OperationName,
  QueryOf,
} from '../../../resources/operation-types.ts'
import type { Page } from '../../parts/markup.ts'

const FORM_KEY = 'form_key'

export type Values = Record<string, unknown>

/** What an operation answered. `body` is of that type unless it refused, which `refusalOf` finds out. */
export interface Answer<Body> extends Omit<OperationAnswer, 'body'> {
  body: Body
}

interface Sent {
  /** What a form holds so that sending it twice does it once; null where it holds none. */
  key?: string | null
}

interface Given<Name extends OperationName, Expanded extends string> extends Sent {
  path?: Readonly<Record<PathNames<Name>, string>>
  query?: QueryOf<Name> & { expand?: readonly Expanded[] }
  body?: BodyOf<Name>
}

/** As `Given`, for an operation whose path has names in it. */
interface GivenPath<Name extends OperationName, Expanded extends string> extends Given<Name, Expanded> {
  path: Readonly<Record<PathNames<Name>, string>>
}

/**
 * Calls an operation of the catalogue or of the dashboard by its name, such as `GET /orders/{id}`. A refusal is an answer like
 * any other.
 */
export type Ask = <Name extends OperationName, const Expanded extends ExpandableBy<Name> = never>(
  operation: Name,
  ...given: [PathNames<Name>] extends [never] ? [Given<Name, Expanded>?] : [GivenPath<Name, Expanded>]
) => Promise<Answer<AnswerOf<Name, Expanded>>>

/** The same of any operation, for pages that are made from declarations: nothing is known of what it takes and answers. */
export type AskAny = (
  method: string,
  path: string,
  given?: Sent & { query?: Values; body?: unknown },
) => Promise<Answer<AnyBody>>

interface AnyBody extends Values {
  data: Values[]
  has_more: boolean
}

export function askByName(ask: AskAny): Ask {
  const asked = (
    operation: string,
    { path = {}, ...given }: Sent & { path?: Readonly<Record<string, string>> } = {},
  ) => {
    const [method = '', address = ''] = operation.split(' ')
    return ask(
      method,
      address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]!)),
      given,
    )
  }
  return asked as Ask
}

/** A refusal of an operation that a page cannot go on without. */
export class RefusedError extends Error {
  readonly status: number
  readonly answer: Answer<object>

  constructor(answer: Answer<object>) {
    super(refusalOf(answer)?.message ?? 'refused')
    this.status = answer.status
    this.answer = answer
  }
}

/** What an operation shows of one thing. Throws RefusedError when it refuses. */
export async function shown<Body extends object>(answer: Promise<Answer<Body>>): Promise<Body> {
  const found = await answer
  if (found.status >= 400) throw new RefusedError(found)
  return found.body
}

type PageOf<Row> = Pick<List<Row>, 'data' | 'has_more'>

interface Rows<Row> {
  rows: Row[]
  more: boolean
}

/** The rows of a list. Throws RefusedError when it refuses. */
export async function rowsOf<Row>(answer: Promise<Answer<PageOf<Row>>>): Promise<Rows<Row>> {
  await shown(answer)
  return rowsIn(await answer)
}

/** The rows in the answer of a list; none where it refused. */
export function rowsIn<Row>({ status, body }: Answer<PageOf<Row>>): Rows<Row> {
  return status >= 400 ? { rows: [], more: false } : { rows: body.data, more: body.has_more }
}

export interface Refusal {
  code: string
  message: string
  param?: string
  errors?: Record<string, string[]>
}

export function refusalOf({ status, body }: { status: number; body: object }): Refusal | null {
  return status >= 400 ? (body as { error: Refusal }).error : null
}

export interface Refused {
  sent: URLSearchParams
  refusal: Refusal
  status: number
}

/** A form that an operation refused, to be shown again; null where it was taken. */
export function refusedForm(sent: URLSearchParams, answer: OperationAnswer): Refused | null {
  const refusal = refusalOf(answer)
  return refusal && { sent, refusal, status: answer.status }
}

/** The field that tells a form that is sent twice from one that is filled in twice. */
export function keyField(sent: URLSearchParams | null = null, refusal: Refusal | null = null): Page {
  // What is still being done keeps its key, so that it is not done again.
  const kept = refusal?.code === 'idempotency_key_in_use' ? sent?.get(FORM_KEY) : null
  return html`<input type="hidden" name="${FORM_KEY}" value="${kept || randomUUID()}">`
}

/** The idempotency key of a form that was sent; null where it has none. */
export function keyOf(form: URLSearchParams): string | null {
  return form.get(FORM_KEY)
}
