import { isAtLeast, type Role, type SessionCaller } from '../../../contract/declarations/caller.ts'
import type { OperationAnswer } from '../../../pipeline/request.ts'
import type { Page } from '../../parts/document.ts'
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
  /** What a form holds so that sending it twice does it once; null where it holds none. */
  key?: string | null
}

/** One request of a signed-in person for a page of one account. */
export interface Visit {
  parts: DashboardParts
  /** Everything that has pages. */
  catalogue: Catalogue<View>
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
  /** Calls an operation as the person, those of the dashboard alone as well. A refusal is an answer like any other. */
  ask(method: string, path: string, given?: Given): Promise<OperationAnswer>
}

/** Whether the person's role is enough for an operation. */
export function mayCall({ membership }: Visit, { role }: { role: Role | null }): boolean {
  return role === null || isAtLeast(membership.role, role)
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

interface Rows<Row> {
  rows: Row[]
  more: boolean
}

/** The rows of a list. Throws RefusedError when it refuses. */
export async function rowsOf<Row = Values>(answer: Promise<OperationAnswer>): Promise<Rows<Row>> {
  await shown(answer)
  return rowsIn<Row>(await answer)
}

/** The rows in the answer of a list; none where it refused. */
export function rowsIn<Row = Values>({ status, body }: OperationAnswer): Rows<Row> {
  if (status >= 400) return { rows: [], more: false }
  const { data: rows, has_more: more } = body as { data: Row[]; has_more: boolean }
  return { rows, more }
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

/** A part of the page of one thing, below its fields; null where there is nothing to say. */
export type Section = (visit: Visit, values: Values) => Promise<Page | null>

/** A column that is no field of its noun, or shows one in another way. */
export interface Cell {
  title: string
  /** Numbers are at the end of their column. */
  end?: boolean
  show(visit: Visit, values: Values): Page
}

/** Fields of a form that belong together. */
interface FormGroup {
  title?: string
  names: string[]
  /** In place of their inputs: one that stands for all of them. `value` is the text that an input would hold. */
  control?(value: (name: string) => string): Page
  /** A class that hides them while another choice of the form has nothing to do with them. */
  when?: string
}

/** How forms of a noun are laid out. Fields that no group names come last, folded. */
export interface FormView {
  groups: FormGroup[]
  /** Labels and hints in place of those that follow from the declaration. */
  labels?: Record<string, string>
  hints?: Record<string, string>
  /** What it is filled with at first, where answers show a field under another name. */
  filled?(values: Values): Values
  /** On the button that makes a new one, where that does more than to keep it. */
  create?: string
  /** Fields that the other choices of the form make necessary wherever they are shown. */
  needed?: string[]
  /** What was sent, before it is read: takes out what does not fit, and puts in what a control stands for. */
  sent?(form: URLSearchParams): void
}

/** How an action is put to people. */
interface ActionView {
  /** On its button. */
  button: string
  /** What happens, before it is done. */
  lead(visit: Visit, values: Values): string | Page | Promise<string | Page>
  danger?: boolean
  labels?: Record<string, string>
  hints?: Record<string, string>
}

/** What the pages of one noun have beyond what follows from its declaration. */
export interface View {
  /** What one is called, where no field says it. */
  title?(values: Values): string
  /** The columns of its lists. */
  columns?: string[]
  /** Columns beyond its fields, by the names that `columns` gives them. */
  cells?: Record<string, Cell>
  /** Fields that its own page shows at once; the others are folded. All of them when absent. */
  main?: string[]
  /** Parts above its fields. */
  above?: Section[]
  /** Words for its fields, on its own page; forms have theirs besides. */
  labels?: Record<string, string>
  form?: FormView
  /** Where a form leads that made or changed one, where that is not its own page. */
  after?(visit: Visit, values: Values): string
  /** The same of new ones alone. */
  afterCreate?(visit: Visit, values: Values): string
  /** Of its actions, by name; `update` and `delete` as well. */
  actions?: Record<string, ActionView>
  /** Actions that a hand-made form of its page takes the place of; `update` and `delete` as well. */
  withoutActions?: string[]
  /** References that its pages show by name. Those that lists can expand are expanded anyway. */
  expand?: string[]
  /** Fields that its own page leaves out, because a section shows them better. */
  without?: string[]
  /** In place of the lists of what belongs to it, or before them. */
  sections?: Section[]
  /** Nouns whose lists its page shows; all that can be narrowed by it when absent. */
  related?: string[]
  /** Links and buttons of its page beyond its actions. */
  links?(visit: Visit, values: Values): Page | null
  /** Which of its actions its state permits, where the answers of the API do not say it. */
  allowed?(values: Values): string[]
  /** Links of its list beyond the usual buttons. */
  listLinks?(visit: Visit): Page
  /** What people call its id, where they know it from a receipt: its list has a field that leads to the one with it. */
  find?: string
  /** How its list gets its first entry, where people do not make them. */
  empty?(visit: Visit): Page
  /** A sentence under the heading of its list. */
  lead?: string
}
