import type { SessionCaller } from '../../../contract/caller.ts'
import type { OperationAnswer } from '../../../pipeline/request.ts'
import type { PageRequest } from '../../parts/parts.ts'
import type { Catalogue } from './catalogue.ts'
import type { DashboardParts, Membership, SignedIn } from './parts.ts'

export type Values = Record<string, unknown>

/** What pages know of the account that they are about: the answer of GET /account. */
export interface ShownAccount {
  id: string
  name: string
  subdomain: string
  default_currency: string
  timezone: string
  test: boolean
}

interface Given {
  query?: Values
  body?: unknown
}

/** One request of a signed-in person for a page of one account. */
export interface Visit {
  parts: DashboardParts
  /** Everything that has pages. */
  catalogue: Catalogue
  /** The first parts of the addresses of pages that are made by hand. */
  pages: ReadonlySet<string>
  person: SignedIn
  /** The account of the address, and the person's role there. */
  membership: Membership
  /** All accounts of the person. */
  memberships: Membership[]
  account: ShownAccount
  caller: SessionCaller
  incoming: PageRequest
  /** Its path, without a query. */
  path: string
  query: URLSearchParams
  /** `/dashboard/my-shop`: what every address of the account begins with. */
  base: string
  /** What each form sends along, so that no other site can send it. */
  csrf: string
  /** Calls an operation as the person, those of the desk as well. A refusal is an answer like any other. */
  ask(method: string, path: string, given?: Given): Promise<OperationAnswer>
}

/** A refusal of an operation that a page cannot go on without. */
export class RefusedError extends Error {
  readonly status: number
  readonly answer: OperationAnswer

  constructor(answer: OperationAnswer) {
    super(refusalOf(answer)?.message ?? 'refused')
    this.status = answer.status
    this.answer = answer
  }
}

/** What an operation shows of one thing. Throws RefusedError when it refuses. */
export async function shown<Shown = Values>(answer: Promise<OperationAnswer>): Promise<Shown> {
  const found = await answer
  if (found.status >= 400) throw new RefusedError(found)
  return found.body as Shown
}

/** The rows of a list. Throws RefusedError when it refuses. */
export async function rowsOf<Row = Values>(answer: Promise<OperationAnswer>): Promise<{ rows: Row[]; more: boolean }> {
  const { data, has_more: more } = await shown<{ data: Row[]; has_more: boolean }>(answer)
  return { rows: data, more }
}

/** The refusal in an answer, or null where there is none. */
export interface Refusal {
  code: string
  message: string
  param?: string
  errors?: Record<string, string[]>
}

export function refusalOf({ status, body }: OperationAnswer): Refusal | null {
  return status >= 400 ? (body as { error: Refusal }).error : null
}
