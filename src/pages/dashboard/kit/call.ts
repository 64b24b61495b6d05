import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { PathNames } from '../../../contract/declarations/operation.ts'
import type { OperationAnswer } from '../../../pipeline/request.ts'
import type { DashboardRead } from '../../../records/dashboard-read.ts'
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

/** The response of an operation. `body` has the type `Body` unless `refusalOf` finds an error. */
export interface Answer<Body> extends Omit<OperationAnswer, 'body'> {
  body: Body
}

interface FormKeyOption {
  /** The idempotency key of the form, or null if it has none. */
  key?: string | null
}

interface RequestOptions<Name extends OperationName, Expanded extends string> extends FormKeyOption {
  path?: Readonly<Record<PathNames<Name>, string>>
  query?: QueryOf<Name> & { expand?: readonly Expanded[] }
  body?: BodyOf<Name>
}

interface RequestOptionsWithPath<Name extends OperationName, Expanded extends string>
  extends RequestOptions<Name, Expanded> {
  path: Readonly<Record<PathNames<Name>, string>>
}

/** Calls an operation by its name, such as `GET /orders/{id}`. Error responses are returned like any other response. */
export type Call = <Name extends OperationName, const Expanded extends ExpandableBy<Name> = never>(
  operation: Name,
  ...given: [PathNames<Name>] extends [never]
    ? [RequestOptions<Name, Expanded>?]
    : [RequestOptionsWithPath<Name, Expanded>]
) => Promise<Answer<AnswerOf<Name, Expanded>>>

/** Calls any operation without types, for the pages derived from declarations. */
export type CallAny = (
  method: string,
  path: string,
  given?: FormKeyOption & { query?: Values; body?: unknown },
) => Promise<Answer<AnyBody>>

/** Reads data that is not part of the API. */
export type Read = <Given extends unknown[], Value>(
  read: DashboardRead<Given, Value>,
  ...given: Given
) => Promise<Value>

interface AnyBody extends Values {
  data: Values[]
  has_more: boolean
}

export function callByName(call: CallAny): Call {
  const asked = (
    operation: string,
    { path = {}, ...given }: FormKeyOption & { path?: Readonly<Record<string, string>> } = {},
  ) => {
    const [method = '', address = ''] = operation.split(' ')
    return call(
      method,
      address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]!)),
      given,
    )
  }
  return asked as Call
}

/** Thrown when an operation refuses a call whose data the page cannot do without. */
export class RefusedError extends Error {
  readonly status: number
  readonly answer: Answer<object>

  constructor(answer: Answer<object>) {
    super(refusalOf(answer)?.message ?? 'refused')
    this.status = answer.status
    this.answer = answer
  }
}

/** Returns the body of the response. Throws RefusedError if the operation refused. */
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

/** Returns the rows of a list. Throws RefusedError if the operation refused. */
export async function answeredRows<Row>(answer: Promise<Answer<PageOf<Row>>>): Promise<Rows<Row>> {
  await shown(answer)
  return rowsIn(await answer)
}

/** Returns the rows of a list, or none if the operation refused. */
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

export interface RefusedForm {
  sent: URLSearchParams
  refusal: Refusal
  status: number
}

/** Returns the refused form to show again, or null if the operation accepted it. */
export function refusedForm(sent: URLSearchParams, answer: OperationAnswer): RefusedForm | null {
  const refusal = refusalOf(answer)
  return refusal && { sent, refusal, status: answer.status }
}

/** Renders a hidden input with an idempotency key, so that a form submitted twice acts only once. */
export function keyField(sent: URLSearchParams | null = null, refusal: Refusal | null = null): Page {
  // The form keeps its key while the first request is still being processed, so that a retry does not act a second time.
  const kept = refusal?.code === 'idempotency_key_in_use' ? sent?.get(FORM_KEY) : null
  return html`<input type="hidden" name="${FORM_KEY}" value="${kept || randomUUID()}">`
}

export function formKey(form: URLSearchParams): string | null {
  return form.get(FORM_KEY)
}
